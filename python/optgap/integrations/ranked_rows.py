"""What rankings read of rows whose answers are programs: a column an instance."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np


def ranks(spec: str) -> bool:
    """Does this estimator read objectives?"""
    from optgap import _native

    return bool(_native.ranks_scores(spec))


def ranked_by_instance(
    groups: Sequence[object], matrix: Mapping[int, Sequence[float | None]], scores: np.ndarray, counted: Sequence[bool],
    call: Callable[[list[int], np.ndarray], list[float]],
) -> list[float]:  # fmt: skip
    """Advantages of groups whose rows have different numbers of objectives: one call for each number. `matrix`: those of
    programs, per row; other rows have the one of `scores`. `counted`: has the row a reward? Raises Error for a group that
    mixes them. `call` takes rows and their table."""
    from optgap.errors import misuse

    width_of: dict[object, int] = {}
    for row, group in enumerate(groups):
        if counted[row]:
            mine = len(matrix.get(row, (None,)))
            if width_of.setdefault(group, mine) != mine:
                raise misuse(
                    "advantage",
                    f"ranks the rollouts of a group instance by instance, and group {group!r} has rows of {width_of[group]} "
                    f"and of {mine} instances",
                )
    values = [0.0] * len(groups)
    for width in sorted(set(width_of.values())):
        rows = [row for row, group in enumerate(groups) if width_of.get(group) == width]
        table = np.full((len(rows), width), math.nan)
        for place, row in enumerate(rows):
            if counted[row]:
                mine = matrix.get(row)
                table[place] = scores[row] if mine is None else [math.nan if one is None else one for one in mine]
        for row, value in zip(rows, call(rows, table)):
            values[row] = value
    return values
