"""A proposer and a solver in one tiny decoder: the parts of the example, its short form, and what the page says of it."""

import pathlib
import random
import re

import pytest

import optgap
from optgap.examples import coevolve_tiny as example
from optgap.examples.tiny_problem import table

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "coevolution.md"
PART = PAGE.read_text(encoding="utf-8").partition("## A proposer and a solver")[2].partition("\n## ")[0]


def test_a_text_of_twenty_digits_poses_the_table_that_a_solver_reads():
    text = example.random_text(random.Random(1))
    posed = example.instance_of(text)
    assert table(optgap.Engine("cpu").from_json("tsp", [posed]).json[0]).split() == [
        text[at : at + 2] for at in range(0, 20, 2)
    ]
    for wrong in (text[:-1], text + "1", "09" + text[2:], "x" * 20, "", "１" * 20):
        assert example.instance_of(wrong) is None
    assert example.as_question("x") == "<question>x</question>"


def test_a_step_moves_only_what_has_a_weight():
    player = example.Player(1)
    before = [one.clone() for one in player.model.parameters()]
    prompts, texts = [example.PROPOSER_PROMPT] * 2, [example.random_text(random.Random(row)) for row in range(2)]
    player.learn(prompts, texts, [0.0, 0.0])
    assert all((one == was).all() for one, was in zip(player.model.parameters(), before))
    player.learn(prompts, texts, [1.0, 0.0])
    assert any((one != was).any() for one, was in zip(player.model.parameters(), before))


def test_the_short_form_runs_all_arms_over_equal_rollouts(capsys):
    scale = example.Scale(supervised=10, rollouts=300, points=2, val=4)
    start = example.supervised(1, scale.supervised)
    runs = [example.run_arm(name, 1, scale, start) for name in example.ARMS]
    assert {run.seed for run in runs} == {1}
    for run in runs:
        assert [len(run.measures[name]) for name in example.MEASURES] == [len(run.rollouts)] * len(example.MEASURES)
        assert 300 <= run.rollouts[-1] < 300 + 136
    assert runs[1].end("valid") == 1.0 and runs[1].end("novelty") > 0
    assert "unguarded" in example.lines(runs)
    assert [claim[0] for claim, _ in example.claims(runs)] == list("1234")


def made(seed, **ends):
    """Runs of a seed whose arms end so: measures beside those of all arms."""
    everywhere = {"valid": 0.9, "distinct": 1.0, "signal": 0.1, "novelty": 0.1, "val": 0.4}
    return [
        example.Run(arm, seed, [0, 10, 20],
                    {name: [0.2, 0.3, ends.get(arm, {}).get(name, value)] for name, value in everywhere.items()})
        for arm in example.ARMS
    ]  # fmt: skip


def test_a_number_of_rollouts_without_effect_is_refused():
    for wrong in (["--rollouts", "10"], ["--quick", "--rollouts", "3000"]):
        with pytest.raises(SystemExit):
            example.main(wrong)


def test_claims_are_of_means_and_counted_by_seed(tmp_path):
    good = {"valid": 0.97, "signal": 0.3, "val": 0.4}
    runs = [*made(1, proof=good), *made(2, proof={**good, "val": 0.3}), *made(3, unguarded={"signal": 0.01})]
    told = {claim[0]: (holds, each) for claim, holds, each in example.by_seed(runs)}
    assert told["1"] == (False, [True, True, False]) and told["2"] == (True, [True, True, False])
    assert told["3"] == (False, [True, False, True]) and told["4"] == (True, [True, True, True])
    assert dict(example.differences(runs))["val: proof above scale"] == pytest.approx([0.0, -0.1, 0.0])
    assert "0.947 ± 0.100" in example.lines(runs)
    example.picture(runs, tmp_path / "all.png")
    assert (tmp_path / "all.png").stat().st_size > 10_000


def test_the_page_lists_every_claim_and_says_which_hold():
    assert re.findall(r"^(\d)\. \*", PART, re.M) == list("1234")
    assert re.findall(r"\*\*Claim (\d) (?:holds|does not hold)", PART) == list("1234")


@pytest.mark.parametrize("name", example.MEASURES)
def test_the_page_has_every_measure(name):
    assert f"| {name} |" in PART or f" {name} |" in PART
