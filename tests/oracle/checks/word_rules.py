"""Word rules of optgap's own checks in plain Python, slow and simple: host/rubric/words written again. A text is a list
of word spans, each a run of letters, numbers and _ with its joiners, or a word that ICU finds in a run of a script
without blanks."""

import ctypes
import functools
import re
import unicodedata

SPACELESS = ("CJK UNIFIED", "CJK COMPATIBILITY IDEOGRAPH", "IDEOGRAPHIC ITERATION", "IDEOGRAPHIC NUMBER ZERO", "HIRAGANA LETTER",
             "HIRAGANA ITERATION", "HIRAGANA VOICED ITERATION", "KATAKANA LETTER", "KATAKANA ITERATION", "KATAKANA VOICED ITERATION",
             "HALFWIDTH KATAKANA", "THAI ", "LAO ", "KHMER ", "MYANMAR ")  # fmt: skip


@functools.cache
def icu():
    """(library, version); None without ICU."""
    for version in range(99, 59, -1):
        try:
            library = ctypes.CDLL(f"libicuuc.so.{version}")
        except OSError:
            continue
        getattr(library, f"ubrk_open_{version}").restype = ctypes.c_void_p
        return library, version
    return None


@functools.lru_cache(4096)
def broken(run):
    """The words of a run. A new iterator each time."""
    library, version = icu()
    status = ctypes.c_int(0)
    data = run.encode("utf-16-le")
    text = ctypes.create_string_buffer(data + b"\0\0")
    iterator = ctypes.c_void_p(
        getattr(library, f"ubrk_open_{version}")(1, b"", text, len(data) // 2, ctypes.byref(status))
    )
    ends, next_end = [], getattr(library, f"ubrk_next_{version}")
    while (end := next_end(iterator)) >= 0:
        ends.append(2 * end)
    getattr(library, f"ubrk_close_{version}")(iterator)
    return [data[a:b].decode("utf-16-le") for a, b in zip([0, *ends], ends)]


def kind(char):
    """r: of a script without blanks; w: of another word; j: joins the word before it; o: any other."""
    category, name = unicodedata.category(char), unicodedata.name(char, "")
    wordly = char.isalnum() or char == "_"
    if char in "\u30fc\uff70\uff9e\uff9f" or (name.startswith(SPACELESS) and (wordly or category[0] == "M")):
        return "r"
    if wordly:
        return "w"
    return "j" if category[0] == "M" or (category == "Cf" and char != "\u200b") else "o"


def spans(text):
    """(begin, end) of each word."""
    found = []
    for match in re.finditer("r[rj]*|w[wj]*", "".join(map(kind, text))):
        begin = match.start()
        for word in (
            broken(match[0] and text[begin : match.end()]) if match[0][0] == "r" else [text[begin : match.end()]]
        ):
            found.append((begin, begin + len(word)))
            begin += len(word)
    return found


def words(text):
    """A mark that stands on no letter is not a word, and begins none."""
    found = (re.sub(r"^\W+", "", text[a:b]) for a, b in spans(text))
    return [word for word in found if word]


def count(text, wanted, folded=str.lower):
    """Matches from the left that do not overlap, and whose ends no word crosses."""
    inside = {at for a, b in spans(text) for at in range(a + 1, b)}
    text, wanted, at, found = folded(text), folded(wanted), 0, 0
    while (at := text.find(wanted, at)) >= 0:
        whole = at not in inside and at + len(wanted) not in inside
        found, at = found + whole, at + (len(wanted) if whole else 1)
    return found
