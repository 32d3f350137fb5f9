"""Texts that a reward must judge rightly: data with a version, read by preflight and by `optgap audit`."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

VERSION = 1

EXPECTATIONS = ("always", "never", "lenient", "truth", "open")
"""What an attack may have to earn."""
RULES = ("tagged", "boxed", "line", "bare", "required", "optional", "none", "opened", "lenient", "strict", "else")
"""Of a format, by which that may differ."""
NEEDS = ("reasoning", "opening", "finish", "ends", "ours", "tagged", "boxed", "line")
"""Without which an attack cannot be written or judged."""


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
    rewarded: str
    """"always", "lenient" (where the format's tail is) or "never"."""


def texts() -> list[Text]:
    """The texts of this version."""
    return [Text(**row) for row in _rows(_beside("texts.jsonl"))]


def _beside(name: str) -> pathlib.Path:
    return pathlib.Path(__file__).with_name(name)


def _rows(path: pathlib.Path) -> list[dict[str, Any]]:
    head, *rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    if head.get("version") != VERSION:
        raise ValueError(f"{path} is of version {head.get('version')}, expected {VERSION}")
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
    return [Family(**row) for row in _rows(_beside("families.jsonl"))]


@dataclass(frozen=True)
class Attack:
    """A completion with slots, and what it must earn. attacks.jsonl says in its first line what its fields mean."""

    name: str
    about: str
    """What it tries; tables put attacks with the same word together."""
    text: str
    rewarded: str | Mapping[str, str]
    """One of EXPECTATIONS, or one for each place or rule of a format (or several of them), of which the first that fits
    counts."""
    finish: str = "stop"
    needs: str = ""
    """Words of NEEDS."""
    strict: bool = False
    """A rule of our formats: of another project's it is reported, not judged."""
    once: bool = False
    """For one question alone: its text is long."""

    def __post_init__(self) -> None:
        by_rule = {"else": self.rewarded} if isinstance(self.rewarded, str) else self.rewarded
        for what, given, known in (
            ("rewarded", by_rule.values(), EXPECTATIONS),
            ("rewarded by rule", " ".join(by_rule).split(), RULES),
            ("needs", self.needs.split(), NEEDS),
        ):
            if wrong := [word for word in given if word not in known]:
                raise ValueError(f"attack {self.name}: {what} is {wrong[0]!r}, expected one of {', '.join(known)}")


def attacks(more: str | os.PathLike[str] | None = None) -> list[Attack]:
    """The attacks of this version, those of texts.jsonl first, and those of a file like attacks.jsonl."""
    files = [_beside("attacks.jsonl"), *([pathlib.Path(more)] if more is not None else [])]
    found = [*map(_of_text, texts())]
    for path in files:
        try:
            found.extend(Attack(**_current(row)) for row in _rows(path))
        except (KeyError, TypeError, ValueError) as broken:
            raise ValueError(f"{path}: {broken}") from None
    names = [attack.name for attack in found]
    if twice := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"attacks: there are two of the name {', '.join(sorted(twice))}")
    return found


def _current(row: Mapping[str, Any]) -> dict[str, Any]:
    """`rewarded` was called `paid`."""
    return {"rewarded" if name == "paid" else name: value for name, value in row.items()}


def _of_text(text: Text) -> Attack:
    """A row of texts.jsonl, which names whole parts in its slots."""
    reasoning = text.reasoning
    for slot, written in (("{answer}", "{part:right}"), ("{wrong}", "{part:wrong}"), ("{form}", "{part:form}")):
        reasoning = reasoning.replace(slot, written)
    end = "" if text.behind is None else "{close}\n{part:right}" + text.behind
    needs = {"stop": "ends"}.get(text.needs, text.needs)
    return Attack(
        text.name,
        "preflight's texts",
        "{open}" + reasoning + end + ("{end}" if needs == "ends" else ""),
        text.rewarded,
        "stop" if text.ends else "length",
        needs,
        strict=needs == "ends",
    )
