"""Columns of numbers between a worker and the estimators and shapes of its package."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from optgap.kinds.rules import Answers, Groups

_INTEGERS = ("begin", "lengths")
_FLAGS = ("optimal", "maximise")


def answer(verb: str, by: Any, columns: Sequence[tuple[str, int]], numbers: bytes) -> bytes:
    """Asks an estimator or a shape.

    Args:
        verb: "advantages" or "shape".
        by: The estimator or the shape.
        columns: Name and number of entries of each column, in their order.
        numbers: The columns, 8 bytes an entry.

    Returns:
        float64, one for each row.

    Raises:
        ValueError: For another number of values, or one that is not finite.
    """
    known: dict[str, npt.NDArray[Any]] = {}
    at = 0
    for name, count in columns:
        column = np.frombuffer(numbers, np.int64 if name in _INTEGERS else np.float64, count, at)
        known[name] = column != 0 if name in _FLAGS else column
        at += 8 * count
    if verb == "advantages":
        method, rows = "advantages", len(known["rewards"])
        beside = {name: column for name, column in known.items() if name not in ("rewards", "begin", "lengths")}
        lengths = {"lengths": known["lengths"]} if "lengths" in known else {}
        given = by.advantages(Groups(known["rewards"], known["begin"], components=beside, **lengths))
    else:
        method, rows = "values", len(known["quality"])
        given = by.values(Answers(**known))
    made = np.ascontiguousarray(given, np.float64)
    if made.shape != (rows,):
        raise ValueError(f"{method} gave an array of shape {made.shape}, expected ({rows},)")
    if not np.isfinite(made).all():
        raise ValueError(f"{method} gave {made[~np.isfinite(made)][0]} for row {int(np.argmin(np.isfinite(made)))}")
    return made.tobytes()
