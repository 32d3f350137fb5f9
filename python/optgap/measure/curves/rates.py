"""The figures of a cell, per task."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from ..stats_lines import UNIT
from .timeline import Counts, Place, named, zeros

RATES = ("sr", "qr", "normalized", "effective_prompts", "zero_variance_groups", "truncated", "format_errors")
"""Shares of rows, of groups for the two about groups; `normalized` lies in [-1, 1]."""

_LADDER = re.compile(r"d(\d+)$")


class TaskCells(NamedTuple):
    """A task's cells of one split."""

    counts: Counts
    levels: dict[str, int]
    """Rows per level, without the split."""

    def rates(self) -> dict[str, float | None]:
        return rates(self.counts)

    def steps(self) -> dict[int, int]:
        """Rows per step of the difficulty scale."""
        return {int(found[1]): rows for level, rows in self.levels.items() if (found := _LADDER.match(level))}

    def mean_level(self) -> float | None:
        """Of rows that are on the difficulty scale."""
        steps = self.steps()
        return _share(sum(step * rows for step, rows in steps.items()), sum(steps.values()))

    def level_range(self) -> str:
        """As d2-d5, or names where they are not on the difficulty scale."""
        steps = sorted(self.steps())
        found = [f"d{steps[0]}" if len(steps) == 1 else f"d{steps[0]}-d{steps[-1]}"] if steps else []
        return ",".join(found + sorted(level for level in self.levels if not _LADDER.match(level)))


def by_task(cells: Mapping[Place, Counts], split: str = "train") -> dict[str, TaskCells]:
    """The cells of a split, added up per task, in the tasks' order."""
    found: dict[str, TaskCells] = {}
    for (task, level), counts in sorted(cells.items()):
        own, _, name = level.rpartition(":")
        if (own or "train") == split:
            task_cells = found.setdefault(task, TaskCells(zeros(), {}))
            task_cells.counts[:] += counts
            task_cells.levels[name] = task_cells.levels.get(name, 0) + int(counts[0])
    return found


def rates(counts: Counts) -> dict[str, float | None]:
    """RATES, and `rows` and `groups`; None where there is nothing to count."""
    of = named(counts)
    rows, groups = of["rows"], of["groups"]
    return {
        "rows": rows,
        "sr": _share(of["feasible"], rows),
        "qr": _share(of["quality_sum_2p32"] / UNIT, rows),
        "normalized": _share(of["normalized_sum_2p32"] / UNIT, rows),
        "effective_prompts": _share(of["kept_groups"], groups),
        "zero_variance_groups": _share(of["zero_variance_groups"], groups),
        "groups": groups,
        "truncated": _share(of["truncated"], rows),
        "format_errors": _share(of["format_broken"], rows),
    }


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None
