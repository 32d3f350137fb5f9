"""How rates and their differences are written in tables and on pages."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from typing import Any

from ...core.files.run_folder import replace
from .. import report

NAMES = {"sr": "SR", "qr": "QR", "normalized": "norm. QR", "optimal": "optimal", "tokens": "tokens"}
NOTES = {
    "sr": "share of feasible answers",
    "qr": "mean quality, 0 where infeasible",
    "normalized": "mean quality between a constant policy (0) and the baseline (100)",
    "optimal": "share of answers proven optimal",
    "tokens": "mean length, as the server counted it",
}
UNKNOWN = "–"
CONSTANT, GREEDY, OPTIMUM = "constant policy", "greedy", "proven optimum"


def scale(measure: str) -> int:
    """Rates are written as percentages, tokens as they are."""
    return 1 if measure == "tokens" else 100


def unit(measure: str) -> str:
    return NAMES[measure] if measure == "tokens" else f"{NAMES[measure]} %"


def figure(value: float | None, times: int = 100, sign: str = "") -> str:
    """One decimal, with `sign` "+" also the sign."""
    return UNKNOWN if value is None else f"{times * value:{sign}.1f}"


def with_interval(value: float | None, ends: Sequence[float] | None, times: int = 100, sign: str = "") -> str:
    shown = figure(value, times, sign)
    return shown if ends is None else f"{shown} [{figure(ends[0], times, sign)}, {figure(ends[1], times, sign)}]"


def with_ends(value: float, ends: Sequence[float] | None) -> list[float]:
    """A point of a chart in per cent, with its interval."""
    return [round(100 * one, 2) for one in [value, *(ends or [])]]


def short_json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:79] + "…"


def right(name: str, note: str | None = None) -> dict[str, str]:
    """A column of numbers."""
    return {"name": name, "align": "right", **({} if note is None else {"note": note})}


def check_page_name(option: str, path: str) -> None:
    """Raises ValueError."""
    if not path.endswith((".html", ".md")):
        raise ValueError(f"{option}: {path!r} must end in .html or .md, which says what is written")


def write_page(path: str, described: dict[str, Any]) -> None:
    """A page as HTML or Markdown, by the name of its file."""
    replace(path, report.markdown(described) if path.endswith(".md") else report.html(described))


def command_of(words: Sequence[str]) -> str:
    """A command as it stands at the foot of its page; `words` follow `optgap`."""
    return shlex.join(["optgap", *words])
