"""Roles on several ranks, quotas, repeated questions and judges of questions."""

import itertools
import json
import math
import random
import re

import pytest
import roles_twin as twin
from roles_cases import answered, made, posed, run

from optgap import Error, Pool, Roles
from optgap.trainers.roles import cluster_questions

UNIT = twin.UNIT


def by_text(rows):
    return {row.completion: row for row in rows if row.role == "proposer" and row.code == "ok"}


def proposed(roles, texts):
    """A step in which these are proposed."""
    step = roles.issue(proposals=len(texts), solves=0, group=2)
    step.submit(texts)
    return step


def sound_texts(engine, folder, count):
    """Proposals that pass the gates, each another problem."""
    draw = random.Random(11)
    roles = made(engine, folder)
    found = by_text(run(proposed(roles, [posed(draw) for _ in range(3 * count)]), draw))
    assert len(found) >= count
    return list(found)[:count]


def test_novelty_counts_what_all_ranks_posed_in_any_order(engine, tmp_path):
    for name in ("texts", "whole"):
        (tmp_path / name).mkdir()
    texts = sound_texts(engine, tmp_path / "texts", 12)
    steps = [texts[:6], texts[6:]]
    whole = made(engine, tmp_path / "whole")
    alone = [by_text(run(proposed(whole, texts), random.Random(1))) for texts in steps]
    novel = [{text: row.components["novelty"] for text, row in rows.items()} for rows in alone]
    assert len({value for values in novel for value in values.values()}) > 1, "all alike: nothing is compared"
    for order, cut in itertools.product(itertools.permutations(range(3)), ((1, 3), (0, 5))):
        ranks = []
        for rank in range(3):
            (folder := tmp_path / f"{order}{cut}{rank}").mkdir()
            ranks.append(made(engine, folder))
        for texts, wanted in zip(steps, novel):
            parts = [texts[: cut[0]], texts[cut[0] : cut[1]], texts[cut[1] :]]
            begun = [proposed(roles, part) for roles, part in zip(ranks, parts)]
            deltas = [roles.delta(rank) for rank, roles in enumerate(ranks)]
            found = {}
            for roles, step in zip(ranks, begun):
                assert [roles.merge(deltas[of]) for of in (*order, order[0])] == [True] * 3 + [False]
                found |= {text: row.components["novelty"] for text, row in by_text(run(step, random.Random(1))).items()}
            assert found == wanted
        assert [roles.state["cells"] for roles in ranks] == [whole.state["cells"]] * 3


def test_a_problem_that_ranks_pose_alike_is_shared_and_makes_one_entry(engine, tmp_path):
    for name in ("texts", "a", "b"):
        (tmp_path / name).mkdir()
    (text,) = sound_texts(engine, tmp_path / "texts", 1)
    ranks = [made(engine, tmp_path / name) for name in ("a", "b")]
    begun = [proposed(roles, [text]) for roles in ranks]
    deltas = [roles.delta(rank) for rank, roles in enumerate(ranks)]
    for roles, step in zip(ranks, begun):
        for delta in deltas:
            roles.merge(delta)
        assert by_text(run(step, random.Random(1)))[text].components["novelty"] == 0.5
        assert list(roles.state["cells"].values()) == [1]


def test_deltas_of_another_step_or_with_other_content_are_refused(engine, tmp_path):
    roles = made(engine, tmp_path)
    draw = random.Random(2)
    step = roles.issue(proposals=2, solves=0, group=1)
    first, second = (asked.ticket for asked in step.prompts)
    step.submit({first: posed(draw)})
    mine = roles.delta(3)
    assert roles.delta(3) == mine
    other = json.dumps({**json.loads(mine), "rank": 0, "forms": {"tsp@1:c:0": [7, 1]}})
    changed = json.dumps({**json.loads(other), "forms": {"tsp@1:c:0": [7, 2]}})
    late = json.dumps({**json.loads(mine), "step": 9})
    with pytest.raises(Error, match="is 2, and was 3"):
        roles.delta(2)
    with pytest.raises(Error, match="before this proposal"):
        step.submit({second: posed(draw)})
    assert roles.merge(other)
    for delta, words in (
        (changed, "twice with different"),
        (late, "of step 9"),
        ("{}", "cannot be read"),
        ("[]", "cannot be read"),
    ):
        with pytest.raises(Error, match=words):
            roles.merge(delta)
    with pytest.raises(Error, match="of this rank"):
        step.collect()


def test_a_task_has_a_quota_of_each_step(engine, tmp_path):
    (tmp_path / "texts").mkdir()
    texts = sound_texts(engine, tmp_path / "texts", 6)
    roles = made(engine, tmp_path, limits={"quota": 2})
    draw = random.Random(3)
    for part in (texts[:3], texts[3:]):
        rows = [row for row in run(proposed(roles, part), draw) if row.role == "proposer"]
        assert [row.code for row in rows] == ["ok", "ok", "over_quota"]
        assert rows[2].reward == 0
    with pytest.raises(Error, match="quota"):
        Roles(engine, Pool(tmp_path / "other.db"), tasks=["tsp"], level="d3", limits={"quota": 0})


def test_repeated_questions_are_clustered_for_r_zero(engine, tmp_path):
    (tmp_path / "texts").mkdir()
    one, other = sound_texts(engine, tmp_path / "texts", 2)
    again = one.replace("0, ", "0 , ")  # the same words, and a duplicate
    roles = made(engine, tmp_path, proposer="r_zero")
    rows = [
        row for row in run(proposed(roles, [one, again, other, "none"]), random.Random(3)) if row.role == "proposer"
    ]
    assert [row.code for row in rows] == ["ok", "duplicate", "ok", "format_missing_answer"]
    words = [
        " ".join(re.findall(r"-?[0-9]+|\w+", re.search("<question>(.*)</question>", text)[1]))
        for text in (one, again, other)
    ]
    found = twin.clusters(words, 0.5)
    assert cluster_questions(words).tolist() == found and found[0] == found[1]
    sizes = [found.count(cluster) / 4 for cluster in found]
    assert [row.components["cluster"] for row in rows] == [*sizes, 0]
    assert rows[1].reward == pytest.approx(-sizes[1], abs=2e-6)
    assert rows[3].reward == -1


def judging(step, draw, scores):
    """Answers a step; judges of questions say `scores`, None what cannot be read."""
    while step.prompts:
        texts = answered(step, draw)
        for place, asked in enumerate(step.prompts):
            if "not to be solved" in asked.prompt:
                score = next(scores)
                texts[place] = "none" if score is None else f"<score>{score}</score>"
        step.submit(texts)
    return step.collect()


@pytest.mark.parametrize("preset", ["mae_paper", "mae_repo"])
def test_judges_of_questions_say_the_quality_that_mae_rewards(engine, tmp_path, preset):
    (tmp_path / "texts").mkdir()
    first, second = sound_texts(engine, tmp_path / "texts", 2)
    roles = made(engine, tmp_path, proposer=preset)
    step = roles.issue(proposals=4, solves=0, group=4, questions=2)
    step.submit([first, first, second, "<question>{</question>"])
    asked = [one for one in step.prompts if one.role == "judge"]
    assert len(asked) == 6 and all("Problem:\n" in one.prompt for one in asked), "of what can be read, duplicates too"
    rows = judging(step, random.Random(5), iter([10, 9, 2, None, None, None]))
    rewarded = [row for row in rows if row.role == "proposer"]
    qualities = [row.components.get("quality") for row in rewarded]
    assert qualities[0] == pytest.approx(17 / 18, abs=1e-6)
    assert qualities[1] == pytest.approx(1 / 9, abs=1e-6)
    assert math.isnan(qualities[2]) and qualities[3] is None
    assert [row.components["truth"] for row in rows if row.role == "judge"] == [1, 1, 0, 0, 1, 1]
    assert roles.report.rows == 6 and roles.report.unreadable == 3
    for row, quality in zip(rewarded, (round(17 / 18 * UNIT), round(UNIT / 9), -1, -1)):
        x = [
            round(max(0.0, own.components["normalized"]) * UNIT)
            for own in rows
            if own.role == "solver" and own.group == group_of(rows, row)
        ]
        columns = {"code": {"ok": 0, "duplicate": 10007, "not_json": 10000}[row.code], "rows": len(x), "sum": sum(x), "quality": quality,
                   "form": UNIT, "sum_sq": sum(one * one for one in x), "kind": 2, "before": 0, "equal": 1, "greedy_gap": 0,
                   "reference_gap": UNIT, "prompt": 0, "prompt_target": 0, "prompt_limit": 1, "feasible": 0, "solved": 0}  # fmt: skip
        assert row.reward == pytest.approx(twin.proposer(preset, columns)[0] / UNIT, abs=1e-6)


def test_a_judgement_that_nobody_gives_is_not_waited_for(engine, tmp_path):
    (tmp_path / "texts").mkdir()
    (text,) = sound_texts(engine, tmp_path / "texts", 1)
    roles = made(engine, tmp_path, proposer="mae_paper")
    step = roles.issue(proposals=1, solves=0, group=2, questions=2)
    step.submit([text])
    step.cancel([next(one.ticket for one in step.prompts if one.role == "judge")])
    rows = judging(step, random.Random(5), iter([10]))
    assert [row.components["quality"] for row in rows if row.role == "proposer"] == [1]
    assert [row.role for row in rows].count("judge") == 1


def group_of(rows, proposal):
    """The number of the group that solved what it posed: groups begin in the order of sound proposals."""
    sound = [row.ticket for row in rows if row.role == "proposer" and row.code == "ok"]
    groups = sorted({row.group for row in rows if row.role == "solver"})
    return groups[sound.index(proposal.ticket)] if proposal.code == "ok" else None


def test_a_proposal_waits_for_its_judges(engine, tmp_path):
    (tmp_path / "texts").mkdir()
    (text,) = sound_texts(engine, tmp_path / "texts", 1)
    roles = made(engine, tmp_path, proposer="mae_paper")
    step = roles.issue(proposals=1, solves=0, group=2, questions=2)
    step.submit([text])
    texts = answered(step, random.Random(1))
    judges = [place for place, asked in enumerate(step.prompts) if asked.role == "judge"]
    texts[judges[1]] = None
    texts[judges[0]] = "<score>10</score>"
    step.submit(texts)
    assert [row.role for row in step.collect()] == ["solver", "solver", "judge"]
    later = roles.issue(proposals=0, solves=0)
    later.submit(["<score>1</score>"])
    rows = later.collect()
    assert [row.role for row in rows] == ["proposer", "judge"]
    assert rows[0].components["quality"] == pytest.approx(0.5, abs=1e-6)
