"""The class behind verl's named actor, without Ray: what comes when does not matter, in which step it comes does."""

import itertools
import json

import pytest

import optgap
from optgap.trainers.verl.curriculum import CurriculumOwner


def owner(batch=4):
    return CurriculumOwner({"policy": "adaptive", "samples": 4, "width": 2, "z": 1}, ["tsp", "knapsack"], 5, batch)


def outcome(row, quality=1.0):
    return row["ground_truth"], [1, 1.0, quality, 0, row["data_source"]], "stop"


def totals(held):
    return sum(row[2] for row in json.loads(held.state_dict())["rows"]["curriculum"]["totals"])


def test_the_order_of_rewards_within_a_step_changes_nothing():
    states = set()
    for order in itertools.islice(itertools.permutations(range(8)), 0, 40320, 5003):
        held = owner()
        rows = held.rows(4) * 2
        for place in order:
            held.report(*outcome(rows[place], quality=place % 2))
        states.add(held.state_dict())
        assert totals(held) == 8
    assert len(states) == 1


def test_prompts_fetched_one_by_one_are_those_of_a_batch():
    """As with data.gen_batch_size=1, which filtering and the asynchronous trainers set."""
    whole, single = owner(), owner()
    for _ in range(3):
        rows = whole.rows(4)
        assert [row for _ in range(4) for row in single.rows(1)] == rows
        for row in rows:
            whole.report(*outcome(row))
            single.report(*outcome(row))
    assert whole.state_dict() == single.state_dict()


def test_an_outcome_that_comes_late_counts_in_a_later_step():
    held = owner()
    (late, *others) = held.rows(4)
    for row in others:
        held.report(*outcome(row))
    held.rows(4)
    assert totals(held) == 3
    held.report(*outcome(late))
    held.rows(4)
    assert totals(held) == 4


def test_an_unfinished_step_survives():
    held = owner()
    rows = held.rows(3)
    held.report(*outcome(rows[0]))
    resumed = owner()
    resumed.load_state_dict(held.state_dict())
    assert resumed.state_dict() == held.state_dict()
    for each in (held, resumed):
        each.report(*outcome(rows[1]))
    assert resumed.rows(1) == held.rows(1) and resumed.rows(2) == held.rows(2)
    assert totals(resumed) == totals(held) == 2


def test_rows_of_other_data_are_left_out():
    held = owner()
    (row, *_) = held.rows(4)
    other = {"ground_truth": json.dumps({"key": "tsp@1:train:d0:1"}), "data_source": "optgap/tsp/d0"}
    held.report(*outcome(other))
    held.report(*outcome(row))
    assert totals(held) == 1


@pytest.mark.parametrize(("spoil", "sentence"), [
    (lambda text: text[:-1], "data.pt: holds no state of a curriculum"),
    (lambda text: "[]", "data.pt: holds no state of optgap_curriculum, version 1"),
    (lambda text: text.replace('"seed":5', '"seed":6'), "seed"),
    (lambda text: text.replace('"batch":4', '"batch":5'), "data.train_batch_size: was 5 in the checkpoint and is 4"),
])  # fmt: skip
def test_a_foreign_state_is_refused(spoil, sentence):
    held = owner()
    with pytest.raises(optgap.Error, match=sentence):
        held.load_state_dict(spoil(owner().state_dict()))
    assert held.state_dict() == owner().state_dict()
