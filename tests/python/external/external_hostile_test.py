"""Environments that hang, crash, leak, babble and lie cost their rows and nothing else."""

import json
import logging
import os
import pathlib
import re
import socket
import threading
import time
import uuid

import optgap
import optgap.external as external
import pytest
from optgap.external import confinement
from optgap.external.pool import PATIENCE, Call
from optgap.external.settings import checked
from optgap.integrations.evaluation import evaluate

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

works, why_not = confinement.bubblewrap()
ways = [pytest.param(True, id="trusted"),
        pytest.param(False, id="confined", marks=pytest.mark.skipif(works is None, reason=f"bubblewrap: {why_not}"))]  # fmt: skip


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

    def make(trusted=True, **more):
        made.append(external.Pool(checked({**SETTINGS, "trusted": trusted, **more}, "test")))
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


@pytest.mark.parametrize("trusted", ways)
def test_every_deed_costs_its_row_and_no_other(trusted, pool):
    by = pool(trusted)
    (row,) = external.rows("bad/one", ["d1"], [1], by=by)
    asked = external.read(json.loads(row.ground_truth))
    texts = [f"<answer>{text}</answer>" for deed in DEEDS for text in (deed, "good")]
    asked = asked._replace(format="answer_only")
    before = time.monotonic()
    found = external.pay([asked] * len(texts), texts, by=by)
    assert time.monotonic() - before < 60
    assert {deed: Code(one.code) for deed, one in zip(DEEDS, found[::2])} == DEEDS
    assert [one.code for one in found[1::2]] == [0] * len(DEEDS)
    for deed, one in zip(DEEDS, found[::2]):
        assert one.reward == (2 if DEEDS[deed] is Code.OK else -0.5), deed
        assert bool(one.message) == (DEEDS[deed] not in (Code.OK, Code.WRONG)), deed
    counted = {code: n for (_, code), n in by.killed.items()}
    assert leftovers(), "the fixture would see nothing"
    assert counted == {code.label: list(DEEDS.values()).count(code) for code in DEEDS.values() if 33 <= code}


def test_what_is_said_names_the_fault(pool):
    deeds = ("hang", "segfault", "raises", "huge")
    said = dict(zip(deeds, (one.message for one in pool().run([verify(deed) for deed in deeds]))))
    assert said["hang"] == "verify gave no result within 1.5 s" and said["segfault"] == "its process ended by signal 11"
    assert said["raises"] == "RuntimeError: no such answer" and "expected 4194304 at most" in said["huge"]


def test_a_slow_leak_is_retired_before_another_row_pays_for_it(pool):
    by = pool(workers=1, memory_mib=256)
    found = by.run([verify("hold 32") for _ in range(24)])  # three times what a worker may have
    assert [one.code for one in found] == [Code.OK] * 24


def test_an_environment_that_always_hangs_does_not_stop_a_step(pool):
    by = pool(verify_seconds=0.3)
    before = time.monotonic()
    found = by.run([call for _ in range(400) for call in (verify("hang"), Call("mine/toy", "verify", ('{"numbers": [1]}', "1")))])
    assert time.monotonic() - before < 60
    assert {one.code for one in found[::2]} == {Code.TIMEOUT} and {one.code for one in found[1::2]} == {Code.OK}
    assert sum("not tried" in one.message for one in found) >= 400 - PATIENCE - by.settings.workers


def test_generators_misbehave_as_well(pool, caplog):
    by = pool()
    with caplog.at_level(logging.WARNING):
        made = external.rows_or_none("bad/one", [f"d{n}" for n in (99, 1, 98, 2, 97, 3, 96, 4)], range(8), by=by)
    assert [one is None for one in made] == [True, False] * 4
    for why in ("no result within 1.5 s", "2097", "not JSON serializable", "must return \\(problem, prompt\\)"):
        assert any(re.search(why, record.getMessage()) for record in caplog.records), why
    with pytest.raises(optgap.Error, match="d99:1 was not generated: external_timeout"):
        external.rows("bad/one", ["d99"], [1], by=by)


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


@pytest.mark.parametrize("trusted", ways)
def test_confined_code_reaches_no_network_no_file_and_no_secret(trusted, pool, tmp_path, monkeypatch):
    monkeypatch.setenv("A_SECRET_TOKEN", "x")
    by = pool(trusted)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        asked = [verify(f"network {port}"), verify(f"write {tmp_path}/file"), verify("environment A_SECRET_TOKEN")]
        network, write, secret = by.run(asked)
    assert (network.code, write.code) == ((Code.OK, Code.OK) if trusted else (Code.ERROR, Code.ERROR)), network.message
    assert (tmp_path / "file").exists() == trusted
    assert secret.value[0]["reward"] == (1 if trusted else -1)
    if not trusted:
        assert "Read-only file system" in write.message
