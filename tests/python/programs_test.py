"""Problems of programs and rows of all kinds, from Python: the same rows as the program's own."""

import json

import pytest
from forking import in_child

import optgap

FLOOR = '```python\nimport json\nprint(*range(len(json.loads(input())["distances"])))\n```'
ANSWER = {"key": "tsp@1:train:easy:1", "completion": "<think>hm</think><answer>[0, 1]</answer>"}


def test_problems_are_those_of_the_program(run_native):
    made = optgap.problems(
        ["tsp", "knapsack"], level="medium", instances=3, count=2, seed=5, language="cpp", limits={"cpu_ms": 70}
    )
    options = "--level medium --candidate program --instances 3 --count 2 --seed 5 --language cpp --prompts".split()
    lines = run_native("generate", "tsp", "knapsack", *options, "--limits", '{"cpu_ms": 70}')
    assert made == [json.loads(line) for line in lines]
    assert [row["key"].partition("#")[0] for row in made[:2]] == ["tsp@1:train:medium:5*3", "tsp@1:train:medium:8*3"]


def test_nothing_runs_unless_asked():
    problem = optgap.problems("tsp", instances=2)[0]
    answer, program = optgap.score([ANSWER, {**problem, "completion": FLOOR}])
    assert answer["code"] == "wrong_length" and answer["reward"] == -0.5
    assert program["error"]["field"] == "isolation"


def test_programs_are_run_and_ranked_where_something_holds_them(run_native):
    problem = optgap.problems("tsp", instances=2)[0]
    rows = [{**problem, "completion": text} for text in (FLOOR, "none", FLOOR, FLOOR)]
    scored = optgap.score(rows, isolation="auto", advantage="river", matrix=True)
    if "error" in scored[0]:
        pytest.skip("SKIPPED: optgap sandbox finds no isolation level that holds programs")
    assert [row["code"] for row in scored] == ["ok", "program_missing", "ok", "ok"]
    assert scored[1]["advantage"] == -1 and scored[0]["scores"] == scored[0]["objectives"]


def test_a_forked_child_destroys_its_parents_scorer_and_leaves_the_sandbox_to_it():
    scorer = optgap.Scorer(optgap.Engine("cpu", threads=1), isolation="auto")
    problem = optgap.problems("tsp", instances=2)[0]
    row = {**problem, "completion": FLOOR}
    if "error" in scorer.score([row])[0]:
        pytest.skip("SKIPPED: optgap sandbox finds no isolation level that holds programs")
    assert in_child(lambda: scorer.score([ANSWER])[0]["code"]) == "wrong_length"
    assert scorer.score([row, {**row, "completion": FLOOR + " "}])[1]["code"] == "ok"


def test_wrong_arguments_are_said():
    with pytest.raises(optgap.Error, match="--style 7"):
        optgap.problems("tsp", style=7)
    with pytest.raises(optgap.Error, match="advantage"):
        optgap.score([ANSWER], advantage="ppo")
