"""A comparison as aligned tables for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..benchmark.shown import aligned
from .differences import MEASURES, SHARES
from .figures import NAMES, figure, scale, short_json, unit, with_interval

Row = dict[str, Any]

_NAMED = 3  # rows without a partner that are named; --json and --html name all


def text_of(comparison: Row) -> str:
    """All tables, with what they are of above them."""
    whole = comparison["all"]
    lines = [
        *(f"{side.upper()}: {comparison[side]['model']} ({comparison[side]['source']})" for side in ("a", "b")),
        f"{whole['pairs']} pairs of rows over {whole['instances']} instances; [low, high]: 95 % interval of the "
        "difference; p: exact sign test over instances",
        *(_without_partner(comparison, side) for side in ("a", "b") if _is_short(comparison, side)),
        *(f"{name}: {short_json(a)} in A, {short_json(b)} in B" for name, (a, b) in comparison["settings"].items()),
        *(f"ignored: {sentence}" for sentence in comparison["ignored"]),
    ]
    tables = [_over_all(whole), _by("task", [(name, cell) for name, cell in comparison["tasks"].items()])]
    if len(comparison["levels"]) > len(comparison["tasks"]):
        tables.append(_by("level", [(f"{cell['task']} {cell['level']}", cell) for cell in comparison["levels"]]))
    if len(comparison["categories"]) > 1:
        tables.append(_by("category", list(comparison["categories"].items())))
    return "\n".join(["\n".join(lines) + "\n", *tables, _flows(whole["flows"])])


def _is_short(comparison: Row, side: str) -> bool:
    return bool(comparison["unpaired"][side] or comparison[side]["failed"])


def _without_partner(comparison: Row, side: str) -> str:
    alone, failed = comparison["unpaired"][side], comparison[side]["failed"]
    named = [f"{one['instance'][:80]} sample {one['sample']}" for one in alone[:_NAMED]]
    names = f": {', '.join(named)}{', …' if len(alone) > _NAMED else ''}" if named else ""
    return f"{side.upper()} has {len(alone)} rows without a partner{names}; {failed} rows failed"


def _over_all(whole: Row) -> str:
    rows = [["all", "A", "B", "B - A [low, high]", "better", "worse", "p"]]
    for name in MEASURES:
        of, times = whole[name], scale(name)
        test = of["sign_test"] if name in SHARES else None
        counts = ["", "", ""] if test is None else [str(test["better"]), str(test["worse"]), f"{test['p']:.3g}"]
        change = with_interval(of["difference"], of["interval"], times, "+")
        rows.append([unit(name), figure(of["a"], times), figure(of["b"], times), change, *counts])
    return aligned(rows)


def _by(title: str, cells: Sequence[tuple[str, Row]]) -> str:
    rows = [[title, "pairs", *(f"{NAMES[name]}, B - A" for name in MEASURES)]]
    for name, cell in cells:
        changes = [with_interval(cell[m]["difference"], cell[m]["interval"], scale(m), "+") for m in MEASURES]
        rows.append([name, str(cell["pairs"]), *changes])
    return aligned(rows)


def _flows(flows: Sequence[Row]) -> str:
    rows = [["code of A", "code of B", "pairs"], *([of["a"], of["b"], str(of["pairs"])] for of in flows)]
    return aligned(rows)
