"""Keywords without a model: random words of a reference, or those of the highest TF-IDF; the paper's arms of one level."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Sequence

MOST = 64
"""Keywords that a list may hold."""
_LONGEST = 64  # bytes of a keyword


def words_of(text: str) -> list[str]:
    """Words as lists of keywords can hold them: runs of word characters of at most 64 bytes."""
    return [word for word in re.findall(r"\w+", text) if len(word.encode()) <= _LONGEST]


def _wanted(distinct: int, share: float) -> int:
    return min(MOST, distinct, math.ceil(share * distinct))


def _spellings(text: str) -> dict[str, str]:
    """Each word as it first stands, by its lower case, in the text's order."""
    found: dict[str, str] = {}
    for word in words_of(text):
        found.setdefault(word.lower(), word)
    return found


def by_chance(text: str, share: float, seed: str) -> list[str]:
    """A share of a text's different words, drawn by `seed` alone, in the text's order."""
    known = _spellings(text)
    chosen = set(random.Random(seed).sample(sorted(known), _wanted(len(known), share)))
    return [word for key, word in known.items() if key in chosen]


class Frequencies:
    """In how many texts of a data set each word stands."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = len(texts)
        self._with = Counter(word for text in texts for word in {word.lower() for word in words_of(text)})

    def weight(self, word: str, times: int) -> float:
        """Times in the text, by the logarithm of how rare it is: ln((1 + texts) / (1 + texts with it)) + 1."""
        return times * (math.log((1 + self.texts) / (1 + self._with[word])) + 1)

    def keywords(self, text: str, share: float) -> list[str]:
        """The share of a text's different words that weigh most, in the text's order; of equals the earlier."""
        known = _spellings(text)
        times = Counter(word.lower() for word in words_of(text))
        ranked = sorted(known, key=lambda key: -self.weight(key, times[key]))
        chosen = set(ranked[: _wanted(len(known), share)])
        return [word for key, word in known.items() if key in chosen]
