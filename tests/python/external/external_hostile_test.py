"""Environments that hang, crash, leak, babble and lie cost their rows and nothing else."""

import json
import logging
import os
import pathlib
import re
import socket
import subprocess
import tempfile
import threading
import time
import uuid

import pytest

import optgap
import optgap.rows.external as external
from optgap.rows.external import confinement
from optgap.rows.external.pool import PATIENCE, Call
from optgap.rows.external.process import Worker
from optgap.rows.external.settings import ISOLATION_LEVELS, checked
from optgap.trainers.common.evaluation import evaluate

pytestmark = pytest.mark.alone  # verdicts have a second and a half
Code = external.Code
SETTINGS = {"tasks": {"bad/one": "hostile_environment:Hostile", "mine/toy": "toys:Toy"}, "verify_seconds": 1.5, "generate_seconds": 1.5,
            "memory_mib": 512}  # fmt: skip
PROBLEM = json.dumps({"seed": 1, "kept": [1, 2]})

DEEDS = {
    "hang": Code.TIMEOUT, "sleep_uninterrupted": Code.TIMEOUT, "spawn": Code.TIMEOUT,
    "exit": Code.CRASH, "segfault": Code.CRASH, "fork_and_die": Code.CRASH, "close": Code.CRASH, "babble": Code.CRASH,
    "sysexit": Code.ERROR, "raises": Code.ERROR, "raises_more": Code.ERROR, "unsayable": Code.ERROR, "huge": Code.ERROR,
    "deep": Code.ERROR, "larger": Code.ERROR, "no_such_deed": Code.ERROR,
    "leak": Code.MEMORY,
    "nan": Code.VERDICT, "infinite": Code.VERDICT, "large": Code.VERDICT, "seven": Code.VERDICT, "text": Code.VERDICT,
    "nothing": Code.VERDICT, "true": Code.VERDICT, "unknown": Code.VERDICT, "both": Code.VERDICT,
    "objective": Code.VERDICT,
    "bad": Code.WRONG,
    "flood": Code.OK, "fork": Code.OK, "fork_twice": Code.OK, "mutate": Code.OK,
}  # fmt: skip
HELD = dict.fromkeys(("spawn", "fork_and_die", "fork", "fork_twice"), Code.ERROR)
"""No isolation level lets a worker begin a process."""


def way(name):
    """A case of an isolation level, skipped where it does not hold, unless OPTGAP_REQUIRE says that it must."""
    held, why = confinement._held(name, ())
    missing = held is None and "sandbox" not in os.environ.get("OPTGAP_REQUIRE", "")
    return pytest.param(name, marks=pytest.mark.skipif(missing, reason=why))


isolation_levels = [way(name) for name in ISOLATION_LEVELS]
ways = ["trusted", *isolation_levels]


RUN = f"OPTGAP_TEST_RUN={uuid.uuid4()}"


def leftovers():
    """Processes that a worker of this run was, or started."""
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and RUN.encode() in (folder / "environ").read_bytes():
                found.append((folder / "cmdline").read_bytes())
        except OSError:
            pass
    return [one for one in found if one]  # an empty one is ending


@pytest.fixture
def pool(monkeypatch):
    name, _, value = RUN.partition("=")
    monkeypatch.setenv(name, value)
    monkeypatch.setattr(confinement, "_KEPT", (*confinement._KEPT, name))
    made = []

    def make(how="trusted", **more):
        held = {"trusted": True} if how == "trusted" else {"isolation": how}
        made.append(external.Pool(checked({**SETTINGS, **held, **more}, "test")))
        return made[-1]

    yield make
    for one in made:
        one.close()
    until = time.monotonic() + 5  # killed ones take a moment to end
    while leftovers() and time.monotonic() < until:
        time.sleep(0.01)
    assert leftovers() == []


def verify(text):
    return Call("bad/one", "verify", (PROBLEM, text))


@pytest.mark.parametrize("how", ways)
def test_every_deed_costs_its_row_and_no_other(how, pool):
    by = pool(how)
    deeds = DEEDS if how == "trusted" else {**DEEDS, **HELD}
    (row,) = external.rows("bad/one", ["d1"], [1], pool=by)
    asked = external.read(json.loads(row.ground_truth))
    texts = [f"<answer>{text}</answer>" for deed in DEEDS for text in (deed, "good")]
    asked = asked._replace(format="answer_only")
    before = time.monotonic()
    found = external.reward_rows([asked] * len(texts), texts, pool=by)
    assert time.monotonic() - before < 60
    assert {deed: Code(one.code) for deed, one in zip(DEEDS, found[::2])} == deeds
    assert [one.code for one in found[1::2]] == [0] * len(DEEDS)
    for deed, one in zip(DEEDS, found[::2]):
        assert one.reward == (2 if deeds[deed] is Code.OK else -0.5), deed
        assert bool(one.message) == (deeds[deed] not in (Code.OK, Code.WRONG)), deed
    counted = {code: n for (_, code), n in by.killed.items()}
    by.run([verify("good")])  # the last deed may have cost the last worker: this one's stays
    assert leftovers(), "the fixture would see nothing"
    assert counted == {code.label: list(deeds.values()).count(code) for code in deeds.values() if code >= 33}


def test_what_is_said_names_the_fault(pool):
    deeds = ("hang", "segfault", "raises", "huge")
    said = dict(zip(deeds, (one.message for one in pool().run([verify(deed) for deed in deeds]))))
    assert said["hang"] == "verify gave no result within 1.5 s" and said["segfault"] == "its process ended by signal 11"
    assert said["raises"] == "RuntimeError: no such answer" and "expected 32768 at most" in said["huge"]


def test_a_worker_that_ends_between_the_poll_and_the_glance_is_told_by_its_signal(pool, monkeypatch):
    def waits(worker):
        try:
            worker._process.wait(0.5)
        except subprocess.TimeoutExpired:
            return False
        return True

    monkeypatch.setattr(Worker, "is_dead", waits)
    by = pool(workers=1)
    assert by.run([verify("good")])[0].code is Code.OK  # loaded: nothing but the deed is waited for
    assert by.run([verify("segfault")])[0].message == "its process ended by signal 11"
    assert "left a child of its own behind" in by.run([verify("fork_and_die")])[0].message


@pytest.mark.parametrize("how", ways)
def test_a_slow_leak_is_retired_before_another_row_rewards_for_it(how, pool):
    by = pool(how, workers=1, memory_mib=256)
    found = by.run([verify("hold 32") for _ in range(24)])  # three times what a worker may have
    assert [one.code for one in found] == [Code.OK] * 24


@pytest.mark.parametrize("how", ways)
def test_a_worker_of_a_large_process_is_kept(how, pool):
    large = bytearray(os.urandom(1 << 20) * 300)  # more than the half that a worker may hold
    by = pool(how, workers=1)
    for _ in range(2):
        assert by.run([verify("good")])[0].code is Code.OK
        (worker,) = by._idle
    assert (
        worker._number == 5 and len(large) > 256 << 20
    )  # one load, two calls, two canaries: none of it is charged to it


def test_an_environment_that_always_hangs_does_not_stop_a_step(pool):
    by = pool(verify_seconds=0.3)
    before = time.monotonic()
    found = by.run(
        [call for _ in range(400) for call in (verify("hang"), Call("mine/toy", "verify", ('{"numbers": [1]}', "1")))]
    )
    assert time.monotonic() - before < 60
    assert {one.code for one in found[::2]} == {Code.TIMEOUT} and {one.code for one in found[1::2]} == {Code.OK}
    assert sum("not tried" in one.message for one in found) >= 400 - PATIENCE - by.settings.workers


def test_generators_misbehave_as_well(pool, caplog):
    by = pool()
    with caplog.at_level(logging.WARNING):
        made = external.rows_or_none("bad/one", [f"d{n}" for n in (99, 1, 98, 2, 97, 3, 96, 4)], range(8), pool=by)
    assert [one is None for one in made] == [True, False] * 4
    for why in ("no result within 1.5 s", "2097", "not JSON serializable", "must return \\(problem, prompt\\)"):
        assert any(re.search(why, record.getMessage()) for record in caplog.records), why
    with pytest.raises(optgap.Error, match="d99:1 was not generated: external_timeout"):
        external.rows("bad/one", ["d99"], [1], pool=by)


def test_threads_share_the_workers_and_nobody_waits_for_anothers_hang(pool):
    by = pool(verify_seconds=2)
    done = {}

    def run(name, texts):
        done[name] = [one.code for one in by.run([verify(text) for text in texts])], time.monotonic() - began

    by.run([verify("good")])
    began = time.monotonic()
    threads = [threading.Thread(target=run, args=(0, ["hang"]))]
    threads += [threading.Thread(target=run, args=(n, ["good", "bad"] * 20)) for n in range(1, 6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert done[0][0] == [Code.TIMEOUT] and all(done[n][0] == [Code.OK] * 40 for n in range(1, 6))
    assert done[0][1] >= 2 and all(done[n][1] < done[0][1] for n in range(1, 6))


def test_a_fork_has_workers_of_its_own():
    external.configure(**SETTINGS, trusted=True)
    try:
        (row,) = external.rows("mine/toy", ["d0"], [1])
        text = f"<think>x</think><answer>{sum(json.loads(row.ground_truth)['problem']['numbers'])}</answer>"
        child = os.fork()
        if child == 0:
            code = 1
            try:
                code = 0 if evaluate([text] * 3, [row.ground_truth] * 3).rows[0]["acc"] == 1 else 2
                external.workers().close()
            finally:
                os._exit(code)
        assert os.waitpid(child, 0)[1] == 0
        assert evaluate([text], [row.ground_truth]).rows[0]["acc"] == 1
    finally:
        external.configure()


@pytest.mark.parametrize("how", ways)
def test_held_code_reaches_no_network_no_file_and_no_secret(how, pool, tmp_path, monkeypatch):
    monkeypatch.setenv("A_SECRET_TOKEN", "x")
    (tmp_path / "private").write_text("a secret")
    by, free = pool(how), how == "trusted"
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        asked = [f"network {port}", f"write {tmp_path}/file", f"read {tmp_path}/private", "environment A_SECRET_TOKEN"]
        network, write, read, secret = by.run([verify(text) for text in asked])
    expected = Code.OK if free else Code.ERROR
    assert [one.code for one in (network, write, read)] == [expected] * 3, (network, write, read)
    assert (tmp_path / "file").exists() == free
    assert secret.value[0]["reward"] == (1 if free else -1)


@pytest.mark.parametrize("how", isolation_levels)
def test_held_code_reads_what_the_settings_name_has_threads_and_temporary_files(how, pool, tmp_path):
    (tmp_path / "data").write_text("levels")
    by = pool(how, reads=[str(tmp_path)], workers=1, memory_mib=256)
    found = by.run(
        [verify(text) for text in (f"read {tmp_path}/data", f"write {tmp_path}/file", "thread", "temporary 1")]
    )
    assert [one.code for one in found] == [Code.OK, Code.ERROR, Code.OK, Code.OK], found
    before = by.run([verify("process")])[0].value[0]["code"]
    by.run([verify("temporary 160")])  # more than half of what it may hold: replaced, and its folder goes with it
    # In namespaces its files lie in memory of its own, which is bounded.
    assert by.run([verify("process")])[0].value[0]["code"] != before or how == "namespaces"
    by.close()
    assert not list(pathlib.Path(tempfile.gettempdir()).glob(f"optgap-worker-{os.getpid()}-*"))


@pytest.mark.parametrize("how", [way("namespaces"), way("jail")])
def test_a_held_worker_has_the_devices_that_torch_opens_when_it_is_imported(how, pool):
    for found in pool(how).run([verify("random_device"), verify("write /dev/null")]):
        assert found.code is Code.OK and found.value[0]["reward"] == 1, found


def test_an_isolation_level_that_holds_nothing_is_found_by_its_self_test(monkeypatch):
    monkeypatch.setattr(confinement, "_holding", lambda *where: [])
    if confinement.broker() is None:
        pytest.skip("no optgap-broker")
    why = confinement._tried("jail", ())
    for way_out in ("a socket", "a process", "a signal", "a file", "a new file", "another program"):
        assert way_out in why


def test_what_no_isolation_level_holds_is_refused_and_every_isolation_level_says_why(monkeypatch):
    monkeypatch.setenv("OPTGAP_BROKER", "/nowhere")
    confinement._held.cache_clear()
    try:
        with pytest.raises(
            optgap.Error, match=r"namespaces: there is no optgap-broker.*jail: there is no.*trusted: true"
        ) as told:
            external.Pool(checked(SETTINGS, "test")).run([verify("good")])
        assert told.value.status == "sandbox_unavailable"
    finally:
        confinement._held.cache_clear()


def test_the_broker_refuses_a_worker_that_is_not_wholly_described():
    if (broker := confinement.broker()) is None:
        pytest.skip("no optgap-broker")
    told = {"keep=5": "needs keep, memory_mb", "keep=x": "keep is no number", "whatever=1": "unknown setting whatever"}
    for word, why in told.items():
        done = subprocess.run([broker, "hold", word, "--", "/bin/true"], capture_output=True, text=True, check=False)
        assert done.returncode == 3 and why in done.stderr
