"""What the parts of a Python check mean: the text, lists of its parts, counts, and truths as checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Union

from .python_expressions import LONGEST, Unknown

Check = dict[str, Any]


@dataclass(frozen=True)
class Text:
    """The text, after strip() and lower()."""

    strip: bool = False
    lower: bool = False


@dataclass(frozen=True)
class Count:
    """A measure and what is added to it: an int of Python."""

    check: Any
    plus: int = 0


@dataclass(frozen=True)
class Parts:
    """A list of parts of the text: how many (None: not known), and how many that are not blank."""

    all: Count | None
    filled: Count | None
    breaks: str = ""
    """Of lines: where they end."""


@dataclass(frozen=True)
class Part:
    """An element of these, after strip() or lstrip()."""

    parts: Parts
    strip: bool = False


@dataclass(frozen=True)
class Begin:
    """What a line begins with, as an expression."""

    parts: Parts
    expression: str


Value = Union[Text, Count, Parts, Part, Begin, "Truth", "Known"]


@dataclass(frozen=True)
class Truth:
    """True or False: a check, or known."""

    check: Any


@dataclass(frozen=True)
class Known:
    """A constant: a text, an int, None or a list of texts."""

    value: Any


def opposite(truth: Truth) -> Truth:
    if isinstance(truth.check, bool):
        return Truth(not truth.check)
    return Truth(truth.check["not"] if set(truth.check) == {"not"} else {"not": truth.check})


def joined(operator: str, parts: list[Truth]) -> Truth:
    absorbs = operator == "any"
    left: list[Check] = []
    for one in parts:
        if one.check is absorbs:
            return Truth(absorbs)
        if not isinstance(one.check, bool):
            left += one.check[operator] if set(one.check) == {operator} else [one.check]
    if not left:
        return Truth(not absorbs)
    return Truth(left[0] if len(left) == 1 else {operator: left})


def within(count: Count, low: int | None, high: int | None) -> Truth:
    low = None if low is None or low - count.plus <= 0 else low - count.plus
    high = None if high is None else high - count.plus
    if high is not None and (high < 0 or (low is not None and low > high)):
        return Truth(False)
    if low is None and high is None:
        return Truth(True)
    bound = (
        {"equals": low}
        if low == high
        else {name: value for name, value in (("min", low), ("max", high)) if value is not None}
    )
    return Truth({**count.check, **bound})


def pattern_check(expression: str, **more: Any) -> Check:
    if len(expression.encode()) > LONGEST:
        raise Unknown("a long expression")
    return {"check": "pattern", "expression": expression, **more}


def sought(texts: list[str], text: Text) -> Check:
    """`in`: the needle is not folded, the text may be. An empty one stands in every text."""
    if any(not one for one in texts):
        raise Unknown("an empty text that is looked for")
    if text.strip and any(one != one.strip() for one in texts):
        raise Unknown("white space at the ends of a stripped text")
    return {"texts": texts, "boundary": "none", "fold": "lower" if text.lower else "none"}
