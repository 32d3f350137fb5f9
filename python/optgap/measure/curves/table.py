"""A folder's figures as an aligned table of text, one line a task, and one a class and family of several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.errors import misuse
from . import rollups
from .rates import TaskCells, by_task
from .timeline import Counts, Place, Timeline, added, zeros

SORTS = (
    "task",
    "rows",
    "sr",
    "qr",
    "normalized",
    "effective_prompts",
    "zero_variance_groups",
    "level",
    "truncated",
    "format_errors",
)
SPANS = 8
"""Parts of the run behind the trend."""

_BARS = "▁▂▃▄▅▆▇█"
_COLUMNS = ("task", "rows", "SR %", "QR %", "norm. %", "trend", "groups", "eff. %", "equal %", "levels", "mean", "h", "cut %",
            "format %")  # fmt: skip
_LEFT = {"task", "trend", "levels"}
_WIDEST = {"task": 32, "levels": 20}


def summary(timeline: Timeline, split: str = "train", last: float | None = None) -> dict[str, Any]:
    """The table as data: {"tasks": {name: rates, level, levels, h, trend}, "rollups": {"class:…": …, "family:…": …},
    "all": …} and what was read.

    Args:
        timeline: Up to date.
        split: Whose rows.
        last: Only the last so many seconds of the run; None: all of it.
    """
    slots = timeline.ordered()
    newest = max((slot.time for _, slot in slots), default=0.0)
    shown = [(number, slot) for number, slot in slots if last is None or slot.time > newest - last]
    tasks = by_task(added(slot.cells for _, slot in shown), split)
    spans = [by_task(added(part), split) for part in _spans([slot.cells for _, slot in shown])]
    groups = rollups.members(tasks)
    return {
        "folder": str(timeline.path),
        "files": timeline.folder.files,
        "split": split,
        "seconds": round(newest - timeline.began, 1) if timeline.began is not None else 0,
        "step": slots[-1][0] if timeline.by_step and slots else None,
        "not_evaluated": timeline.not_evaluated,
        "runs": len(timeline.folder.runs),
        "notes": timeline.folder.notes,
        "tasks": {name: _row([name], tasks, timeline, spans) for name in tasks},
        "rollups": {label: _row(names, tasks, timeline, spans) for label, names in groups.items()},
        "all": {**_row(list(tasks), tasks, timeline, spans), "h": None, "status": None},
    }


def text(found: dict[str, Any], sort: str = "task") -> str:
    """The table for people, and what there is to say below it.

    Raises:
        Error: `sort` is no column.
    """
    if sort not in SORTS:
        raise misuse("sort", f"{sort!r} is none of {', '.join(SORTS)}")
    tasks = sorted(found["tasks"].items(), key=lambda named: named[0] if sort == "task" else _order(named[1][sort]))
    sums = [*found["rollups"].items(), ("all", found["all"])]
    lines = [_COLUMNS, *(_words(name, row) for name, row in [*tasks, *sums])]
    widths = [max(len(line[place]) for line in lines) for place in range(len(_COLUMNS))]
    shown = [_aligned(line, widths) for line in lines]
    rule = "  ".join("-" * width for width in widths)
    below = 1 + len(tasks)
    return "\n".join([shown[0], rule, *shown[1:below], rule, *shown[below:], *_remarks(found)]) + "\n"


def _spans(slots: Sequence[dict[Place, Counts]]) -> list[list[dict[Place, Counts]]]:
    count = min(SPANS, len(slots))
    return [list(slots[len(slots) * k // count : len(slots) * (k + 1) // count]) for k in range(count)]


def _row(
    names: Sequence[str], tasks: dict[str, TaskCells], timeline: Timeline, spans: list[dict[str, TaskCells]]
) -> dict[str, Any]:
    """The tasks `names` as one; h and status of one alone."""
    cells = TaskCells(sum((tasks[name].counts for name in names), zeros()), {})
    for name in names:
        for level, rows in tasks[name].levels.items():
            cells.levels[level] = cells.levels.get(level, 0) + rows
    trend: list[float | None] = []
    for span in spans:
        parts = [span[name].counts for name in names if name in span]
        trend.append(TaskCells(sum(parts, zeros()), {}).rates()["qr"])
    windows = timeline.windows.get(names[0]) if len(names) == 1 else None
    return {
        **cells.rates(),
        "level": cells.mean_level(),
        "levels": cells.level_range(),
        "h": windows[-1][2] if windows else None,
        "status": windows[-1][3] if windows else None,
        "trend": trend,
    }


def _order(value: float | None) -> tuple[bool, float]:
    return value is None, value or 0.0


def _words(name: str, row: dict[str, Any]) -> tuple[str, ...]:
    level = row["level"]
    return (
        _cut(name, "task"), str(row["rows"]), *(_percent(row[rate]) for rate in ("sr", "qr", "normalized")),
        _trend(row["trend"]), str(row["groups"]), _percent(row["effective_prompts"]), _percent(row["zero_variance_groups"]),
        _cut(row["levels"], "levels"), "-" if level is None else f"{level:.1f}", "-" if row["h"] is None else str(row["h"]),
        _percent(row["truncated"]), _percent(row["format_errors"]),
    )  # fmt: skip


def _cut(word: str, column: str) -> str:
    room = _WIDEST[column]
    word = "".join(letter if letter.isprintable() else "?" for letter in word)
    return word if len(word) <= room else word[: room - 1] + "…"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"


def _trend(values: list[float | None]) -> str:
    """QR over the run, between the row's own lowest and highest, and what it gained."""
    known = [value for value in values if value is not None]
    if len(known) < 2:
        return "-"
    low, high = min(known), max(known)
    bars = "".join(
        " " if value is None else _BARS[round((value - low) / (high - low) * (len(_BARS) - 1)) if high > low else 0]
        for value in values
    )
    return f"{bars} {100 * (known[-1] - known[0]):+.1f}"


def _aligned(line: Sequence[str], widths: Sequence[int]) -> str:
    words = (
        word.ljust(width) if name in _LEFT else word.rjust(width) for name, word, width in zip(_COLUMNS, line, widths)
    )
    return "  ".join(words).rstrip()


def _remarks(found: dict[str, Any]) -> list[str]:
    where = f"step {found['step']}, " if found["step"] is not None else ""
    lines = [f"{where}{found['seconds']:.0f} s, {found['files']} files, split {found['split']}"]
    if found["not_evaluated"]:
        lines.append(f"{found['not_evaluated']} rows could not be evaluated and are in no line above")
    if found["runs"] > 1:
        lines.append(
            f"{found['runs']} different rewards are added up here: read their rates, not their zero-variance groups, together"
        )
    return lines + [f"note: {note}" for note in found["notes"]]
