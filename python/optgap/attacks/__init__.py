"""Texts that a reward must judge rightly before a run: data with a version, read by preflight and by audits."""

from __future__ import annotations

import json
import pathlib
from dataclasses import dataclass
from typing import Any

VERSION = 1


@dataclass(frozen=True)
class Text:
    """One way to write a completion around a right answer."""

    name: str
    reasoning: str
    """What stands in the reasoning part, with {wrong}, {form} and {answer} for answer parts."""
    behind: str | None
    """What follows the answer part; None: there is no part, the text ends in its reasoning."""
    ends: bool
    """The turn is finished by an end token."""
    needs: str
    """"reasoning": only where a reasoning part is marked; "stop": once for every string that generation stops on."""
    paid: str
    """"always", "lenient" (where the format's tail is) or "never"."""


def texts() -> list[Text]:
    """The texts of this version."""
    return [Text(**row) for row in _rows("texts.jsonl")]


def _rows(name: str) -> list[dict[str, Any]]:
    path = pathlib.Path(__file__).with_name(name)
    head, *rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    if head["version"] != VERSION:
        raise ValueError(f"{path} is of version {head['version']}, expected {VERSION}")
    return rows


@dataclass(frozen=True)
class Family:
    """What is published of a family of models."""

    family: str
    stops: list[str]
    markers: list[str]
    source: str


def families() -> list[Family]:
    """The table of families, with sources."""
    return [Family(**row) for row in _rows("families.jsonl")]
