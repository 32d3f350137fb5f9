"""A curriculum's rows: what was drawn ahead survives a restart, ranks agree, and what cannot be right is refused."""

import json

import pytest

import optgap
from optgap.trainers.common.evaluation import NOT_EVALUATED, evaluate
from optgap.trainers.common.stream import CurriculumRows, key_of

TASKS = ["tsp", "knapsack"]
POLICY = {"policy": "adaptive", "rollouts": 4, "up": 0.2, "z": 1.0}
BATCH = 6


def made(seed=7, **options):
    return CurriculumRows(POLICY, TASKS, seed, **options)


def keys(rows):
    return [key_of(row["ground_truth"]) for row in rows]


def answered(rows, batch):
    """Ground truths and verdicts of four rollouts a problem, of which the key says how many are right."""
    truths = [row["ground_truth"] for row in batch for _ in range(4)]
    verdicts = [{"feasible": 1.0, "quality": float(place % 4 < sum(map(ord, truth)) % 5), "truncated": 0, "code": 0,
                 "data_source": row["data_source"]}
                for place, (truth, row) in enumerate(zip(truths, (row for row in batch for _ in range(4))))]  # fmt: skip
    return truths, verdicts


def step(rows, batch):
    truths, verdicts = answered(rows, batch)
    assert rows.observe(truths, verdicts, truths) == len(truths)
    rows.merge(rows.delta())
    rows.step()


def trained(rows, steps, ahead):
    """Keys of `steps` steps of a trainer that has `ahead` batches in hand beside the one it trains on."""
    read = [rows.rows(BATCH) for _ in range(ahead)]
    drawn = [key for batch in read for key in keys(batch)]
    for _ in range(steps):
        read.append(rows.rows(BATCH))
        drawn += keys(read[-1])
        step(rows, read.pop(0))
    return drawn


@pytest.mark.parametrize("ahead", [0, 1, 3])
def test_a_resumed_run_is_the_undisturbed_one(ahead):
    whole, first, second = made(), made(), made()
    drawn = trained(whole, 9, ahead)
    before = trained(first, 4, ahead)
    second.load_state_dict(first.state_dict())
    assert second.state_dict() == first.state_dict()
    after = trained(second, 5, ahead)
    assert drawn[: len(before)] == before and drawn[4 * BATCH :] == after
    assert second.state_dict() == whole.state_dict() and len(set(drawn)) == len(drawn)
    assert any(task["low"] for task in whole.plan.state["tasks"]), "no level moved, so nothing was tested"


def test_a_state_without_what_was_drawn_ahead_gives_other_problems():
    whole, first, second = made(), made(), made()
    drawn = trained(whole, 5, 1)
    trained(first, 4, 1)
    state = json.loads(first.state_dict())
    state["pending"] = []
    second.load_state_dict(json.dumps(state))
    assert trained(second, 1, 1) != drawn[4 * BATCH :]


def test_ranks_that_observe_parts_agree_with_one_that_observes_all():
    alone, ranks = made(), [made() for _ in range(3)]
    for _ in range(4):
        batch = alone.rows(BATCH)
        assert all(rank.rows(BATCH) == batch for rank in ranks)
        step(alone, batch)
        truths, verdicts = answered(alone, batch)
        for place, rank in enumerate(ranks):
            part = slice(place * 8, place * 8 + 8)
            rank.observe(truths[part], verdicts[part], truths[part])
        deltas = [rank.delta(place) for place, rank in enumerate(ranks)]
        for rank in ranks:
            for delta in reversed(deltas):
                assert rank.merge(delta)
            rank.step()
    states = [json.loads(rows.state_dict()) for rows in (alone, *ranks)]
    assert all(state == states[0] for state in states) and states[0]["pending"] == []


def test_rows_of_others_move_nothing():
    rows = made()
    batch = rows.rows(2)
    truths, verdicts = answered(rows, batch)
    step(rows, batch)
    before = rows.state_dict()
    assert rows.observe(truths, verdicts, truths) == 0  # merged already
    assert rows.observe(["tsp@1:train:d0:5"], verdicts[:1], ["a"]) == 0
    assert rows.observe(["nonsense"], verdicts[:1], ["a"]) == 0 and not rows.has_outcomes
    assert rows.state_dict() == before


def test_an_unreadable_row_is_done_with_and_counts_nothing():
    rows = made()
    (row,) = rows.rows(1)
    assert rows.observe([row["ground_truth"]], [{"code": NOT_EVALUATED, "truncated": 0}], [0]) == 0
    rows.merge(rows.delta())
    assert rows.pending == [] and rows.plan.state["totals"] == []


def test_what_the_evaluation_says_is_what_is_counted():
    rows = made()
    batch = rows.rows(3)
    truths = [row["ground_truth"] for row in batch]
    optimal = [json.dumps(answer) for answer in answers_of(truths)]
    texts = [f"<think>.</think><answer>{answer}</answer>" for answer in optimal]
    finish = ["stop", "stop", "length"]
    found = evaluate(texts[:1] + ["no answer"] + ["no answer"], truths, finish=finish)
    assert rows.observe(truths, found.rows, truths) == 3
    rows.merge(rows.delta())
    arrived = rows.plan.state["arrived"]
    assert [sum(cell[column] for cell in arrived) for column in (2, 3, 4, 5)] == [2, 1, 1, 0]


def answers_of(truths):
    engine = optgap.Engine("cpu", threads=1)
    return [engine.solve(engine.instances([key_of(truth)])).answers.tolist()[0] for truth in truths]


@pytest.mark.parametrize("broken, place", [
    ("{", "state"), ("[]", "state"), ('{"optgap_curriculum_rows": 9}', "state"),
    ({"format": "boxed"}, "state.format"), ({"style": 1}, "state.style"), ({"first": -1}, "state.first"),
    ({"pending": {}}, "state.pending"), ({"pending": [{"prompt": "x"}]}, r"state.pending\[0\]"),
    ({"curriculum": {}}, "state"),
])  # fmt: skip
def test_a_state_that_does_not_fit_is_refused_and_changes_nothing(broken, place):
    rows = made()
    rows.rows(3)
    before = rows.state_dict()
    text = broken if isinstance(broken, str) else json.dumps({**json.loads(before), **broken})
    with pytest.raises(optgap.Error, match=place):
        rows.load_state_dict(text)
    assert rows.state_dict() == before


def test_another_run_is_refused():
    with pytest.raises(optgap.Error, match="seed"):
        made(8).load_state_dict(made(7).state_dict())


def test_rows_that_were_left_out_are_not_handed_out_again():
    rows = made()
    batch = rows.rows(4)
    rows.drop([batch[1]["ground_truth"], "tsp@1:train:d0:5"])
    rows.merge(rows.delta())
    again = made()
    again.load_state_dict(rows.state_dict())
    assert again.left == 3 and again.rows(3) == [batch[0], *batch[2:]]
    again.rewind()
    assert again.rows(2) == [batch[0], batch[2]] and again.left == 1


def test_drawn_styles_and_moving_shares_survive_a_restart():
    policy = {**POLICY, "mixing": {"by": "progress", "memory": 8}}

    def fresh(style="drawn"):
        return CurriculumRows(policy, TASKS, 7, style=style)

    half = fresh()
    drawn = trained(half, 10, 0)
    assert len({optgap.Key.parse(key).style for key in drawn}) > 1
    resumed = fresh()
    resumed.load_state_dict(half.state_dict())
    assert resumed.plan.shares == half.plan.shares != fresh().plan.shares
    assert trained(resumed, 3, 0) == trained(half, 3, 0)
    assert resumed.state_dict() == half.state_dict()
    with pytest.raises(optgap.Error, match="state.style: is 'drawn', this run has 0"):
        fresh(0).load_state_dict(half.state_dict())
