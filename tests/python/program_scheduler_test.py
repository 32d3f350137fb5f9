"""Programs through a scheduler: the rows of one ProgramRunner.run, one by one, awaited, killed."""

import asyncio
import json
import pathlib
import re
import time

import numpy as np
import pytest

import optgap
from optgap.rows.programs import settings
from optgap.trainers.common.evaluation import NOT_EVALUATED, evaluate, evaluate_one

FLOOR = '```python\nimport json\nprint(*range(len(json.loads(input())["distances"])))\n```'
SWAPPED = '```python\nimport json\nn = len(json.loads(input())["distances"])\nprint(1, 0, *range(2, n))\n```'
FOREVER = "```python\nwhile True: pass\n```"
TEXTS = [FLOOR, SWAPPED, "no program", "```python\n1 +\n```", FLOOR]


@pytest.fixture(scope="module")
def runner(engine):
    try:
        made = optgap.ProgramRunner(engine, slots=2, languages=["python"])
    except optgap.Error as why:
        assert why.status == "sandbox_unavailable"
        pytest.skip("SKIPPED: optgap sandbox finds no isolation level that holds programs")
    with made:
        yield made


@pytest.fixture
def scheduler(engine, runner):
    with optgap.ProgramScheduler(engine, runner=runner) as made:
        yield made


@pytest.fixture(scope="module")
def problems():
    return optgap.problems("tsp", instances=3, count=2, seed=4)


def same(found, expected):
    for name in ("codes", "objectives", "reward", "valid", "advantage", "masked", "task", "begin", "end", "instances"):
        assert np.array_equal(getattr(found, name), getattr(expected, name), equal_nan=name == "reward"), name
    assert found.hash == expected.hash and found.trouble == expected.trouble
    assert all(
        np.array_equal(getattr(found.baselines, name), getattr(expected.baselines, name))
        for name in found.baselines.columns
    )


@pytest.mark.parametrize("advantage", ["grpo", "river"])
def test_rows_are_those_of_one_call_whatever_the_order(runner, scheduler, problems, advantage):
    asked = [problem for problem in problems for _ in TEXTS]
    expected = runner.run(asked, TEXTS * 2, advantage=advantage)
    issued = scheduler.issue_programs(asked)
    assert issued.prompts == [problem["prompt"] for problem in asked] and issued.keys == [
        problem["key"] for problem in asked
    ]
    answers = scheduler.issue("tsp", count=2)
    for row in reversed(range(len(asked))):
        assert scheduler.submit(issued.tickets[row], (TEXTS * 2)[row]) == 1
        if row in (2, 5):
            scheduler.submit(answers.tickets[row % 2], "<think>x</think><answer>[0]</answer>")
    found = scheduler.collect_programs(issued.tickets, 60, advantage=advantage)
    same(found, expected)
    assert found.outcomes == ["scored"] * 10 and found.offsets.tolist() == list(range(11))
    assert scheduler.collect(answers.tickets, 60).outcomes == ["scored"] * 2
    said = scheduler.statistics()["programs"]
    assert said["slots"] == 2 and said["slots_busy"] == 0 and said["runs"] >= 36 and said["compile_cached"] > 0


def test_programs_are_awaited_beside_answers(runner, scheduler, problems):
    asked = [problem for problem in problems for _ in TEXTS]

    async def both():
        rows = [scheduler.score_programs_async(problem, text) for problem, text in zip(asked, TEXTS * 2)]
        answer = scheduler.score_async(scheduler.issue("tsp").keys[0], "<think>x</think><answer>[0]</answer>")
        return await asyncio.gather(answer, *rows)

    answer, *found = asyncio.run(both())
    assert answer.outcome == "scored"
    expected = runner.run(asked, TEXTS * 2)
    assert np.array_equal(np.concatenate([one.reward for one in found]), expected.reward)
    assert np.array_equal(np.concatenate([one.codes for one in found]), expected.codes)
    group = asyncio.run(
        scheduler.score_programs_async(problems[0], TEXTS, finish=["stop"] * 5, length=[7] * 5, advantage="river")
    )
    same(group, runner.run(asked[:5], TEXTS, finish=["stop"] * 5, length=[7] * 5, advantage="river"))
    ticket = scheduler.issue_programs(problems[:1]).tickets[0]
    assert asyncio.run(scheduler.score_programs_async(int(ticket), FLOOR, finish="length")).truncated.tolist() == [1]


def test_a_deadline_and_a_cancelled_task_kill(scheduler):
    problem = optgap.problems("tsp", instances=1, limits={"cpu_ms": 60000})[0]
    begun = time.monotonic()
    found = asyncio.run(scheduler.score_programs_async(problem, FOREVER, deadline=1))
    assert found.outcomes == ["expired"] and found.masked.tolist() == [True] and np.isnan(found.reward[0])
    assert found.codes.tolist() == [[-1]] and found.advantage.tolist() == [0]

    async def cancelled():
        task = asyncio.create_task(scheduler.score_programs_async(problem, FOREVER))
        while scheduler.statistics()["programs"]["slots_busy"] == 0:
            await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        while scheduler.statistics()["programs"]["slots_busy"] > 0:
            await asyncio.sleep(0.05)

    asyncio.run(cancelled())
    ticket = scheduler.issue_programs([problem]).tickets
    scheduler.submit(ticket, FOREVER)
    assert scheduler.cancel(ticket) == 1 and scheduler.collect_programs(ticket).outcomes == ["cancelled"]
    assert time.monotonic() - begun < 40


def test_the_end_of_a_scheduler_ends_what_runs(engine, problems):
    problem = optgap.problems("tsp", instances=1, limits={"cpu_ms": 60000})[0]
    begun = time.monotonic()
    with optgap.ProgramScheduler(engine, slots=1) as own:
        tickets = own.issue_programs([problem] * 3).tickets
        own.submit(tickets, [FOREVER] * 3)
        own.shutdown(drain=False)
        assert own.collect_programs(tickets).outcomes == ["cancelled"] * 3
        with pytest.raises(optgap.Error, match="shut down"):
            own.issue_programs(problems)
    assert time.monotonic() - begun < 30


def test_the_page_s_example_runs(runner, capsys):
    page = (pathlib.Path(__file__).resolve().parents[2] / "docs/programs.md").read_text(encoding="utf-8")
    (block,) = [one for one in re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S) if "ProgramScheduler(" in one]
    exec(block, {})
    assert capsys.readouterr().out == "['scored', 'scored', 'scored', 'scored'] [1. 0. 1. 1.]\nTrue\n"


def test_what_is_wrong_is_said(engine, runner, scheduler, problems):
    for wrong in ({"slots": 2}, {"isolation": "jail"}):
        with pytest.raises(optgap.Error, match="runner"):
            optgap.ProgramScheduler(engine, runner=runner, **wrong)
    with pytest.raises(optgap.Error, match="isolation"):
        optgap.ProgramScheduler(engine, isolation="none")
    with pytest.raises(optgap.Error, match="slots"):
        optgap.ProgramScheduler(engine, slots=5000)
    with pytest.raises(optgap.Error, match="language"):
        scheduler.issue_programs([{"key": "tsp@1:train:easy:4*2"}])
    with pytest.raises(optgap.Error, match="style"):
        scheduler.issue_programs(problems, style=3)
    tickets = scheduler.issue_programs(problems).tickets
    with pytest.raises(optgap.Error, match="format"):
        scheduler.submit(tickets, ["x", "y"], format="forge")
    with pytest.raises(optgap.Error, match="collect_programs"):
        scheduler.collect(tickets, 0)
    with pytest.raises(optgap.Error, match="answer"):
        scheduler.collect_programs(scheduler.issue("tsp").tickets, 0)
    with pytest.raises(TimeoutError):
        scheduler.collect_programs(tickets, 0)
    scheduler.forget(tickets)


def test_an_adapters_sample_is_rewarded_as_its_batch_is(problems):
    rows = [{name: problem[name] for name in ("key", "language", "input", "limits", "format")} for problem in problems]
    truths = [json.dumps(row) for row in rows for _ in TEXTS]

    async def one_by_one(asked, texts):
        rows = zip(asked, texts)
        return await asyncio.gather(*[evaluate_one(text, one, finish="stop", length=5) for one, text in rows])

    found = asyncio.run(one_by_one(truths, TEXTS * 2))
    batch = evaluate(TEXTS * 2, truths, finish=["stop"] * 10, lengths=[5] * 10)
    assert [one.rows[0] for one in found] == batch.rows
    assert {at: one.matrix[0] for at, one in enumerate(found)} == batch.matrix
    broken = '{"key": "tsp@1:train:easy:4*2#00000000", "language": "python"}'
    assert asyncio.run(one_by_one([broken], ["x"]))[0].rows[0]["code"] == NOT_EVALUATED


def test_programs_that_are_equal_run_once_and_hopeless_ones_stop_early_where_that_is_said(engine, runner):
    problem = optgap.problems("tsp", instances=5, seed=4)[0]
    hopeless = "```python\nraise SystemExit(1)\n```"
    with optgap.ProgramScheduler(engine, runner=runner, fail_fast=True, dedupe="always") as own:
        before = runner.counts
        tickets = own.issue_programs([problem] * 5).tickets
        own.submit(tickets, [FLOOR, hopeless, FLOOR, hopeless, FLOOR])
        found = own.collect_programs(tickets)
        assert runner.counts["runs"] - before["runs"] == 5 + 3
    expected = runner.run([problem] * 5, [FLOOR, hopeless, FLOOR, hopeless, FLOOR], fail_fast=True, dedupe="always")
    same(found, expected)
    assert found.code_names[1] == ["run_exit"] * 3 + ["not_run"] * 2
    with pytest.raises(optgap.Error, match="dedupe"):
        optgap.ProgramScheduler(engine, dedupe="sometimes")
    for wrong in ({"dedupe": "sometimes"}, {"fail_fast": 1}):
        with pytest.raises(optgap.Error, match=next(iter(wrong))):
            settings.checked(wrong, "test")


ONE_BY_ONE = """
import json, threading, time
import optgap
from optgap.trainers.openrlhf.reward import reward_func
from optgap.rows.programs import runner, settings

settings.configure(slots=5, fail_fast=True, dedupe="always")
problem = optgap.problems("tsp", instances=1, limits={"cpu_ms": 600000})[0]
truth = json.dumps({name: problem[name] for name in ("key", "language", "input", "limits", "format")})
say = lambda text: float(reward_func(["Say. " + text], ["Say. "], [truth])["rewards"][0])
texts = ["```python\\nwhile True: %d\\n```" % k for k in range(4)]
endless = [threading.Thread(target=say, args=(text,)) for text in texts]
for one in endless:
    one.start()
by = runner.scheduler()
while by.statistics()["programs"]["slots_busy"] < 4:
    time.sleep(0.02)
floor = "```python\\nimport json\\nprint(*range(len(json.loads(input())[\\"distances\\"])))\\n```"
print(say(floor) > 0, all(one.is_alive() for one in endless))
runner.runner().close()
for one in endless:
    one.join()
print("ended")
"""


def test_a_sample_that_comes_alone_waits_for_no_other_s_limit(runner, run_python):
    assert run_python(ONE_BY_ONE).split() == ["True", "True", "ended"]
