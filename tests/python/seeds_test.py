"""A number over seeds."""

import math

import numpy as np
import pytest

from optgap.examples.seeds import held, interval, shown


def test_the_interval_is_students():
    mean, half = interval([1.0, 2.0, 3.0, 4.0, 5.0])
    assert mean == 3.0 and half == pytest.approx(2.776 * math.sqrt(2.5 / 5))
    assert interval([2.0, 2.0])[1] == 0.0 and math.isnan(interval([2.0])[1])
    assert interval(list(range(40)))[1] == pytest.approx(2.086 * np.std(range(40), ddof=1) / math.sqrt(40))


def test_it_covers_the_mean_nineteen_times_of_twenty():
    draws = np.random.default_rng(1).normal(size=(4000, 5))
    inside = [abs(mean) <= half for mean, half in map(interval, draws)]
    assert np.mean(inside) == pytest.approx(0.95, abs=0.012)


def test_what_tables_show():
    assert shown([0.5]) == "0.500" and shown([0.25, 0.25], 2, sign=True) == "+0.25 ± 0.00"
    assert held([True, False, True]) == "holds in 2 of 3 seeds"
