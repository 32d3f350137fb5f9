"""RLVE's interface, by a stand-in with its names (tests/python/rlve_stand_in)."""

import json
import pathlib

import pytest

import optgap
import optgap.external as external
from optgap.trainers.common.evaluation import evaluate


@pytest.fixture(autouse=True)
def stand_in(monkeypatch):
    monkeypatch.syspath_prepend(str(pathlib.Path(__file__).resolve().parents[1] / "rlve_stand_in"))
    monkeypatch.setenv("OPTGAP_RLVE_VERSION", "73cccd9")
    external.configure(trusted=True)
    yield
    external.configure()


def test_controllers_give_the_level_and_the_scorer_gives_the_reward():
    rows = external.rows("rlve/Addition", ["d0", "d3"], [1, 1])
    easy, hard = (json.loads(row.ground_truth) for row in rows)
    assert hard["key"].startswith("rlve/Addition@73cccd9:train:d3:1#")
    assert [one["problem"]["parameter"]["digits"] for one in (easy, hard)] == [1, 4]
    assert rows[1].prompt.startswith(f"{hard['problem']['parameter']['a']} + ")
    gold = hard["problem"]["parameter"]["reference_answer"]
    texts = [f"<think>x</think><answer>{text}</answer>" for text in (gold, 2 * gold, "many", -3)]
    found = evaluate(texts, [rows[1].ground_truth] * 4, reward="forge").rows
    assert [row["quality"] for row in found] == pytest.approx([1, 0.5**5, 0, 0])
    assert [row["acc"] for row in found] == [1, 0, 0, 0] and [row["feasible"] for row in found] == [1, 1, 0, 0]


def test_what_it_does_not_make_is_said():
    with pytest.raises(optgap.Error, match="RLVE made no problem from seed"):
        external.rows("rlve/Addition", ["d9"], [1])
    with pytest.raises(optgap.Error, match="RLVE has no environment 'Subtraction'"):
        external.rows("rlve/Subtraction", ["d0"], [1])
