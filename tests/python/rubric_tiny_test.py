"""The tiny decoder under gated and ungated rewards: what docs/rubric_tiny.md says of it, and that it learns as the page describes."""

import os
import pathlib
import re
import xml.etree.ElementTree as tree

import numpy as np
import pytest

from optgap.examples import rubric_decoder, rubric_facts, rubric_tiny
from optgap.examples.rubric_curves import draw

PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs/rubric_tiny.md"
LONG = os.environ.get("OPTGAP_LONG") == "1"


def said(heading):
    """The table's rows under a heading of the page."""
    part = PAGE.read_text(encoding="utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in re.findall(r"^\|.*\|$", part, re.M)[2:]]


@pytest.fixture(scope="module")
def runs():
    """The whole of it in the long form; else a sixth of one seed, under two presets."""
    if LONG:
        return rubric_tiny.all_runs(5, 300)
    return rubric_tiny.all_runs(1, 60, arms=("paper", "ours"))


def test_without_gates_it_copies_and_with_gates_it_writes_sentences(runs):
    paper, ours = (
        {name: rubric_tiny.mean(runs, arm, name) for name in rubric_tiny.MEASURES} for arm in ("paper", "ours")
    )
    assert min(paper["reward"], ours["reward"]) > 0.9
    assert paper["held_back"] > 0.8 and ours["held_back"] < 0.1
    assert paper["true"] < 0.5 and ours["true"] > paper["true"] + 0.1
    ends = {run.arm: run.sample for run in runs}
    assert ends["paper"].startswith("Report on three") and not ends["ours"].startswith("Report")


@pytest.mark.skipif(not LONG, reason="OPTGAP_LONG=1: five seeds of 300 steps take four minutes")
def test_the_ends_are_the_page_s(runs):
    rows = {row[0].strip("`"): row[1:] for row in said("What came of it")}
    assert list(rows) == list(rubric_tiny.ARMS)
    for arm, cells in rows.items():
        found = [rubric_tiny.mean(runs, arm, name) for name in rubric_tiny.MEASURES]
        # Another libm's exp may turn a draw over.
        assert np.allclose([float(cell.partition(" ")[0]) for cell in cells], found, atol=0.05, rtol=0.05), arm
    text = PAGE.read_text(encoding="utf-8").partition("## What came of it")[2]
    for claim, holds, each in rubric_tiny.by_seed(runs):
        verdict = "holds" if holds else "does not hold"
        assert re.search(rf"\*\*Claim {claim[0]} {verdict}.*?\*\*[^*]*{sum(each)} of 5", text), claim


def test_every_claim_of_the_page_is_measured():
    listed = re.findall(
        r"^(\d)\. \*(.+?)\*", PAGE.read_text(encoding="utf-8").partition("## Claims")[2].partition("\n## ")[0], re.M
    )
    made = [rubric_tiny.Run(arm, 1, [0], {name: [0.0] for name in rubric_tiny.MEASURES}) for arm in rubric_tiny.ARMS]
    assert [number for number, _ in listed] == [claim[0] for claim, _ in rubric_tiny.claims(made)] == list("12345")
    assert not any(holds for _, holds in rubric_tiny.claims(made))


def test_the_gradient_is_the_slow_one_s():
    decoder = rubric_decoder.Decoder(3)
    states, taken = rubric_decoder.walk(rubric_facts.drafts(1, 4)[0])
    weight = np.random.default_rng(5).normal(size=len(taken))

    def value():
        return float((weight * np.log(decoder.chances(states)[np.arange(len(taken)), taken])).sum())

    for part, found in zip(decoder.parts, decoder.gradient(states, taken, weight), strict=True):
        for place in list(zip(*np.nonzero(np.abs(found) > 1e-3)))[::97]:
            kept = part[place]
            part[place] = kept + 1e-5
            above = value()
            part[place] = kept - 1e-5
            slow, part[place] = (above - value()) / 2e-5, kept
            assert found[place] == pytest.approx(slow, rel=1e-4, abs=1e-6)


def test_states_while_sampling_are_those_of_the_text():
    rolled = rubric_decoder.Decoder(1).sample(5, np.random.default_rng(2))
    for number, row in enumerate(rolled.rows):
        states, taken = rubric_decoder.walk(row)
        assert (rolled.states[rolled.text == number] == states).all() and (
            rolled.taken[rolled.text == number] == taken
        ).all()
        assert rolled.ended[number] == (row[-1] == rubric_facts.END)


def test_references_earn_everything_and_the_prompt_has_every_keyword():
    asked = rubric_facts.problems(20, 9)
    assert not {problem.prompt for problem in asked} & {problem.prompt for problem in rubric_facts.problems(20, 10)}
    for verbs in (False, True):
        told = [problem.told(rubric_facts.TRAINED[0]) for problem in asked]
        for arm in rubric_tiny.ARMS:
            found = rubric_facts.compiled(asked, arm, verbs).score(told)
            assert (found.total == rubric_tiny.TOP.get(arm, 1.0)).all(), arm
    assert (rubric_facts.readers(asked).score(told).total == 1).all()
    prompts = [problem.prompt for problem in asked]
    assert (rubric_facts.compiled(asked, "paper").score(prompts).total == 1).all()
    assert (rubric_facts.compiled(asked, "ours").score(prompts).total == 0).all()


def test_a_row_of_tokens_says_what_its_pointers_stand_for():
    (problem,) = rubric_facts.problems(1, 1)
    first = problem.facts[0]
    assert rubric_facts.text(problem, ["the", "thing0", "of", "place0", "verb0", "good0", ".", "<end>"]) == (
        f"the {first['thing']} of {first['place']} {first['verb']} {first['good']}.")  # fmt: skip
    words = problem.prompt.split()
    assert (
        rubric_facts.text(problem, ["<copy>", "<copy>", ".", "<copy>", "<end>"]) == f"{words[0]} {words[1]}. {words[2]}"
    )
    assert rubric_facts.text(problem, ["<end>"]) == ""


def test_the_picture_has_a_line_for_each_arm_and_measure(tmp_path):
    curves = {
        arm: {name: [[0.0, 0.5, 1.0], [0.2, 0.5, 0.8]] for name in rubric_tiny.MEASURES} for arm in rubric_tiny.ARMS
    }
    (tmp_path / "made.svg").write_text(draw(curves, [0, 5, 10], 30.0), encoding="utf-8")
    for path in (tmp_path / "made.svg", PAGE.with_suffix(".svg")):
        lines = [part for part in tree.parse(path).getroot().iter() if part.tag.endswith("polyline")]
        assert len(lines) == 3 * len(rubric_tiny.ARMS)
        areas = [part for part in tree.parse(path).getroot().iter() if part.tag.endswith("polygon")]
        assert len(areas) == len(lines)
    for wrong in (["--seeds", "0"], ["--steps", "15"], ["--verbs", "--out", "x.svg"]):
        with pytest.raises(SystemExit):
            rubric_tiny.main(wrong)
