"""Totals, ranks, performances and a rating of contests, against values worked out by hand."""

import json
import math

import pytest

import optgap
from optgap.measure.contests import DECAY, SPREAD, Standings, rating, read_standings, total

HELD = Standings([100, 90, 90, 50], {1: 2800, 2: 2000, 4: 1000})


def test_ranks_count_who_is_better():
    assert [HELD.rank(one) for one in (101, 100, 95, 90, 60, 50, 0)] == [1, 1, 2, 2, 4, 4, 5]
    assert [HELD.rank_percent(one) for one in (100, 95, 0)] == [25, 50, 100]
    assert Standings([3, 5, 9], minimise=True).rank(4) == 2


def test_performance_is_read_from_the_table_and_between_its_ranks():
    assert [HELD.performance_at(one) for one in (100, 95, 60, 0)] == [2800, 2000, 1000, 1000]
    assert Standings([5, 4, 3, 2, 1], {1: 2000, 5: 1000}).performance_at(3.5) == 1500
    assert Standings([1]).performance_at(1) is None


def test_a_rating_weighs_a_hundred_best_shares():
    shares = [2000 - SPREAD * math.log(k) for k in range(1, 101)]
    weights = [DECAY**k for k in range(1, 101)]
    assert rating([2000]) == pytest.approx(sum(w * s for w, s in zip(weights, shares)) / sum(weights))
    assert rating([2000]) < rating([2000, 2000]) < rating([2000] * 4) < 2000
    assert rating([2000, -1000]) == pytest.approx(rating([2000]), abs=1)
    assert 0 < rating([-3000]) < 400
    with pytest.raises(optgap.Error, match="expected one a contest"):
        rating([])


def test_a_total_counts_cases_without_a_score():
    assert (total([3, None, 4]), total([3, None], invalid=-1)) == (7, 2)


def test_standings_are_read_and_refused_by_name(tmp_path):
    path = tmp_path / "standings.json"
    path.write_text(json.dumps({"parcels": {"totals": [9, 7], "performance": {"1": 2000}, "sense": "minimise"}}))
    assert read_standings(path) == {"parcels": Standings([9, 7], {1: 2000.0}, True)}
    for given, expected in (
        ([], "expected an object"),
        ({"a": {"totals": []}}, "a: totals must be"),
        ({"a": {"totals": [1, "x"]}}, "a: totals must be"),
        ({"a": {"totals": [1], "performance": {"0": 1}}}, "from 1 on"),
        ({"a": {"totals": [1], "sense": "up"}}, "expected maximise or minimise"),
        ({"a": {"totals": [1], "score": 2}}, "expected an object of totals"),
    ):
        path.write_text(json.dumps(given))
        with pytest.raises(optgap.Error, match=expected):
            read_standings(path)
    with pytest.raises(optgap.Error, match="cannot read"):
        read_standings(tmp_path / "none")
