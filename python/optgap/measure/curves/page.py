"""A folder as a page: the curves per task, h, effective prompts, the histogram of h (docs/reports.md)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from . import table
from .rates import TaskCells, by_task
from .timeline import Slot, Timeline, added

Page = dict[str, Any]
Point = list[float | None]
Curve = list[Point]

TOGETHER = 6
"""Curves of a chart; with more tasks a chart of all shows their quantiles, and the tasks follow six by six."""
POINTS = 20
"""Of a curve; a longer run's slots are added up."""


def described(timeline: Timeline, split: str = "train", command: str = "") -> Page:
    """The page's description for optgap.measure.report; the timeline is up to date."""
    found = table.summary(timeline, split)
    whole = found["all"]
    sections = [_figures(found), _h(timeline)] if timeline.windows else [_figures(found)]
    parts = _parts(timeline, split)
    axis = {"label": "step" if timeline.by_step else "minutes"}
    for heading, remark, label, each, value in _CURVES:
        curves = {task: _curve(parts, task, value) for task in found["tasks"]}
        sections.append(_section(heading, remark, axis, label, curves, each))
    facts = [["tasks", len(found["tasks"])], ["rows", whole["rows"]], ["groups", whole["groups"]],
             ["not evaluated", found["not_evaluated"]], ["seconds", found["seconds"]], ["files", found["files"]]]  # fmt: skip
    if found["step"] is not None:
        facts.append(["last step", found["step"]])
    notes = "\n\n".join(found["notes"])
    return {
        "title": f"Per-task curves of {timeline.path.name}",
        "lead": f"{whole['rows']} {split} rows of {len(found['tasks'])} tasks.\n\n{notes}".strip(),
        "facts": facts,
        "sections": sections,
        "command": command,
    }


def _rate(name: str) -> Callable[[TaskCells], float | None]:
    def value(cells: TaskCells) -> float | None:
        found = cells.rates()[name]
        return None if found is None else 100 * found

    return value


_CURVES: tuple[tuple[str, str, str, bool, Callable[[TaskCells], float | None]], ...] = (
    ("Effective prompts", "The share of groups whose rewards are not all equal: those that give a gradient.", "%", True,
     _rate("effective_prompts")),
    ("Normalised quality", "Between a constant answer (0) and the best known objective (100); infeasible answers count as 0.",
     "%", True, _rate("normalized")),
    ("Feasible answers", "", "%", False, _rate("sr")),
    ("Mean level", "Of rows on the difficulty scale.", "step of the difficulty scale", False, TaskCells.mean_level),
)  # fmt: skip
"""Heading, remark, unit, whether every task is shown when there are many, and what a part of the run says."""


def _figures(found: Page) -> Page:
    rates = (("SR %", "sr"), ("QR %", "qr"), ("norm. %", "normalized"), ("eff. %", "effective_prompts"),
             ("equal %", "zero_variance_groups"), ("cut off %", "truncated"), ("format %", "format_errors"))  # fmt: skip
    columns = [{"name": "task"}, _right("rows"), *(_right(title) for title, _ in rates), {"name": "levels"},
               _right("mean level"), _right("h"), {"name": "status"}]  # fmt: skip
    rows = [
        [name, row["rows"], *(None if row[rate] is None else round(100 * row[rate], 1) for _, rate in rates), row["levels"],
         None if row["level"] is None else round(row["level"], 2), row["h"], row["status"] or "–"]
        for name, row in [*found["tasks"].items(), *found["rollups"].items(), ("all", found["all"])]
    ]  # fmt: skip
    text = "SR: feasible answers. QR: mean quality, 0 where infeasible. eff.: groups whose rewards differ; equal: whose do not."
    return {"heading": "Tasks", "text": text, "table": {"columns": columns, "rows": rows}}


def _h(timeline: Timeline) -> Page:
    """h is the hardest step that a curriculum gives: over time, and where the tasks stand now."""
    slots = timeline.ordered()
    places = [some[-1][0] for some in _chunks(slots)]
    curves: dict[str, Curve] = {}
    for task, moves in sorted(timeline.windows.items()):
        known = [(place, [high for slot, _, high, _ in moves if slot <= place]) for place in places]
        curves[task] = [[_x(timeline, place), highs[-1]] for place, highs in known if highs]
    values = [int(moves[-1][2]) for moves in timeline.windows.values()]
    histogram = {"kind": "histogram", "title": "h at the end", "x": {"label": "h"}, "y": {"label": "tasks"}, "bins": "whole",
                 "series": [{"name": "tasks", "values": values}]}  # fmt: skip
    axis = {"label": "step" if timeline.by_step else "minutes"}
    text = "The hardest step of the difficulty scale that the curriculum gives a task."
    section = _section("h", text, axis, "h", curves)
    section["charts"].insert(1, histogram)
    return section


def _section(heading: str, text: str, axis: Page, label: str, curves: dict[str, Curve], each: bool = True) -> Page:
    """One chart, or with many tasks one of their quantiles and, where each is to be seen, one for every six."""
    names = sorted(name for name, curve in curves.items() if any(point[1] is not None for point in curve))
    if len(names) <= TOGETHER:
        parts = [(heading, names)] if names else []
        charts = []
    else:
        charts = [_quantiles(heading, axis, label, [curves[name] for name in names])]
        parts = [(f"{some[0]} to {some[-1]}", some)
                 for some in (names[k : k + TOGETHER] for k in range(0, len(names) * each, TOGETHER))]  # fmt: skip
    charts += [
        {"kind": "lines", "title": title, "x": axis, "y": {"label": label},
         "series": [{"name": name, "points": curves[name]} for name in some]}
        for title, some in parts
    ]  # fmt: skip
    return {"heading": heading, "text": text if names else f"{text} No row says it here.".strip(), "charts": charts}


def _quantiles(heading: str, axis: Page, label: str, curves: Sequence[Curve]) -> Page:
    """The tasks' median at each point, between their tenth and their ninetieth part."""
    places = sorted({float(point[0] or 0) for curve in curves for point in curve})
    points: list[list[float | None]] = []
    for place in places:
        values = sorted(value for curve in curves if (value := _at(curve, place)) is not None)
        if values:
            points.append([place, *(values[math.floor(share * (len(values) - 1) + 0.5)] for share in (0.5, 0.1, 0.9))])
    return {"kind": "lines", "title": f"{heading}: {len(curves)} tasks, median and 10-90 %", "x": axis, "y": {"label": label},
            "series": [{"name": "median", "points": points}]}  # fmt: skip


def _at(curve: Curve, place: float) -> float | None:
    """What the curve last said at a place."""
    known = [point[1] for point in curve if point[0] is not None and point[0] <= place and point[1] is not None]
    return known[-1] if known else None


def _parts(timeline: Timeline, split: str) -> list[tuple[float, dict[str, TaskCells]]]:
    """The run in parts, each at its last slot's place."""
    chunks = _chunks(timeline.ordered())
    return [(_x(timeline, some[-1][0]), by_task(added(slot.cells for _, slot in some), split)) for some in chunks]


def _chunks(slots: list[tuple[int, Slot]]) -> list[list[tuple[int, Slot]]]:
    """The run in at most POINTS parts of equally many slots."""
    width = max(1, math.ceil(len(slots) / POINTS))
    return [slots[k : k + width] for k in range(0, len(slots), width)]


def _curve(
    parts: list[tuple[float, dict[str, TaskCells]]], task: str, value: Callable[[TaskCells], float | None]
) -> Curve:
    return [[place, value(tasks[task])] for place, tasks in parts if task in tasks]


def _x(timeline: Timeline, slot: int) -> float:
    return float(slot) if timeline.by_step else (slot + 1) * timeline.every / 60


def _right(name: str) -> dict[str, str]:
    return {"name": name, "align": "right"}
