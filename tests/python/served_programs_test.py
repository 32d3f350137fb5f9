"""Programs of several clients under the daemon's slots: the same rows, a fair share, and an end with the client."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import optgap
from optgap.__main__ import native_program

FLOOR = '```python\nimport json\nprint(*range(len(json.loads(input())["distances"])))\n```'
FOREVER = "```python\nwhile True: pass\n```"
TEXTS = [FLOOR, "no program", "```python\n1 +\n```", FOREVER, "```python\nimport sys; sys.exit(3)\n```"]
LONG = {"cpu_ms": 60000}

CLIENT = """
import json, sys
import optgap
problems, texts = json.load(sys.stdin)
with optgap.ProgramRunner(optgap.Engine("cpu", threads=1), languages=["python"]) as runner:
    print("begins", flush=True)
    found = runner.run(problems, texts)
print(found.codes.tolist(), flush=True)
"""


@pytest.fixture
def daemon(tmp_path, request):
    path = str(tmp_path / "serve.sock")
    command = [
        native_program(),
        "serve",
        "--socket",
        path,
        "--device",
        "cpu",
        "--threads",
        "1",
        "--slots",
        "2",
        "--quiet",
    ]
    command += getattr(request, "param", [])
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert "listening" in process.stdout.readline()
    if status_of(path)["isolation"]["python"] is None:  # opened by the first that asks
        made = optgap.ProgramRunner(optgap.Engine("cpu", threads=1), languages=[], server=path)
        try:
            made.isolation("python")
        except optgap.Error as why:
            assert why.status == "sandbox_unavailable"
            process.kill()
            process.wait()
            pytest.skip("SKIPPED: optgap sandbox finds no isolation level that holds programs")
    yield path, process
    process.kill()
    process.wait()
    process.stdout.close()


def status_of(path):
    done = subprocess.run(
        [native_program(), "serve", "--socket", path, "--status", "--json"], capture_output=True, check=True
    )
    return json.loads(done.stdout)["programs"]


def until(path, what):
    end = time.monotonic() + 60
    while not what(status_of(path)):
        assert time.monotonic() < end, status_of(path)
        time.sleep(0.05)


def client(path, problems, texts):
    process = subprocess.Popen(
        [sys.executable, "-c", CLIENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "OPTGAP_SERVER": path},
    )  # fmt: skip
    process.stdin.write(json.dumps([problems, texts]))
    process.stdin.close()
    assert process.stdout.readline() == "begins\n"
    return process


def test_rows_are_those_of_the_process(daemon, engine):
    path, _ = daemon
    problems = optgap.problems("tsp", instances=2, limits={"cpu_ms": 200}) * len(TEXTS)
    with optgap.ProgramRunner(engine, languages=["python"], server="off") as home:
        expected = home.run(problems, TEXTS, advantage="river")
    with optgap.ProgramRunner(engine, languages=["python"], server=path) as runner:
        assert runner.slots == 2
        found = runner.run(problems, TEXTS, advantage="river")
        with optgap.ProgramScheduler(engine, runner=runner) as scheduler:
            tickets = scheduler.issue_programs(problems[:1] * 2).tickets
            scheduler.submit(tickets, [FLOOR, TEXTS[2]])
            assert scheduler.collect_programs(tickets, 60).valid.tolist() == [1, 0]
    for name in ("codes", "objectives", "reward", "advantage", "valid", "masked"):
        assert np.array_equal(getattr(found, name), getattr(expected, name)), name
    assert found.hash == expected.hash and found.trouble == expected.trouble and found.isolation == expected.isolation
    said = status_of(path)
    assert said["runs"] == 8 and said["slots_busy"] == 0 and said["clients"] == 0 and said["isolation"]["python"]


def test_an_interface_goes_with_its_program(daemon, engine):
    path, _ = daemon
    problems = optgap.problems("tsp", instances=2, interface="solve")
    text = "```python\ndef solve(distances):\n    return [str(city) for city in range(len(distances))]\n```"
    with optgap.ProgramRunner(engine, languages=["python"], server=path) as runner:
        assert runner.run(problems, [text]).valid.tolist() == [1]
    assert status_of(path)["runs"] == 2


def test_clients_share_the_slots_and_one_that_goes_is_killed(daemon):
    path, _ = daemon
    (problem,) = optgap.problems("tsp", instances=4, limits=LONG)
    hogs = client(path, [problem] * 2, [FOREVER] * 2)
    until(path, lambda said: said["slots_busy"] == 2)
    # All slots are taken by programs that run for a minute: a second client has the next one, which a kill frees.
    second = client(path, [problem] * 2, [FOREVER] * 2)
    until(path, lambda said: said["clients"] == 2)
    assert status_of(path)["slots_busy"] == 2
    hogs.send_signal(signal.SIGKILL)
    hogs.wait()
    until(path, lambda said: said["hung_up"] >= 1 and said["clients"] == 1)
    until(path, lambda said: said["slots_busy"] == 2)
    second.kill()
    second.wait()
    until(path, lambda said: said["slots_busy"] == 0 and said["clients"] == 0)
    for one in (hogs, second):
        one.stdout.close()


@pytest.mark.parametrize("daemon", [["--client-slots", "1"]], indirect=True)
def test_a_client_has_no_more_slots_than_it_may(daemon):
    path, _ = daemon
    (problem,) = optgap.problems("tsp", instances=4, limits=LONG)
    first = client(path, [problem], [FOREVER])
    until(path, lambda said: said["slots_busy"] == 1)
    time.sleep(0.3)
    assert status_of(path)["slots_busy"] == 1
    second = client(path, [problem], [FOREVER])
    until(path, lambda said: said["slots_busy"] == 2)
    for one in (first, second):
        one.kill()
        one.wait()
        one.stdout.close()


def test_a_wrong_setting_of_the_daemon_is_said(tmp_path):
    for wrong, said in ((["--isolation", "none"], "isolation 'none' is not known"), (["--slots", "5000"], "4096")):
        command = [native_program(), "serve", "--socket", str(tmp_path / "serve.sock"), "--device", "cpu", *wrong]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 2 and said in done.stderr, done.stderr


def test_a_client_with_few_programs_does_not_wait_for_one_with_many(daemon):
    path, _ = daemon
    (slow,) = optgap.problems("tsp", instances=10, limits={"cpu_ms": 400})
    (quick,) = optgap.problems("tsp", instances=2)
    many = client(path, [slow] * 4, [FOREVER] * 4)  # 40 runs of 0.4 s on two slots
    until(path, lambda said: said["slots_busy"] == 2)
    few = client(path, [quick], [FLOOR])
    assert few.stdout.readline() == "[[0, 0]]\n"
    assert many.poll() is None, "all of another's runs came first"
    for one in (few, many):
        one.kill()
        one.wait()
        one.stdout.close()


def test_what_a_daemon_leaves_is_done_at_home(daemon, engine, tmp_path):
    path, process = daemon
    problems = optgap.problems("tsp", instances=2, limits={"cpu_ms": 400})
    with optgap.ProgramRunner(engine, languages=["python"], server=path) as runner:
        assert runner.run(problems, [FLOOR]).valid.tolist() == [1]
        process.kill()
        process.wait()
        found = runner.run(problems, [FLOOR])
        assert found.valid.tolist() == [1] and not found.masked.any()
    with optgap.ProgramRunner(engine, languages=["python"], server=str(tmp_path / "none.sock")) as runner:
        assert runner.run(problems, [FLOOR]).valid.tolist() == [1]
