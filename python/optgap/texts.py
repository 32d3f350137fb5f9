"""Places in texts."""

from __future__ import annotations


def str_span(text: str, begin: int, end: int) -> tuple[int, int]:
    """A span of UTF-8 bytes, as results carry it, as indices into the str: text[i:j] is what was read.

    The same numbers for ASCII texts. Lone surrogates count three bytes each.
    """
    if text.isascii():
        return begin, end
    data = text.encode("utf-8", "surrogatepass")
    before = len(data[:begin].decode("utf-8", "surrogatepass"))
    return before, before + len(data[begin:end].decode("utf-8", "surrogatepass"))
