"""Programs run within the process: the same rows as the program's own command, as arrays."""

import json
import os
import pathlib
import re
import threading
import time

import numpy as np
import pytest

import optgap

FLOOR = '```python\nimport json\nprint(*range(len(json.loads(input())["distances"])))\n```'
GREEDY = """```python
import json
distances = json.loads(input())["distances"]
tour, left = [0], set(range(1, len(distances)))
while left:
    tour.append(min(left, key=lambda city: (distances[tour[-1]][city], city)))
    left.remove(tour[-1])
print(*tour)
```"""
HALF = '```python\nimport json\nprint(*range(len(json.loads(input())["distances"]) // 2))\n```'
FOREVER = "```python\nwhile True: pass\n```"
CASES = [FLOOR, GREEDY, HALF, "no program", "```python\n1 +\n```", FLOOR]


@pytest.fixture(scope="module")
def engine():
    return optgap.Engine(device="cpu", threads=2)


@pytest.fixture(scope="module")
def runner(engine):
    try:
        made = optgap.ProgramRunner(engine, slots=2, languages=["python"])
    except optgap.Error as why:
        assert why.status == "sandbox_unavailable"
        pytest.skip("SKIPPED: optgap sandbox finds no isolation level that holds programs")
    with made:
        yield made


@pytest.fixture(scope="module")
def problems():
    return optgap.problems("tsp", instances=3, count=2, seed=4)


@pytest.mark.parametrize("advantage", ["grpo", "river", "gdpo"])
def test_rows_are_those_of_the_command(runner, problems, advantage):
    asked = [problem for problem in problems for _ in CASES]
    found = runner.run(asked, CASES * 2, advantage=advantage)
    rows = [{**problem, "completion": text} for problem, text in zip(asked, CASES * 2)]
    said = optgap.score(rows, isolation=runner.isolation("python"), advantage=advantage, matrix=True, device="cpu")
    assert found.codes.dtype == np.int32 and found.codes.shape == (12, 3)
    assert found.objectives.dtype == np.int64 and found.reward.dtype == np.float32 and found.masked.dtype == np.bool_
    assert found.code_names == [row["codes"] for row in said]
    assert [[None if one == optgap.NO_OBJECTIVE else one for one in row] for row in found.objectives.tolist()] == [
        row["objectives"] for row in said
    ]
    for name in ("reward", "advantage", "valid", "quality", "raw_ratio", "normalized", "optimal", "format", "feasible"):
        assert getattr(found, name).tolist() == pytest.approx([row[name] for row in said], abs=1e-6), name
    assert found.violation.tolist() == [row["violation"] for row in said]
    assert found.hash == [row["program"]["hash"] or "" for row in said]
    assert found.isolation == [row["isolation"] for row in said]
    assert list(zip(found.begin.tolist(), found.end.tolist())) == [tuple(row["span"]) for row in said]
    records = found.baselines.records()
    assert [{name: one[name] for name in ("objective", "bound", "proven", "floor", "greedy")} for one in records] == [
        one for row in said for one in row["baselines"]
    ]
    table = [[np.nan if one is None else one for one in row["scores"]] for row in said]
    assert np.array_equal(found.scores(), table, equal_nan=True)


def test_the_page_s_example_runs(runner, capsys):
    page = (pathlib.Path(__file__).resolve().parents[2] / "docs/programs.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)
    (block,) = [one for one in blocks if "ProgramRunner(" in one]
    exec(block, {})
    assert capsys.readouterr().out == "(2, 3) int64 [1. 0.] program_missing\n"


def test_problems_of_different_sizes_are_padded_and_not_ranked_together(runner, problems):
    small = optgap.problems("tsp", instances=1, seed=4)[0]
    found = runner.run([problems[0], small], [FLOOR, FLOOR], group=[0, 0])
    assert found.instances.tolist() == [3, 1]
    assert found.codes.tolist() == [[0, 0, 0], [0, -1, -1]]
    assert found.objectives[1, 1:].tolist() == [optgap.NO_OBJECTIVE] * 2
    with pytest.raises(optgap.Error, match="cannot be ranked together"):
        runner.run([problems[0], small], [FLOOR, FLOOR], group=[0, 0], advantage="river")


def test_a_users_own_instances_and_their_baselines(runner):
    own = {"task": "tsp", "instances": [{"distances": [[0, 3, 4], [3, 0, 5], [4, 5, 0]]}], "language": "python",
           "baselines": [{"objective": 24, "bound": 12, "proven": False}]}  # fmt: skip
    found = runner.run([json.dumps(own)], [FLOOR])
    assert found.objectives.tolist() == [[12]] and found.baselines.objective.tolist() == [24]
    assert found.raw_ratio.tolist() == [2.0] and found.baseline_kind == ["bounded"]


def test_a_function_is_called_with_the_instance_s_fields(runner, problems):
    called = "```python\ndef solve(distances):\n    return [str(city) for city in range(len(distances))]\n```"
    found = runner.run([{**problems[0], "interface": "solve"}] * 2, [called, FLOOR])
    assert found.objectives[0].tolist() == runner.run(problems[:1], [FLOOR]).objectives[0].tolist()
    assert [found.code_names[row][0] for row in (0, 1)] == ["ok", "run_exit"]


def test_a_problem_is_read_once_and_shared_by_rows(runner, problems):
    read = runner.read(problems[0])
    assert read.key == problems[0]["key"] and read.instances == 3 and runner.read(read) is read
    found = runner.run([read], [FLOOR, GREEDY], problem_of=[0, 0])
    assert found.objectives[0].sum() > found.objectives[1].sum()


def test_calls_of_several_threads_share_the_runner(runner, problems):
    alone = runner.run(problems[:1] * 6, CASES).codes.tolist()
    found = [None] * 4

    def call(place):
        found[place] = runner.run(problems[:1] * 6, CASES).codes.tolist()

    threads = [threading.Thread(target=call, args=(place,)) for place in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert found == [alone] * 4


def test_what_is_wrong_is_said(engine, runner, problems):
    problem = problems[0]
    for wrong, field in [
        ({**problem, "key": "tsp@1:train:easy:4*0"}, "key"),
        ({**problem, "key": problem["key"].replace("#", "#0")[:-1]}, "key"),
        ({**problem, "language": "cobol"}, "language"),
        ({**problem, "limits": {"cpu_ms": 0}}, "limits"),
        ({**problem, "input": "xml"}, "input"),
        ({**problem, "interface": "main"}, "interface"),
        ({**problem, "interface": "solve", "input": "plain"}, "input"),
        ({**problem, "format": "boxed"}, "format"),
        ({**problem, "baselines": [None]}, "baselines"),
    ]:
        with pytest.raises(optgap.Error) as said:
            runner.run([wrong], [FLOOR])
        assert said.value.field == field, str(said.value)
    for arguments in ({"group": [1]}, {"finish": ["soon", "stop"]}, {"dedupe": "never"}, {"problem_of": [0]}):
        with pytest.raises(optgap.Error, match=next(iter(arguments))):
            runner.run([problem, problem], [FLOOR, FLOOR], **arguments)
    with pytest.raises(optgap.Error, match="expected one per completion"):
        runner.run([problem], [FLOOR, FLOOR])
    with pytest.raises(optgap.Error, match="isolation"):
        optgap.ProgramRunner(engine, isolation="none")


def test_a_runner_that_is_closed_ends_what_runs(engine, runner, problems):
    own = optgap.ProgramRunner(engine, slots=1, languages=["python"])
    endless = {**problems[0], "limits": {"cpu_ms": 60000}}
    found = []
    call = threading.Thread(target=lambda: found.append(own.run([endless], [FOREVER])))
    call.start()
    time.sleep(0.5)
    begun = time.monotonic()
    own.close()
    call.join()
    assert time.monotonic() - begun < 10
    assert found[0].masked.tolist() == [True] and np.isnan(found[0].reward[0])
    with pytest.raises(optgap.Error, match="closed"):
        own.run([endless], [FOREVER])


def test_a_fork_makes_its_own(engine, runner, problems):
    child = os.fork()
    if child == 0:
        try:
            runner.run(problems[:1], [FLOOR])
            os._exit(1)
        except optgap.Error as why:
            os._exit(0 if "forked" in str(why) else 2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert runner.run(problems[:1], [FLOOR]).codes.tolist() == [[0, 0, 0]]
