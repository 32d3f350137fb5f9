"""How many references each gate of rubrics leaves their full factor, and where it would have to stand."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from ..core.errors import misuse
from ..core.files.reading import rows_of
from ..data.rubrics import gate_shares
from ..data.rubrics.scoring import gates
from . import Options


def run(options: Options) -> int:
    if options.move and not options.by:
        raise misuse("move", "has no effect without --by: name the column whose values tell completions apart")
    if options.isolation and not options.by:
        raise misuse("isolation", "has no effect without --by: references are measured without style")
    if options.slots and not options.isolation:
        raise misuse("slots", "has no effect without --isolation")
    bounds = {**gate_shares.BOUNDS, **dict(_moved(one) for one in options.move or ())}
    rows = [row for file in options.files for row in _rows(file)]
    found = gate_shares.shares(rows)
    by = (
        gate_shares.rewarded(rows, options.by, bounds, isolation=options.isolation, slots=options.slots)
        if options.by
        else {}
    )
    if options.json:
        print(json.dumps(_as_json(found, by), ensure_ascii=False))
        return 0
    print(
        f"{found.rubrics} rubrics, {len(found.own)} references, {found.left_out} rows without content or a reference's text\n"
    )
    print(*_table([("gate", "bound", "own", "99 % at", "other", "99 % at", "in")] + [
        (name, _number(gate_shares.BOUNDS[name][0]), _share(found.own.full(at)), _number(found.own.bound(at)),
         _share(found.other.full(at)), _number(found.other.bound(at)), gate_shares.UNITS[name])
        for at, name in enumerate(gates())] + [
        ("all", "", _share(found.own.full_at_all()), "", _share(found.other.full_at_all()), "", "")]), sep="\n")  # fmt: skip
    if by:
        head = [options.by, "texts", "now", *(["moved"] if options.move else [])]
        print("", *_table([tuple(head)] + [
            (name, str(one.texts), f"{one.now / one.texts:.3f}", *([f"{one.moved / one.texts:.3f}"] if options.move else []))
            for name, one in by.items()]), sep="\n")  # fmt: skip
    return 0


def _moved(text: str) -> tuple[str, tuple[float, float]]:
    name, _, values = text.partition("=")
    full, _, zero = values.partition(":")
    try:
        pair = float(full), float(zero)
    except ValueError:
        pair = math.nan, math.nan
    if name not in gate_shares.BOUNDS or not (0 <= pair[0] < pair[1] < math.inf) or (name == "length" and pair[0] < 1):
        raise misuse("move", f"is {text!r}, expected GATE=FULL:ZERO of {', '.join(gate_shares.BOUNDS)}, with FULL below ZERO "
                             "(and 1 or more for length)")  # fmt: skip
    return name, pair


def _rows(file: str) -> list[dict[str, Any]]:
    out = []
    for place, row in rows_of(file):
        if not isinstance(row.get("chain"), dict):
            raise misuse("files", f"{place}: expected an object with an object `rubric`")
        out.append(row)
    return out


def _share(value: float) -> str:
    return "-" if math.isnan(value) else f"{100 * value:.2f} %"


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3g}"


def _table(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _as_json(found: gate_shares.Shares, rewarded: dict[str, gate_shares.Rewarded]) -> dict[str, Any]:
    def side(texts: gate_shares.Texts, at: int) -> dict[str, Any]:
        full, bound = texts.full(at), texts.bound(at)
        return {"texts": len(texts), "full": None if math.isnan(full) else full,
                "bound_for_99_percent": bound if math.isfinite(bound) else None}  # fmt: skip

    return {"rubrics": found.rubrics, "chains": found.rubrics, "left_out": found.left_out,
            "gates": {name: {"bound": gate_shares.BOUNDS[name][0], "zero": gate_shares.BOUNDS[name][1],
                             "own": side(found.own, at), "other": side(found.other, at)} for at, name in enumerate(gates())},
            "rewarded": {name: {"texts": one.texts, "now": one.now / one.texts, "moved": one.moved / one.texts}
                     for name, one in rewarded.items()}}  # fmt: skip
