"""Effective prompt ratio over a run's steps, in a table that many tasks leave readable: classes and families, the tasks that
waste most groups, and the others as one line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import rollups
from .rates import TaskCells, by_task
from .timeline import Timeline, added, named

COLUMNS = 10
TOP = 12


def by_step(timeline: Timeline, split: str = "train", columns: int = COLUMNS, top: int = TOP) -> dict[str, Any]:
    """{"columns": names, "lines": [{"name", "tasks", "groups", "wasted", "effective": share per column, "all": share}]}.

    Args:
        timeline: Up to date.
        split: Whose rows.
        columns: The last so many steps; where the run has more, its steps in so many parts.
        top: Tasks with a line of their own: those with the most groups that give no gradient.
    """
    slots = timeline.ordered()
    count = min(columns, len(slots))
    parts = [slots[len(slots) * k // count : len(slots) * (k + 1) // count] for k in range(count)]
    tables = [by_task(added(slot.cells for _, slot in part), split) for part in parts]
    names = sorted({name for table in tables for name in table})
    lines = {name: _line(name, [name], tables) for name in names}
    ordered = sorted(names, key=lambda name: (-lines[name]["wasted"], name))
    shown, others = ordered[:top], ordered[top:]
    found = [_line("all", names, tables)]
    found += [_line(label, some, tables) for label, some in rollups.members(names).items()]
    found += [lines[name] for name in shown]
    if others:
        found.append(_line(f"{len(others)} other tasks", others, tables))
    return {"columns": [_span(part[0][0], part[-1][0]) for part in parts], "lines": found}


def text(found: dict[str, Any]) -> str:
    """The table for people."""
    rows = [("effective prompts %", "groups", "wasted", *found["columns"], "run")]
    rows += [
        (
            _cut(line["name"]),
            str(line["groups"]),
            str(line["wasted"]),
            *map(_percent, line["effective"]),
            _percent(line["all"]),
        )
        for line in found["lines"]
    ]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    rule = "  ".join("-" * width for width in widths)
    shown = [
        "  ".join(
            word.rjust(width) if at else word.ljust(width) for at, (word, width) in enumerate(zip(row, widths))
        ).rstrip()
        for row in rows
    ]
    return "\n".join([shown[0], rule, *shown[1:]]) + "\n"


def _line(name: str, members: Sequence[str], tables: Sequence[dict[str, TaskCells]]) -> dict[str, Any]:
    kept, groups = [], []
    for table in tables:
        counts = [named(table[member].counts) for member in members if member in table]
        kept.append(sum(one["kept_groups"] for one in counts))
        groups.append(sum(one["groups"] for one in counts))
    return {
        "name": name,
        "tasks": len(members),
        "groups": sum(groups),
        "wasted": sum(groups) - sum(kept),
        "effective": [_share(k, g) for k, g in zip(kept, groups)],
        "all": _share(sum(kept), sum(groups)),
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"


def _cut(word: str) -> str:
    word = "".join(letter if letter.isprintable() else "?" for letter in word)
    return word if len(word) <= 32 else word[:31] + "…"
