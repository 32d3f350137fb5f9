"""Curriculum: shares that move, and styles that a row's key draws; dataset and keys draw the same."""

import json

import numpy as np
import pytest

import optgap
from optgap.core.keys import tasks
from optgap.data import dataset

MOVES = {"policy": "static", "level": "easy", "mixing": {"by": "informative", "floor": 100}}


def saw(plan, task, groups, correct):
    rows = 4 * groups
    plan.observe_rows([task] * rows, ["easy"] * rows, np.repeat(np.arange(groups), 4),
                      [at % 4 < correct for at in range(rows)], np.ones(rows))  # fmt: skip


def test_shares_follow_what_groups_teach_and_ranks_agree():
    names = ["tsp", "knapsack", "rg/spell_backward"]
    plan = optgap.Curriculum(MOVES, names, seed=3)
    assert plan.shares == pytest.approx(dict.fromkeys(names, 1 / 3))
    ranks = [optgap.Curriculum(MOVES, names, seed=3) for _ in range(2)]
    saw(ranks[0], "tsp", 31, 2)
    saw(ranks[1], "knapsack", 31, 4)
    deltas = [rank.delta(number) for number, rank in enumerate(ranks)]
    for held in (plan, *ranks):
        for delta in deltas:
            held.merge(delta)
        held.step()
    assert plan.state_dict() == ranks[0].state_dict() == ranks[1].state_dict()
    # A tenth of a third each; the rest by 1 : 1/32 : 1, the last of which nothing is known.
    rest = 0.9 / (2 + 1 / 32)
    wanted = {"tsp": 1 / 30 + rest, "knapsack": 1 / 30 + rest / 32, "rg/spell_backward": 1 / 30 + rest}
    assert plan.shares == pytest.approx(wanted, abs=1e-6)
    drawn = plan.draws(4000).task
    assert {name: drawn.count(name) / 4000 for name in names} == pytest.approx(wanted, abs=0.03)
    other = optgap.Curriculum(MOVES, names, seed=3)
    other.load_state_dict(plan.state_dict())
    assert other.shares == plan.shares and other.state_dict() == plan.state_dict()


def test_groups_take_words_of_this_builds_tasks_and_patterns_of_others():
    chosen = [task for task in tasks() if task.family == "cells"][:2]
    names = [task.name for task in chosen] + ["tsp", "rg/a", "rg/b"]
    groups = [{"tasks": "family:cells", "share": 500}, {"tasks": ["rg/*"], "share": 200}]
    shares = optgap.Curriculum({"policy": "mixed", "mixing": {"groups": groups}}, names).shares
    assert list(shares.values()) == pytest.approx([0.25, 0.25, 0.3, 0.1, 0.1])
    with pytest.raises(optgap.Error, match=r"groups\[0\].tasks: 'family:cells' names none"):
        optgap.Curriculum({"policy": "mixed", "mixing": {"groups": groups}}, ["tsp", "rg/a"])
    with pytest.raises(optgap.Error, match="curriculum.mixing.floor is not read where by is uniform"):
        optgap.Curriculum({"policy": "mixed", "mixing": {"floor": 100, "groups": groups}}, names)


def test_a_drawn_style_is_of_the_key_and_never_the_one_kept_for_evaluation(engine):
    plan = optgap.Curriculum("static", ["tsp", "knapsack"], seed=5)
    made = plan.instances(engine, 96, style="drawn")
    styles = {task.name: task.styles for task in engine.tasks}
    seen = set()
    for key, style in zip(made.keys, made.style.tolist()):
        named = optgap.Key.parse(key)
        assert named.style == style < styles[named.task] - 1
        alone = engine.generate(named.task, named.level, 1, named.seed, style="drawn")
        assert alone.keys == [key]
        seen.add((named.task, style))
    assert len(seen) == styles["tsp"] + styles["knapsack"] - 2
    plain = plan.instances(engine, 96)
    assert made.hashes == plain.hashes and set(plain.style.tolist()) == {0}
    with pytest.raises(optgap.Error, match="style: 'any' is no prompt style"):
        plan.instances(engine, 1, style="any")


def test_a_data_set_draws_the_same_styles(engine, tmp_path):
    out = tmp_path / "train.jsonl"
    dataset.export(str(out), "trl", ["tsp"], "easy", 40, style="drawn", engine=engine)
    keys = [json.loads(json.loads(line)["ground_truth"])["key"] for line in out.read_text().splitlines()]
    for key in keys:
        assert engine.generate("tsp", "easy", 1, optgap.Key.parse(key).seed, style="drawn").keys == [key]
    assert len({optgap.Key.parse(key).style for key in keys}) > 1
