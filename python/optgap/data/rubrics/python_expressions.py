"""Regular expressions of Python as RE2's, where both match the same: read by Python's own parser, written again from its tree."""

from __future__ import annotations

import importlib
import re
import sys
from typing import Any

_sre: Any = importlib.import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")

SPACES = r"\t-\r\x1c-\x1f\pZ\x85"
"""The 29 characters of \\s in a class."""
BREAKS = r"\n-\r\x1c-\x1e\x85\p{Zl}\p{Zp}"
"""Where str.splitlines() splits."""
LONGEST = 200
"""Bytes of an expression of a check."""
_WORDS = r"\p{L}\p{N}_"
_MOST_REPEATS = 1000


class Unknown(Exception):
    """What is not recognised, in a few words."""


def literal(text: str) -> str:
    """The text itself."""
    return "".join(_character(one) for one in text)


def _character(one: str) -> str:
    if one.isascii() and not one.isalnum() and one != "_" or not one.isprintable():
        return rf"\x{{{ord(one):x}}}" if one.isspace() or not one.isprintable() else "\\" + one
    return one


class _Writer:
    def __init__(self, flags: int, breaks: str) -> None:
        self.folds = bool(flags & re.IGNORECASE)
        self.lines = bool(flags & re.MULTILINE)
        self.dots = bool(flags & re.DOTALL)
        self.breaks = breaks
        """Characters that may not be matched: the expression is asked of one line."""

    def sequence(self, items: Any, last: bool) -> str:
        parts = list(items)
        return "".join(self.item(op, value, last and at == len(parts) - 1) for at, (op, value) in enumerate(parts))

    def item(self, op: Any, value: Any, last: bool) -> str:
        name = str(op)
        if name == "LITERAL":
            return self.one(chr(value))
        if name == "NOT_LITERAL":
            return f"[^{self.in_class(chr(value))}{self.breaks}]"
        if name == "ANY":
            if self.breaks:
                return f"[^{self.breaks}]"
            return "(?s:.)" if self.dots else "."
        if name == "IN":
            return self.one_of(value)
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            return self.repeat(value, name == "MIN_REPEAT")
        if name == "SUBPATTERN":
            _, added, removed, inner = value
            if added or removed:
                raise Unknown("flags inside of an expression")
            return f"(?:{self.sequence(inner, last)})"
        if name == "BRANCH":
            return "(?:" + "|".join(self.sequence(one, last) for one in value[1]) + ")"
        if name == "AT":
            return self.place(str(value), last)
        raise Unknown(f"an expression with {name.lower()}")

    def place(self, name: str, last: bool) -> str:
        if name == "AT_BEGINNING_STRING" or (name == "AT_BEGINNING" and not self.lines):
            if self.breaks:
                return ""  # asked of one line, and at its begin: seen before
            return r"\A"
        if self.breaks:
            raise Unknown(f"an expression of a line with {name.lower()}")
        if name == "AT_BEGINNING":
            return "(?m:^)"
        if name == "AT_END" and self.lines:
            return "(?m:$)"
        if name == "AT_END" and last:
            return r"(?:\n?\z)"
        if name == "AT_END_STRING":
            return r"\z"
        raise Unknown(f"an expression with {name.lower()}")

    def repeat(self, value: Any, lazy: bool) -> str:
        low, high, inner = value
        if low > _MOST_REPEATS or (high != _sre.MAXREPEAT and high > _MOST_REPEATS):
            raise Unknown("an expression with more than 1000 repeats")
        if inner.getwidth()[0] == 0:
            raise Unknown("an expression that repeats nothing")
        text = self.sequence(inner, False)
        many = len(inner) > 1 or str(inner[0][0]) not in ("LITERAL", "NOT_LITERAL", "ANY", "IN", "SUBPATTERN")
        text = f"(?:{text})" if many else text
        times = {(0, None): "*", (1, None): "+", (0, 1): "?"}.get((low, None if high == _sre.MAXREPEAT else high))
        if times is None:
            times = f"{{{low}}}" if low == high else f"{{{low},{'' if high == _sre.MAXREPEAT else high}}}"
        return text + times + ("?" if lazy else "")

    def one(self, character: str) -> str:
        if self.folds and character in "iI":
            return "[i\u0130\u0131]"
        self._sure(character)
        return _character(character)

    def _sure(self, character: str) -> None:
        if self.folds and not character.isascii() and character.lower() != character.upper():
            raise Unknown("letters beyond ASCII whose case is ignored")

    def in_class(self, character: str) -> str:
        self._sure(character)
        return _character(character) + ("\u0130\u0131" if self.folds and character in "iI" else "")

    def one_of(self, items: Any) -> str:
        parts, negated, categories = [], False, []
        for op, value in items:
            name = str(op)
            if name == "NEGATE":
                negated = True
            elif name == "LITERAL":
                parts.append(self.in_class(chr(value)))
            elif name == "RANGE":
                low, high = value
                if self.folds and high > 127:
                    raise Unknown("letters beyond ASCII whose case is ignored")
                folded = any(low <= ord(one) <= high for one in "iI") and self.folds
                parts.append(f"{_character(chr(low))}-{_character(chr(high))}" + ("\u0130\u0131" if folded else ""))
            elif name == "CATEGORY":
                categories.append(str(value))
            else:
                raise Unknown(f"a class with {name.lower()}")
        plain = {"CATEGORY_DIGIT": r"\p{Nd}", "CATEGORY_SPACE": SPACES, "CATEGORY_WORD": _WORDS}
        for one in categories:
            if one in plain:
                parts.append(plain[one])
            elif len(items) == 1:  # \D, \S, \W alone
                negated = True
                parts.append(plain[one.replace("_NOT_", "_")])
            else:
                raise Unknown("a class with the opposite of a class in it")
        if self.breaks and not negated:
            return self._without_breaks(parts, categories)
        return f"[{'^' if negated else ''}{''.join(parts)}{self.breaks if negated else ''}]"

    def _without_breaks(self, parts: list[str], categories: list[str]) -> str:
        """A class of a line: white space but not the end of the line."""
        spaces = line_spaces(self.breaks)
        return "[" + "".join(spaces if part == SPACES else part for part in parts) + "]"


def line_spaces(breaks: str) -> str:
    """The white space that may stand in a line."""
    if breaks == r"\n":
        return SPACES.replace(r"\t-\r", r"\t\x0b-\r")
    return r"\t\x1f\p{Zs}"


def parsed(expression: str, flags: int) -> Any:
    """Python's tree of an expression. Raises Unknown."""
    if len(expression) > 4 * LONGEST:
        raise Unknown("a long expression")
    try:
        return _sre.parse(expression, flags)
    except (re.error, OverflowError, RecursionError, ValueError) as broken:
        raise Unknown(f"an expression that is none: {broken}"[:120]) from None


def translated(expression: str, flags: int = 0, breaks: str = "") -> tuple[str, bool]:
    """The expression for RE2, and whether it may match nothing. `breaks`: it stands at the begin of a line, and matches none
    of these. Raises Unknown."""
    if flags & ~(re.IGNORECASE | re.MULTILINE | re.DOTALL):
        raise Unknown("other flags than IGNORECASE, MULTILINE and DOTALL")
    tree = parsed(expression, flags)
    if tree.state.flags & ~(flags | re.UNICODE):
        raise Unknown("flags inside of an expression")
    if breaks and any(str(op) == "LITERAL" and chr(value) in "\n\r" for op, value in _walk(tree)):
        raise Unknown("a line break in an expression of a line")
    written = _Writer(flags, breaks).sequence(tree, True)
    if len(written.encode()) > LONGEST - 60 * bool(breaks):
        raise Unknown("a long expression")
    return written, tree.getwidth()[0] == 0


def _walk(tree: Any) -> Any:
    for op, value in tree:
        yield op, value
        if str(op) in ("MAX_REPEAT", "MIN_REPEAT"):
            yield from _walk(value[2])
        elif str(op) == "SUBPATTERN":
            yield from _walk(value[3])
        elif str(op) == "BRANCH":
            for one in value[1]:
                yield from _walk(one)
        elif str(op) == "IN":
            yield from value


def word_run(expression: str) -> bool:
    """Whether it is \\w+, perhaps between word boundaries."""
    return expression in (r"\w+", r"\b\w+\b", r"(\w+)", r"\b(\w+)\b")


_PLAIN = r"[^\\()\[\]{}.*+?^$|]"
_BOUNDED = re.compile(rf"\\b(?:\((?:\?:)?({_PLAIN}+(?:\|{_PLAIN}+)*)\)|({_PLAIN}+))\\b")


def whole_words(expression: str) -> list[str] | None:
    """The texts of \\b(?:one|other)\\b; None for anything else."""
    found = _BOUNDED.fullmatch(expression)
    texts = (found.group(1) or found.group(2)).split("|") if found else []
    ends = [end for text in texts for end in (text[0], text[-1])]
    return texts if texts and all(end.isalnum() or end == "_" for end in ends) else None
