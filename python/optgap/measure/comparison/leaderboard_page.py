"""A leaderboard as aligned tables for a terminal, and as the description of a page, which optgap.measure.report writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..benchmark.shown import aligned
from .figures import NOTES, UNKNOWN, figure, right, unit, with_ends, with_interval
from .model_rows import RATES

Row = dict[str, Any]

_MANY = 8  # names of tasks that a line takes


def text_of(leaderboard: Row) -> str:
    """A table for each set."""
    tables = []
    for of in leaderboard["sets"]:
        rows = [["", *(unit(rate) for rate in RATES), "tokens", "rollouts", "failed"]]
        rows += [[str(cell) for cell in row] for row in _rows(of)]
        tables.append(f"{_about(of)}\n{aligned(rows)}")
    return "\n".join(tables)


def described(leaderboard: Row, command: str) -> Row:
    """The page of what `leaderboard.made` made."""
    sets = leaderboard["sets"]
    models = sum(len(of["models"]) for of in sets)
    apart = (
        f" They are of {len(sets)} sets, which are not to be compared: other instances, other baselines, or numbers computed "
        "under another fingerprint."
        if len(sets) > 1
        else ""
    )
    lead = f"{models} model{'s' if models != 1 else ''}, by the mean quality of their answers against the best known ones.{apart}"
    return {
        "title": "optgap leaderboard",
        "lead": lead,
        "sections": [_section(of, place if len(sets) > 1 else 0) for place, of in enumerate(sets, 1)],
        "command": command,
    }


def _about(of: Row) -> str:
    """What a set consists of, as a line."""
    tasks = of["tasks"]
    names = ", ".join(tasks[:_MANY]) + (f" and {len(tasks) - _MANY} more" if len(tasks) > _MANY else "")
    return f"{of['instances']} instances of {names} at {', '.join(of['levels'])} ({of['set']}, fingerprint {of['fingerprint']})"


def _section(of: Row, number: int) -> Row:
    columns = [
        {"name": "model"},
        *(right(unit(rate), NOTES[rate]) for rate in RATES),
        right("tokens", NOTES["tokens"]),
        right("rollouts"),
        right("failed", "requests without an answer, in no rate"),
    ]
    chart = {
        "kind": "bars",
        "title": "Quality beside what needs no model",
        "x": {"label": "model"},
        "y": {"label": unit("qr")},
        "series": [
            {"name": "model", "points": _bars(of["models"])},
            {"name": "reference", "points": _bars(of["references"])},
        ],
    }
    text = (
        f"{_about(of)}. [low, high]: 95 % bootstrap interval over instances. The last three lines are references that need no "
        "model: the best known answers (optimal where proven), one greedy pass, and a constant policy."
    )
    return {
        "heading": f"Set {number}" if number else "Models",
        "text": text,
        "table": {"columns": columns, "rows": _rows(of)},
        "charts": [chart],
        "sections": [_by_task(of)],
    }


def _rows(of: Row) -> list[list[Any]]:
    models = [
        [
            one["model"],
            *(with_interval(one[rate], one["intervals"][rate]) for rate in RATES),
            figure(one["tokens_mean"], 1),
            one["rollouts"],
            one["errors"],
        ]
        for one in of["models"]
    ]
    references = [
        [one["name"], *(figure(one[rate]) for rate in RATES), UNKNOWN, UNKNOWN, UNKNOWN] for one in of["references"]
    ]
    return [*models, *references]


def _bars(lines: Sequence[Row]) -> list[list[Any]]:
    return [
        [one.get("model") or one["name"], *with_ends(one["qr"], one.get("intervals", {}).get("qr"))]
        for one in lines
        if one["qr"] is not None
    ]


def _by_task(of: Row) -> Row:
    rows = [[task, *row] for task in of["tasks"] for row in _of_task(of["models"], task)]
    columns = [
        {"name": "task"},
        {"name": "model"},
        *(right(unit(rate), NOTES[rate]) for rate in RATES),
        right("tokens"),
    ]
    return {"heading": "By task", "table": {"columns": columns, "rows": rows, "filter": 0}}


def _of_task(models: Sequence[Row], task: str) -> list[list[Any]]:
    cells = [(one["model"], one["tasks"][task]) for one in models if task in one["tasks"]]
    return [
        [name, *(with_interval(cell[rate], cell["intervals"][rate]) for rate in RATES), figure(cell["tokens_mean"], 1)]
        for name, cell in cells
    ]
