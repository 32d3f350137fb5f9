"""A comparison as the description of a page, which optgap.measure.report writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .differences import MEASURES, SHARES
from .figures import NAMES, NOTES, figure, right, scale, short_json, unit, with_ends, with_interval

Row = dict[str, Any]

_NAMED = 1000  # rows without a partner on the page; --json has all


def described(comparison: Row, command: str) -> Row:
    """The page of what `differences.made` made."""
    whole, (a, b) = comparison["all"], (comparison["a"], comparison["b"])
    sections = [_over_all(whole), _cells("Tasks", "task", list(comparison["tasks"].items()), chart=True)]
    if len(comparison["levels"]) > len(comparison["tasks"]):
        cells = [(f"{cell['task']} {cell['level']}", cell) for cell in comparison["levels"]]
        sections.append(_cells("Levels", "level", cells))
    if len(comparison["categories"]) > 1:
        sections.append(_cells("Categories", "category", list(comparison["categories"].items())))
    sections.append(_flows(comparison))
    if comparison["unpaired"]["a"] or comparison["unpaired"]["b"]:
        sections.append(_unpaired(comparison["unpaired"]))
    return {
        "title": f"optgap compare: {a['model']} and {b['model']}",
        "lead": f"A is {a['model']}, B is {b['model']}. B less A, over {whole['pairs']} pairs of answers to the same "
        f"{whole['instances']} instances: SR {_change(whole, 'sr')} points, QR {_change(whole, 'qr')} points.",
        "facts": [
            *([f"{side.upper()}", f"{of['model']} ({of['source']})"] for side, of in (("a", a), ("b", b))),
            ["pairs", whole["pairs"]],
            ["instances", whole["instances"]],
            *([f"{side.upper()}: failed", of["failed"]] for side, of in (("a", a), ("b", b))),
            *([name, " and ".join(map(short_json, both))] for name, both in comparison["settings"].items()),
            *(["ignored", sentence] for sentence in comparison["ignored"]),
        ],
        "sections": sections,
        "command": command,
    }


def _change(cell: Row, name: str) -> str:
    return with_interval(cell[name]["difference"], cell[name]["interval"], scale(name), "+")


def _over_all(whole: Row) -> Row:
    rows = []
    for name in MEASURES:
        of, times = whole[name], scale(name)
        test = of["sign_test"] if name in SHARES else None
        tested = [None] * 4 if test is None else [test["better"], test["worse"], test["equal"], f"{test['p']:.3g}"]
        rows.append([unit(name), figure(of["a"], times), figure(of["b"], times), _change(whole, name), *tested])
    columns = [
        {"name": "measure"},
        *(right(name) for name in ("A", "B", "B − A")),
        *(right(name, f"instances in which B is {name}") for name in ("better", "worse", "equal")),
        right("p", "exact sign test over instances, two-sided; McNemar's exact test where an instance has one answer"),
    ]
    text = "[low, high]: 95 % bootstrap interval of the paired difference, over instances."
    return {"heading": "Over all", "text": text, "table": {"columns": columns, "rows": rows}}


def _cells(heading: str, title: str, cells: Sequence[tuple[str, Row]], chart: bool = False) -> Row:
    columns = [{"name": title}, right("pairs"), *(right(f"{NAMES[name]}, B − A", NOTES[name]) for name in MEASURES)]
    rows = [[name, cell["pairs"], *(_change(cell, measure) for measure in MEASURES)] for name, cell in cells]
    section: Row = {"heading": heading, "table": {"columns": columns, "rows": rows}}
    if chart:
        section["charts"] = [
            {
                "kind": "bars",
                "title": "B − A by task",
                "x": {"label": "task"},
                "y": {"label": "points of 100"},
                "series": [
                    {"name": NAMES[name], "points": [_bar(label, cell[name]) for label, cell in cells]}
                    for name in ("sr", "qr")
                ],
            }
        ]
    return section


def _bar(label: str, of: Row) -> list[Any]:
    return [label, None] if of["difference"] is None else [label, *with_ends(of["difference"], of["interval"])]


def _flows(comparison: Row) -> Row:
    cells = [("all tasks", comparison["all"]), *comparison["tasks"].items()]
    rows = [[name, flow["a"], flow["b"], flow["pairs"]] for name, cell in cells for flow in cell["flows"]]
    columns = [{"name": "task"}, {"name": "code of A"}, {"name": "code of B"}, right("pairs")]
    return {
        "heading": "Codes of A and of B",
        "text": "Pairs by the first rule that each answer breaks; `ok` is a feasible answer.",
        "table": {"columns": columns, "rows": rows, "filter": 0},
    }


def _unpaired(unpaired: Row) -> Row:
    rows = [[side.upper(), one["instance"], one["sample"]] for side in ("a", "b") for one in unpaired[side]]
    left = f" The first {_NAMED} of {len(rows)}; --json has all." if len(rows) > _NAMED else ""
    return {
        "heading": "Rows without a partner",
        "text": f"In no rate: the other model has no such row, or its request failed.{left}",
        "table": {
            "columns": [{"name": "of"}, {"name": "instance"}, right("sample")],
            "rows": rows[:_NAMED],
            "filter": 0,
        },
    }
