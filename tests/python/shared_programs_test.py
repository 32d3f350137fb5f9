"""Rows of programs by optgap.Scorer: in a runner's sandbox, interrupted, closed, forked."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import optgap
from optgap.rows.programs import runner as shared
from optgap.trainers.common import ground_truth
from optgap.trainers.common.evaluation import evaluate

FLOOR = '```python\nimport json\nprint(*range(len(json.loads(input())["distances"])))\n```'
HALF = '```python\nimport json\nprint(*range(len(json.loads(input())["distances"]) // 2))\n```'
FOREVER = "```python\nwhile True: pass\n```"
PROBLEM = {"key": "tsp@1:train:easy:4*3", "language": "python"}
ENDLESS = {**PROBLEM, "limits": {"cpu_ms": 60000}, "completion": FOREVER}
ROWS = [{**PROBLEM, "completion": text} for text in (FLOOR, HALF, "none", FLOOR)]


@pytest.fixture(scope="module")
def engine():
    return optgap.Engine("cpu", threads=1)


@pytest.fixture
def runner(engine):
    try:
        made = optgap.ProgramRunner(engine, slots=1, languages=["python"], server="off")
    except optgap.Error as why:
        assert why.status == "sandbox_unavailable"
        pytest.skip("SKIPPED: optgap sandbox finds no isolation level that holds programs")
    with made:
        yield made


def brokers():
    """The sandboxes' processes of this one."""
    found = 0
    for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            named = re.fullmatch(r"\d+ \((.*)\) \S (\d+) .*", status.read_text().strip(), re.S)
        except OSError:
            continue
        found += named is not None and named[1].startswith("optgap-broker") and int(named[2]) == os.getpid()
    return found


@pytest.mark.parametrize("advantage", ["grpo", "river"])
def test_all_ways_give_the_same_bytes(engine, runner, advantage):
    alone = json.dumps(optgap.score(ROWS, isolation=runner.isolation("python"), advantage=advantage, device="cpu"))
    with optgap.Scorer(engine, runner=runner, advantage=advantage) as scorer:
        assert json.dumps(scorer.score(ROWS)) == alone
        assert json.dumps(scorer.score(ROWS)) == alone, "a second call is a run of its own"
    with optgap.Scheduler(engine, rows={"isolation": "auto", "advantage": advantage}) as scheduler:
        tickets = [scheduler.submit_row(row) for row in ROWS]
        assert json.dumps(scheduler.collect_rows(tickets, timeout=60).rows) == alone
    ran = runner.run([PROBLEM] * 4, [row["completion"] for row in ROWS], advantage=advantage)
    rows = json.loads(alone)
    for name in ("reward", "advantage", "quality", "raw_ratio", "normalized", "valid"):
        assert getattr(ran, name).astype(np.float32).astype(float).tolist() == [row[name] for row in rows], name
    assert [[None if one == optgap.NO_OBJECTIVE else one for one in row] for row in ran.objectives.tolist()] == [
        row["objectives"] for row in rows
    ]


def test_scorers_of_one_runner_have_its_slots_and_no_sandbox_of_their_own(engine, runner):
    before = brokers()
    assert before > 0
    first, second = (optgap.Scorer(engine, runner=runner) for _ in range(2))
    found = [None] * 2

    def call(place, by):
        found[place] = by.score(ROWS)

    threads = [threading.Thread(target=call, args=(place, by)) for place, by in enumerate((first, second))]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert found[0] == found[1] and found[0][0]["code"] == "ok" and brokers() == before
    assert optgap.Scorer(engine, isolation="auto").score(ROWS)[0]["code"] == "ok"
    own = optgap.Scorer(engine, isolation="auto")
    assert own.score(ROWS) == found[0] and brokers() > before


@pytest.mark.parametrize("closed", ["runner", "scorer"])
def test_a_close_ends_what_runs_and_masks_its_rows(engine, runner, closed):
    scorer = optgap.Scorer(engine, runner=runner)
    found = []
    call = threading.Thread(target=lambda: found.extend(scorer.score([ENDLESS])))
    call.start()
    time.sleep(0.7)
    begun = time.monotonic()
    (runner if closed == "runner" else scorer).close()
    call.join()
    assert time.monotonic() - begun < 10
    (row,) = found
    assert row["masked"] is True and row["reward"] is None and row["code"] == "infrastructure"
    with pytest.raises(optgap.Error, match=f"{closed} is closed"):
        scorer.score(ROWS)
    if closed == "runner":
        assert scorer.score([{"key": "tsp@1:train:easy:1", "completion": "x"}])[0]["code"] == "format_missing_reasoning"
    else:
        assert optgap.Scorer(engine, runner=runner).score(ROWS)[0]["code"] == "ok", "the runner goes on"


WAYS = {
    "Scorer.score": f"optgap.Scorer(optgap.Engine('cpu', threads=1), isolation='auto').score([{ENDLESS!r}])",
    "optgap.score": f"optgap.score([{ENDLESS!r}], isolation='auto', device='cpu')",
    "an adapter": f"evaluate([{FOREVER!r}], [{json.dumps({**PROBLEM, 'limits': ENDLESS['limits']})!r}])",
}


@pytest.mark.parametrize("way", WAYS)
def test_an_interrupt_ends_a_call_whose_program_runs(runner, way):
    code = (
        "import json, optgap\nfrom optgap.trainers.common.evaluation import evaluate\nprint('begins', flush=True)\n"
        f"try:\n    {WAYS[way]}\nexcept KeyboardInterrupt:\n    print('interrupted')\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout.readline() == "begins\n"
        time.sleep(3)
        begun = time.monotonic()
        run.send_signal(signal.SIGINT)
        assert run.stdout.read() == "interrupted\n" and run.wait() == 0
        assert time.monotonic() - begun < 15


def test_a_forked_child_does_not_run_programs_in_its_parents_sandbox(engine, runner):
    scorer = optgap.Scorer(engine, runner=runner)
    assert scorer.score(ROWS)[0]["code"] == "ok"
    child = os.fork()
    if child == 0:
        try:
            scorer.score(ROWS)
            os._exit(1)
        except optgap.Error as why:
            os._exit(0 if "forked" in str(why) else 2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert scorer.score(ROWS)[0]["code"] == "ok"


def test_a_runner_has_its_own_isolation_and_slots(engine, runner):
    for given in ({"isolation": "auto"}, {"slots": 2}):
        with pytest.raises(optgap.Error, match="runner"):
            optgap.Scorer(engine, runner=runner, **given)


def test_adapters_batches_share_this_process_s_runner(runner, monkeypatch):
    monkeypatch.delenv("OPTGAP_PROGRAMS", raising=False)
    ground_truth.configure()
    truths = [json.dumps(PROBLEM)] * 4
    texts = [row["completion"] for row in ROWS]
    first = evaluate(texts, truths)
    held = brokers()
    found = [None] * 3

    def call(place):
        found[place] = evaluate(texts, truths).rows

    threads = [threading.Thread(target=call, args=(place,)) for place in range(3)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert found == [first.rows] * 3 and brokers() == held
    assert shared.runner(ground_truth.threads()).slots > 0
    assert first.optimal == [False] * 4 and first.objective == [None] * 4 and first.tasks == ["program/tsp"] * 4
