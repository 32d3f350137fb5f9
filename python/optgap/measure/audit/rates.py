"""Shares with exact bounds."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Rate:
    """`found` of `tried`, with the bounds of Clopper and Pearson (Biometrika 26, 1934) for independent trials."""

    found: int
    tried: int

    @property
    def low(self) -> float:
        """The lower 95 % bound of the share; 0 when none was found."""
        if self.found == 0:
            return 0.0
        return _share_where(lambda share: _at_least(self.found, self.tried, share), (1 - CONFIDENCE) / 2)

    @property
    def high(self) -> float:
        """The upper 95 % bound of the share; 1 when all were found or nothing was tried."""
        if self.found == self.tried:
            return 1.0
        return 1 - Rate(self.tried - self.found, self.tried).low

    @property
    def below(self) -> float:
        """The upper bound that holds at 95 % by itself, for a claim in one direction alone, "at most so many are wrong";
        `low` and `high` leave 2.5 % on either side. When none was found it is 1 - 0.05 ** (1 / tried), just below
        3 / tried."""
        if self.found == self.tried:
            return 1.0
        if self.found == 0:
            return -math.expm1(math.log(1 - CONFIDENCE) / self.tried)
        return 1 - _share_where(lambda share: _at_least(self.tried - self.found, self.tried, share), 1 - CONFIDENCE)

    def claim(self) -> str:
        """ "0 of 100,000: below 1 in 33,000 at 95 %", "1 of 50: below 9.2 % at 95 %"; the bound is rounded upwards."""
        if self.tried == 0:
            return "0 of 0: nothing was tried"
        share = self.below
        if share >= 0.01:
            bound = (
                f"{math.ceil(1000 * share - 1e-9) / 10:.2g} %"
                if share < 0.099
                else f"{math.ceil(100 * share - 1e-9)} %"
            )
        else:
            unit = 10 ** max(0, math.floor(math.log10(1 / share)) - 1)
            bound = f"1 in {math.floor(1 / share / unit) * unit:,}"
        return f"{self.found:,} of {self.tried:,}: below {bound} at 95 %"

    def __str__(self) -> str:
        """ "≤ 3.7 %" when none was found, else "12 % (6.1 to 20 %)"; "-" when nothing was tried."""
        if self.tried == 0:
            return "-"
        if self.found == 0:
            return f"≤ {_percent(self.high)} %"
        return f"{_percent(self.found / self.tried)} % ({_percent(self.low)} to {_percent(self.high)} %)"

    def as_json(self) -> dict[str, float]:
        """{found, tried, low, high}."""
        return {"found": self.found, "tried": self.tried, "low": self.low, "high": self.high}


def _percent(share: float) -> str:
    return f"{100 * share:.2g}" if share < 0.995 else f"{100 * share:.0f}"


def _at_least(found: int, tried: int, share: float) -> float:
    """Probability of `found` or more in `tried`; the shorter tail is added up."""
    if share <= 0:
        return 0.0
    if share >= 1:
        return 1.0

    def term(k: int) -> float:
        ways = math.lgamma(tried + 1) - math.lgamma(k + 1) - math.lgamma(tried - k + 1)
        return math.exp(ways + k * math.log(share) + (tried - k) * math.log1p(-share))

    if found <= tried - found:
        return 1 - math.fsum(map(term, range(found)))
    return math.fsum(map(term, range(found, tried + 1)))


def _share_where(probability: Callable[[float], float], wanted: float) -> float:
    """Where a growing function of a share reaches `wanted`."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if probability(middle) < wanted else (low, middle)
    return (low + high) / 2
