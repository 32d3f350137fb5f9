"""Other spellings of an answer's text: what `{way:slot}` in an attack means. A new way is a new function of WAYS."""

from __future__ import annotations

import re
from collections.abc import Callable

MANY = 100_000
"""Numbers or brackets in the largest answers."""

_INTEGER = re.compile(r"-?\d+")
_CYRILLIC = str.maketrans("aceopxyis", "\u0430\u0441\u0435\u043e\u0440\u0445\u0443\u0456\u0455")


def _numbers(spelled: Callable[[str], str]) -> Callable[[str], str]:
    return lambda text: _INTEGER.sub(lambda found: spelled(found[0]), text)


def _digits_from(zero: int) -> Callable[[str], str]:
    return lambda text: text.translate({ord("0") + digit: zero + digit for digit in range(10)})


def _full_width(text: str) -> str:
    return "".join(chr(ord(one) + 0xFEE0) if "!" <= one <= "~" else one for one in text)


def _shifted(by: int) -> Callable[[str], str]:
    return _numbers(lambda number: str(int(number) + by))


WAYS: dict[str, Callable[[str], str]] = {
    "cut": lambda text: text[: max(1, len(text) * 2 // 3)],
    "ellipsis": lambda text: f"{text[: max(2, len(text) // 3)]}, ...]",
    "upper": str.upper,
    "cyrillic": lambda text: text.translate(_CYRILLIC),
    "fullwidth": _full_width,
    "arabic": _digits_from(0x660),
    "zerowidth": _numbers(lambda number: f"{number}\u200b"),
    "combining": _numbers(lambda number: f"{number}\u0332"),
    "keycap": _numbers(lambda number: "".join(f"{digit}\ufe0f\u20e3" for digit in number)),
    "nbsp": lambda text: text.replace(" ", "\u00a0"),
    "backwards": lambda text: text[::-1],
    "floats": _numbers(lambda number: f"{number}.0"),
    "zeros": _numbers(lambda number: f"0{number}"),
    "plus": _numbers(lambda number: f"+{number}"),
    "quotes": _numbers(lambda number: f'"{number}"'),
    "hex": _numbers(lambda number: hex(int(number))),
    "spaces": lambda text: text.replace(",", " "),
    "semicolons": lambda text: text.replace(",", ";"),
    "widecommas": lambda text: text.replace(",", "\uff0c"),
    "arrows": lambda text: text if "[[" in text else text.strip("[]").replace(",", " ->"),
    "latex": lambda text: text.replace("[", r"\left[").replace("]", r"\right]"),
    "wrap32": _shifted(2**32),
    "wrap64": _shifted(2**64),
    "negative": _numbers(lambda number: str(-int(number) - 1)),
    "huge": _numbers(lambda number: number + "0" * 400),
    "repeat": lambda text: text * (MANY // max(10, len(text))),
}
"""By name. A way that leaves a text as it is makes no attack of it."""
