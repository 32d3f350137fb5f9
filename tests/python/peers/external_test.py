"""reasoning-gym's own data sets as external tasks, beside optgap's."""

import json
import pathlib
import re

import pytest
from reasoning_gym.factory import create_curriculum

import optgap
import optgap.rows.external as external
from optgap.rows.external.typed_json import decoded
from optgap.trainers.common.evaluation import evaluate

NAMES = ["spell_backward", "basic_arithmetic", "countdown", "sudoku", "maze", "number_sorting"]


@pytest.fixture(scope="module", autouse=True)
def configured():
    external.configure(trusted=True)
    yield
    external.configure()


def test_their_answers_earn_everything_in_a_batch_with_ours():
    rows = external.rows(
        [f"rg/{name}" for name in NAMES for _ in range(2)], ["d0", "d2"] * len(NAMES), range(2 * len(NAMES))
    )
    golds = [json.loads(row.ground_truth)["problem"]["answer"] for row in rows]
    texts = [f"<think>x</think><answer>{gold}</answer>" for gold in golds]
    found = evaluate(
        [*texts, "<think>x</think><answer>[0, 1]</answer>"], [*(row.ground_truth for row in rows), "tsp@1:train:easy:1"]
    )
    assert [row["acc"] for row in found.rows] == [1.0] * len(rows) + [0.0]
    assert {row["score"] for row in found.rows[:-1]} == {2.0}
    wrong = evaluate(["<think>x</think><answer>§</answer>"] * len(rows), [row.ground_truth for row in rows]).rows
    assert all(row["acc"] == 0 and row["quality"] < 0.2 for row in wrong)
    assert json.loads(rows[0].ground_truth)["key"].startswith("rg/spell_backward@0.1.25:train:d0:0#")


def test_dn_is_their_curriculums_level():
    row = external.rows("rg/number_sorting", ["d3"], [5])[0]
    curriculum = create_curriculum("number_sorting")
    curriculum.set_global_level(3)
    config = curriculum.generate_configuration({"seed": 0})
    told = decoded(json.loads(row.ground_truth)["problem"])["metadata"]["difficulty"]
    assert told["numbers"] == (config.min_numbers, config.max_numbers)


def test_unknown_data_sets_are_refused():
    with pytest.raises(optgap.Error, match="has no data set 'spell_forward'"):
        external.rows("rg/spell_forward", ["d0"], [1])


def test_the_pages_check_finds_what_the_page_says(run):
    page = (pathlib.Path(__file__).resolve().parents[3] / "docs/external.md").read_text(encoding="utf-8")
    (command,) = (block for block in re.findall(r"^```console\n(.*?)^```", page, re.M | re.S) if "rg/" in block)
    shown = run(command, code=1)
    assert "rg/chain_sum@0.1.25, 50 problems a level" in shown
    assert [line for line in shown.splitlines() if line.startswith("broken")] == [
        "broken: d0: guessability: the constant '-2' is right in 12%, expected 5%"
    ]
