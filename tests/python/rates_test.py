"""Shares and their bounds: `optgap.measure.audit.rates`, which the checks outside of the package use as well."""

from fractions import Fraction
from math import comb

import pytest

from optgap.measure.audit.rates import Rate


def test_bounds_are_those_of_clopper_and_pearson():
    """Of R's binom.test."""
    for found, tried, low, high in (
        (0, 100, 0.0, 0.03621669), (1, 100, 0.0002531460, 0.05445939), (50, 100, 0.3983211, 0.6016789),
        (10, 10, 0.6915029, 1.0), (3, 7, 0.09898828, 0.8159484),
    ):  # fmt: skip
        assert Rate(found, tried).low == pytest.approx(low, rel=1e-6)
        assert Rate(found, tried).high == pytest.approx(high, rel=1e-6)
    assert str(Rate(0, 100)) == "≤ 3.6 %" and str(Rate(0, 0)) == "-"


def test_the_bound_of_a_claim_leaves_five_per_cent_exactly():
    for found, tried in [(0, 1), (0, 40), (0, 999), (1, 50), (3, 1000), (17, 33), (32, 33)]:
        bound = Fraction(Rate(found, tried).below)
        left = sum(comb(tried, k) * bound**k * (1 - bound) ** (tried - k) for k in range(found + 1))
        assert float(left) == pytest.approx(0.05, rel=1e-9), (found, tried)
        assert found / tried < Rate(found, tried).below < Rate(found, tried).high
    for tried in (10, 1000, 10**8):
        assert 2.5 / tried < Rate(0, tried).below < 3 / tried
    assert Rate(5, 5).below == 1.0 and Rate(0, 0).below == 1.0


def test_a_claim_is_rounded_upwards():
    assert Rate(0, 100_000).claim() == "0 of 100,000: below 1 in 33,000 at 95 %"
    assert Rate(0, 100_000_000).claim() == "0 of 100,000,000: below 1 in 33,000,000 at 95 %"
    assert Rate(1, 50).claim() == "1 of 50: below 9.2 % at 95 %"
    assert Rate(0, 10).claim() == "0 of 10: below 26 % at 95 %"
    assert Rate(0, 0).claim() == "0 of 0: nothing was tried"
    for found, tried in [(0, 29), (0, 297), (0, 299), (0, 301), (2, 2000), (7, 12345)]:
        said = Rate(found, tried).claim().split("below ")[1].removesuffix(" at 95 %")
        share = 1 / int(said.split()[-1].replace(",", "")) if said.startswith("1 in") else float(said.split()[0]) / 100
        assert Rate(found, tried).below <= share < 1.2 * Rate(found, tried).below, said
