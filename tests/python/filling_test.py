"""Drawing until a batch is full: how many more, who gets a place, and what is said of the rest."""

import math

import numpy as np
import pytest

import optgap


def round_of(rng, count, ratio, size=8):
    """Rewards and group names of `count` groups, of which about `ratio` disagree."""
    alive = rng.random(count) < ratio
    rewards = np.repeat(rng.integers(0, 2, count), size).astype(np.float32).reshape(count, size)
    rewards[alive, 0] = 1 - rewards[alive, 0]
    return rewards.ravel(), np.repeat(np.arange(count), size), alive


@pytest.mark.parametrize("ratio", [0.1, 0.5, 0.95])
def test_few_rounds_fill_the_batch_and_few_groups_are_spare(ratio):
    rng = np.random.default_rng(3)
    rounds, spare = [], []
    for _ in range(40):
        filling = optgap.Filling(groups=64, limit=4000, ratio=ratio)
        while count := filling.more():
            rewards, group, _ = round_of(rng, count, ratio)
            filling.add(rewards, group)
        found = filling.bias()
        assert filling.full and filling.kept == 64 and found.kept == 64 + found.spare
        assert found.effective_prompt_ratio == pytest.approx(ratio, abs=0.25)
        rounds.append(found.rounds)
        spare.append(found.spare)
    assert np.mean(rounds) < 3.5 and max(rounds) <= 6, rounds
    assert np.mean(spare) < 32, spare


def test_the_first_round_expects_the_given_ratio_and_the_next_what_was_seen():
    filling = optgap.Filling(groups=100, limit=10_000, ratio=1.0)
    assert filling.more() == 100
    filling.add(np.zeros(200), np.repeat(np.arange(100), 2))
    assert filling.drawn == 100 and filling.kept == 0
    # 8 of 108: the mean, and one standard deviation on top.
    ratio = 8 / 108
    assert filling.more() == math.ceil((100 + math.sqrt(100 * (1 - ratio))) / ratio)


def test_places_go_by_the_order_of_rows_and_the_limit_ends_it():
    filling = optgap.Filling(groups=2, limit=5)
    #            b keeps its first place though a is sorted before it; c's rewards are equal; NaN takes no part
    kept = filling.add([1, 0, 1, 1, 0, 1, np.nan], ["b", "b", "c", "c", "a", "a", "a"])
    assert kept.tolist() == [True, True, False, False, True, True, False]
    assert filling.more() == 0 and filling.full
    assert filling.add([0, 1], ["x", "x"]).tolist() == [False, False]
    assert filling.bias().spare == 1 and filling.drawn == 4
    with pytest.raises(optgap.Error, match="group: 6 groups are more than the limit of 5"):
        filling.add([0, 1, 0, 1], [0, 0, 1, 1])
    short = optgap.Filling(groups=4, limit=6)
    short.add(np.zeros(12), np.repeat(np.arange(6), 2))
    assert short.more() == 0 and not short.full and short.kept == 0


def test_the_report_says_what_the_filter_favours():
    filling = optgap.Filling(groups=6, limit=20)
    # tsp: four groups that disagree, short; knapsack: six that do not, long, all right.
    rewards = [1, 0] * 4 + [1, 1] * 6
    task = ["tsp"] * 8 + ["knapsack"] * 12
    level = ["d1"] * 4 + ["d2"] * 4 + ["d5"] * 12
    length = [10, 30] * 4 + [100] * 12
    filling.add(rewards, np.repeat(np.arange(10), 2), task, level, length)
    found = filling.bias()
    assert (found.rounds, found.drawn, found.kept, found.spare) == (1, 10, 4, 0)
    assert (found.length_kept, found.length_dropped, found.length_drawn) == (20, 100, 68)
    assert (found.reward_kept, found.reward_dropped) == (0.5, 1.0)
    assert found.places[0] == ("knapsack", "d5", 6, 0, 0.6, 0.0)
    assert found.places[1] == ("tsp", "d1", 2, 2, 0.2, 0.5)
    lines = found.text(top=1).splitlines()
    assert lines[0].split() == ["task", "level", "drawn", "kept", "ratio", "%", "drawn", "%", "batch", "%"]
    assert lines[1].split() == ["knapsack", "d5", "6", "0", "0.0", "60.0", "0.0"]
    assert lines[2].split() == ["2", "others", "4", "4", "100.0", "40.0", "100.0"]
    assert lines[-1] == "mean length 20.0 kept, 100.0 dropped, 68.0 drawn"
    nothing = optgap.Filling(2, 2).bias()
    assert nothing.places == () and math.isnan(nothing.effective_prompt_ratio) and math.isnan(nothing.length_kept)


def test_wrong_arguments_are_named():
    for given, field in ((dict(groups=0, limit=1), "groups"), (dict(groups=3, limit=2), "limit"),
                         (dict(groups=1, limit=1, ratio=0), "ratio"), (dict(groups=1, limit=1, ratio=1.5), "ratio")):  # fmt: skip
        with pytest.raises(optgap.Error, match=field):
            optgap.Filling(**given)
    filling = optgap.Filling(2, 9)
    with pytest.raises(optgap.Error, match="level: expected 2 entries"):
        filling.add([0, 1], [0, 0], level=["d1"])
    with pytest.raises(optgap.Error, match="length"):
        filling.add([0, 1], [0, 0], length=[1])
    with pytest.raises(optgap.Error, match="task"):
        filling.add([0, 1], [0, 0], task="tsp")
    assert filling.drawn == 0 and filling.bias().rounds == 0
