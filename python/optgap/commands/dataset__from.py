"""Chosen answers as rows for supervised training: the messages that TRL, verl, slime and OpenRLHF read."""

from __future__ import annotations

import sys

from ..core.engine import Engine
from ..data import supervised
from . import Options


def run(options: Options) -> int:
    rows = supervised.export(
        options.chosen, options.out, shape=options.shape, system=options.system, held_out_tasks=options.held_out_tasks,
        kinds=options.kinds, engine=Engine("cpu"),
    )  # fmt: skip
    if not options.quiet:
        print(f"optgap: {options.out}: {rows} rows", file=sys.stderr)
    return 0
