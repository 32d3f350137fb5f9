"""Checks of kind `pattern` in the package: expressions by google-re2, where it is installed (`optgap[patterns]`)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from .. import _native

_MEMORY = 1 << 20  # of an expression's program and its cache, as in the C++ core
_guard = threading.Lock()


def find_patterns() -> bool:
    """Gives the core google-re2 once. Returns whether checks may have patterns; without, they are refused by name."""
    with _guard:
        if _native.has_patterns():
            return True
        try:
            import re2
        except ImportError:
            return False
        if not hasattr(re2, "Options"):  # another package of this name
            return False
        _native.give_patterns(lambda expression, ignore_case: _counter(re2, expression, ignore_case))
        return True


def _counter(re2: Any, expression: bytes, ignore_case: bool) -> Callable[[bytes, int], int] | str:
    """A function that counts matches in a text, at most so many; or what is wrong with the expression."""
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not ignore_case
    options.max_mem = _MEMORY
    try:
        compiled = re2.compile(expression, options)
    except re2.error as refused:
        said = refused.args[0]
        return said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)

    def count(text: bytes, most: int) -> int:
        found = at = 0
        while at <= len(text) and found < most:
            match = compiled.search(text, at)
            if match is None:
                break
            found += 1
            begin, at = match.span()
            if begin == at:
                at += _width(text, at)
        return found

    return count


def _width(text: bytes, at: int) -> int:
    """Bytes of the character at a place; 1 for a broken byte and at the end."""
    for size in (1, 2, 3, 4):
        try:
            return len(text[at : at + size].decode("utf-8").encode("utf-8")) or 1
        except UnicodeDecodeError:
            continue
    return 1
