"""Pages about what was measured: one description, written as HTML or Markdown.

    from optgap.measure import report

    page = {"title": "Run 7", "lead": "Two models.", "sections": [{"heading": "Rates", "table": {
        "columns": [{"name": "model"}, {"name": "sr", "align": "right"}], "rows": [["a", 0.93], ["b", None]]}}]}
    pathlib.Path("run7.html").write_text(report.html(page), encoding="utf-8")

docs/reports.md has the fields. NumPy's numbers and arrays may stand where numbers and lists do.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import _native
from ..core.errors import misuse

_HALVES = re.compile("[\ud800-\udfff]")
_INT64 = 1 << 63


def html(page: Mapping[str, Any]) -> str:
    """One file of HTML that opens anywhere and loads nothing: tables that sort and filter, SVG charts with their numbers
    beside them, light and dark. The same description gives the same text.

    Args:
        page: {"title", "lead", "facts", "sections", "command"} as in docs/reports.md. Texts may hold anything; NaN and
            None are shown as missing.

    Raises:
        Error: A field is unknown, missing or of the wrong form; `.field` names it ("sections[0].table.rows[2]").
    """
    return _native.page_html(_description(page))


def markdown(page: Mapping[str, Any]) -> str:
    """The same description as Markdown: aligned tables, charts as tables, pictures as links to their files.

    Raises:
        Error: As html.
    """
    return _native.page_markdown(_description(page))


def _description(page: Mapping[str, Any]) -> str:
    if not isinstance(page, Mapping):
        raise misuse("page", f"is a {type(page).__name__}, expected a dict")
    return json.dumps(_plain(page, ""), allow_nan=False)


def _plain(value: Any, field: str) -> Any:
    """What JSON knows, of what Python and NumPy have in its place."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, str):
        return _HALVES.sub("\ufffd", value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if -_INT64 <= value < _INT64 else str(value)
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, Mapping):
        return {str(name): _plain(one, f"{field}.{name}" if field else str(name)) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one, f"{field}[{place}]") for place, one in enumerate(value)]
    raise misuse(field or "page", f"holds {type(value).__name__}, expected a string, a number, None, a list or a dict")


def _float(value: float) -> float | str | None:
    if math.isnan(value):
        return None
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return value
