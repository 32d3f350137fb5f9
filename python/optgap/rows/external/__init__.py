"""Environments of your own, RLVE's and reasoning-gym's beside optgap's tasks: the same rewards, advantages and curriculum.

    optgap.rows.external.configure(tasks={"mine/toy": "my_module:Toy"}, trusted=True)
    row = optgap.rows.external.rows("mine/toy", ["d3"], [17])[0]

docs/external.md has the rules. Importing this loads nothing native and starts nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

_HOME = {
    "Code": "calls",
    "ExternalKey": "keys",
    "ExternalProblem": "problems",
    "ExternalRow": "drawing",
    "ExternalTask": "protocol",
    "Rewarded": "rewarding",
    "Pool": "pool",
    "adopt": "naming",
    "configure": "own_pool",
    "is_external": "keys",
    "reward_rows": "rewarding",
    "read": "problems",
    "rows": "drawing",
    "rows_or_none": "drawing",
    "workers": "own_pool",
}

if TYPE_CHECKING:
    from .calls import Code as Code
    from .drawing import ExternalRow as ExternalRow, rows as rows, rows_or_none as rows_or_none
    from .keys import ExternalKey as ExternalKey, is_external as is_external
    from .naming import adopt as adopt
    from .own_pool import configure as configure, workers as workers
    from .pool import Pool as Pool
    from .problems import ExternalProblem as ExternalProblem, read as read
    from .protocol import ExternalTask as ExternalTask
    from .rewarding import Rewarded as Rewarded, reward_rows as reward_rows

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'optgap.rows.external' has no attribute '{name}'")
    value = getattr(importlib.import_module(f"optgap.rows.external.{_HOME[name]}"), name)
    globals()[name] = value
    return value
