"""What proposers earn, over arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _native, arguments
from ..errors import misuse

UNIT = 1 << 20
"""Qualities, gaps and rewards are whole numbers in units of 2^-20."""

_COLUMNS = (
    "code", "kind", "rows", "feasible", "solved", "sum", "sum_sq", "before", "equal", "greedy_gap", "reference_gap",
    "prompt", "prompt_target", "prompt_limit", "quality", "form", "cluster", "batch",
)  # fmt: skip


def pay_proposers(reward: str, columns: Mapping[str, npt.ArrayLike]) -> dict[str, npt.NDArray[Any]]:
    """reward, signal, novelty, hardness and price of proposals in units of 2^-20, and `excluded`: rows without a reward.

    Args:
        reward: "proof", "mae_paper", "mae_repo", "azr", "r_zero", "r_zero_paper", "sqlm" or "regret".
        columns: One number a row each: code (of the gates: 0 ok), kind (1 spec, 2 instance, 3 edit, 4 constrain); of
            its group of answers rows, feasible, solved (proven optimal), sum and sum_sq (of quality in units, and of its
            square in units of 2^-40); before (entries of its cell), equal (proposals of its canonical form), greedy_gap,
            reference_gap, prompt, prompt_target, prompt_limit (characters), quality (a judge's, -1: the gates'), form,
            cluster, batch. A column that is not given has the usual value.
    """
    for name in columns:
        if name not in _COLUMNS:
            raise misuse("columns", f"{name!r} is none of {', '.join(_COLUMNS)}")
    if not columns:
        raise misuse("columns", "expected at least one")
    given = {name: arguments.column(values, np.int64, name) for name, values in columns.items()}
    return _native.pay_proposers(arguments.name(reward, "reward"), given)
