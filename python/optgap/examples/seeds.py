"""A number over seeds: its mean, and how far the mean may be off."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

# Upper 2.5 % points of Student's t by degrees of freedom, 1 to 20 (any table of them).
_POINTS = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
           2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086)  # fmt: skip


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The mean over seeds and half the width of its 95 % interval by Student's t; NaN with fewer than two seeds.

    For more than 21 seeds the half width is that of 21, a little too wide.
    """
    known = np.asarray(values, dtype=np.float64)
    if len(known) < 2:
        return float(known.mean()), math.nan
    point = _POINTS[min(len(known) - 1, len(_POINTS)) - 1]
    return float(known.mean()), float(point * known.std(ddof=1) / math.sqrt(len(known)))


def shown(values: Sequence[float], digits: int = 3, sign: bool = False) -> str:
    """The mean and half its interval, as tables have them: "0.412 ± 0.031", with one seed "0.412"."""
    mean, half = interval(values)
    text = f"{mean:{'+' if sign else ''}.{digits}f}"
    return text if math.isnan(half) else f"{text} ± {half:.{digits}f}"


def held(results: Sequence[bool]) -> str:
    """How a claim did over seeds: "holds in 4 of 5 seeds"."""
    return f"holds in {sum(results)} of {len(results)} seeds"
