"""Environments of your own, RLVE's and reasoning-gym's beside optgap's tasks: the same rewards, advantages and curriculum.

    optgap.external.configure(tasks={"mine/toy": "my_module:Toy"}, trusted=True)
    row = optgap.external.rows("mine/toy", ["d3"], [17])[0]

docs/external.md has the rules.
"""

from __future__ import annotations

from .keys import ExternalKey, is_external
from .paying import ExternalProblem, Paid, is_record, pay, read
from .pool import Code, Pool, configure, pool
from .protocol import ExternalTask
from .rows import ExternalRow, rows, rows_or_none

__all__ = [
    "Code",
    "ExternalKey",
    "ExternalProblem",
    "ExternalRow",
    "ExternalTask",
    "Paid",
    "Pool",
    "configure",
    "is_external",
    "is_record",
    "pay",
    "pool",
    "read",
    "rows",
    "rows_or_none",
]
