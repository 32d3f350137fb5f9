"""Rows of three roles: what a step hands out and rewards, read ahead and late, with the pool behind it."""

import json
import random

import pytest

import optgap
from optgap.trainers.common.role_rows import RoleRows, measures

GROUP = 3


@pytest.fixture
def roles(engine, tmp_path):
    return optgap.Roles(engine, optgap.Pool(tmp_path / "pool.db", seed=7), tasks=["tsp"], level="d3")


def proposal(draw):
    rows = [[0] * 5 for _ in range(5)]
    for a in range(5):
        for b in range(a):
            rows[a][b] = rows[b][a] = draw.randrange(10, 100)
    return f"<question>{json.dumps({'task': 'tsp', 'instance': {'distances': rows}})}</question>"


def tour(draw):
    return f"<think>so</think><answer>{[0, *draw.sample(range(1, 5), 4)]}</answer>"


def answered(batch, draw):
    """A text for every ticket of a batch."""
    said = {"proposer": proposal, "solver": tour, "judge": lambda own: f"<score>{own.randrange(1, 11)}</score>"}
    return {ticket: said[row["role"]](draw) for row in batch for ticket in row["tickets"]}


def test_a_batch_has_its_shares_and_judges_see_the_one_before(roles):
    draw, asked = random.Random(1), []

    def solve(prompts):
        asked.extend(prompts)
        return [tour(draw) for _ in prompts]

    rows = RoleRows(roles, prompts=8, group=GROUP, proposals=2, judges=2)
    first = rows.rows()
    assert [row["role"] for row in first] == ["proposer"] * 2 + ["solver"] * 6
    assert all(len(row["tickets"]) == GROUP for row in first)
    assert {row["data_source"] for row in first} == {"optgap_roles/proposer/tsp", "optgap_roles/solver/tsp"}
    entries = len(roles.pool)
    rewarded = rows.reward_rows(answered(first, draw), solve)
    sound = [row for row in rewarded.values() if row.role == "proposer" and row.code == "ok"]
    assert sound and len(asked) == GROUP * len(sound) and len(roles.pool) == entries + len(sound)
    assert all(row.components["novelty"] > 0 for row in sound) and roles.pool.steps == 2
    assert {ticket for row in first for ticket in row["tickets"]} <= set(rewarded) and rows.pending == []
    second = rows.rows()
    assert [row["role"] for row in second] == ["judge"] * 2 + ["proposer"] * 2 + ["solver"] * 4
    rewarded = rows.reward_rows(answered(second, draw), solve)
    judges = [row for row in rewarded.values() if row.role == "judge"]
    assert len(judges) == 2 * GROUP and all(row.reward == row.reward for row in judges)
    shown = measures(list(rewarded.values()))
    assert shown["optgap_roles/judge/readable"] == 1 and 0 < shown["optgap_roles/proposer/sound"] <= 1


def test_a_batch_that_is_read_ahead_draws_other_problems_and_a_late_row_is_rewarded_later(roles):
    rows = RoleRows(roles, prompts=4, group=GROUP, proposals=0)
    first, second = rows.rows(), rows.rows()
    assert {row["prompt"] for row in first} != {row["prompt"] for row in second}
    assert rows.pending == first + second
    draw = random.Random(2)
    texts = answered(first, draw)
    kept = first[0]["tickets"][0]
    late = {kept: texts.pop(kept)}
    rewarded = rows.reward_rows(texts)
    assert len(rewarded) == 3 * GROUP and rows.pending == first[:1] + second
    rewarded = rows.reward_rows({**answered(second, draw), **late})
    assert len(rewarded) == 5 * GROUP and set(first[0]["tickets"]) <= set(rewarded) and rows.pending == []


def test_what_cannot_be_is_refused(roles):
    for options, field in (({"prompts": 2, "proposals": 2, "judges": 1}, "prompts"), ({"group": 1}, "group")):
        with pytest.raises(optgap.Error, match=field):
            RoleRows(roles, **{"prompts": 4, "group": 2, "proposals": 1, **options})
    rows = RoleRows(roles, prompts=2, group=GROUP, proposals=2)
    batch = rows.rows()
    with pytest.raises(optgap.Error, match="solve: is None"):
        rows.reward_rows(answered(batch, random.Random(1)))
