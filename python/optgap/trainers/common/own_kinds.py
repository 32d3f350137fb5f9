"""Packages with kinds of rows, estimators and shapes of a user's own (docs/kinds.md), as the adapters of this process and of those
that it starts use them."""

from __future__ import annotations

import functools
import json
import os
from typing import Any

VARIABLE = "OPTGAP_KINDS"
"""The environment variable that names the packages: "one,two", or JSON with `kinds` and options of these kinds."""


def options() -> dict[str, Any]:
    """What OPTGAP_KINDS says, as arguments of a Scorer; empty where it says nothing. Loads the packages, so that specs may name
    their estimators and shapes. Raises Error for what is wrong."""
    return dict(_read(os.environ.get(VARIABLE, "")))


@functools.lru_cache(maxsize=4)
def _read(text: str) -> dict[str, Any]:
    if not text:
        return {}
    from optgap.core.errors import misuse
    from optgap.core.keys import load_kinds

    if not text.lstrip().startswith("{"):
        load_kinds(text)
        return {"kinds": text}
    try:
        given = json.loads(text)
    except ValueError as why:
        raise misuse(VARIABLE, f"is no JSON: {why}") from None
    if "kinds" not in given:
        raise misuse(VARIABLE, 'names no packages: expected one,two or {"kinds": "one,two", …}')
    load_kinds(given["kinds"])
    return dict(given)
