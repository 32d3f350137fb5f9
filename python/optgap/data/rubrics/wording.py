"""What a model is asked in order to make a rubric, and how its replies are read. A reply is data; nothing of it runs."""

from __future__ import annotations

import json
from typing import Any

from .word_lists import words_of

MAX_POINTS = 8
MAX_CHECKS = 8
_TRIES = 100  # brackets: a hostile reply has as many as bytes

OUTPUT_TOKENS = {"reference": 652, "points": 234, "keywords": 103, "style": 497}
"""Of one reply, as RLVRR's Table 10 has them: what a price is estimated by."""

_POINTS = """Below are a question and a good answer to it. List the key points that any good answer must make, at most {most}, each a
short phrase. Leave out what only this answer's wording has.

Reply with JSON alone, a list of texts: ["…", "…"]

Question:
{prompt}

Answer:
{reference}
"""

_KEYWORDS = """Below are the key points of an answer, and the answer. For each point choose the words by which one sees that an answer makes
it: two to eight keywords a point, each of one or two words, spelt exactly as they stand in the answer. No filler words.

Reply with JSON alone, a list of keywords for each point in the order of the points: [["…", "…"], ["…"]]

Points:
{points}

Answer:
{reference}
"""

_STYLE = """Below are a question and a good answer to it. Say how a good answer looks, apart from what it says: its length, its parts, its
marks. Choose two to {most} of these checks, with bounds that leave other good answers room, and a weight from 0 to 1 each:

{{"check": "words", "in": [LOW, HIGH]}}        words; likewise "sentences", "paragraphs", "bullets", "numbered", "headings",
                                             "bold", "tables", "fences", "questions", "exclamations", "commas"
{{"check": "longest_line", "max": N}}          characters of the longest line
{{"check": "contains", "texts": ["…"], "min": 1}}   how many of these texts stand in the answer
{{"not": {{"check": "contains", "texts": ["…"], "min": 1}}}}   none of them does
{{"check": "starts_with", "texts": ["…"]}}      likewise "ends_with"
{{"check": "upper_words", "ratio_max": N}}     words in capitals, in a thousand words

Bounds are "min" and "max", or "in". Reply with JSON alone, a list: [{{"check": …, "weight": 0.5}}, …]

Question:
{prompt}

Answer:
{reference}
"""


def points_request(prompt: str, reference: str) -> str:
    return _POINTS.format(most=MAX_POINTS, prompt=prompt, reference=reference)


def keywords_request(points: list[str], reference: str) -> str:
    listed = "\n".join(f"{place}. {point}" for place, point in enumerate(points, 1))
    return _KEYWORDS.format(points=listed, reference=reference)


def style_request(prompt: str, reference: str) -> str:
    return _STYLE.format(most=MAX_CHECKS, prompt=prompt, reference=reference)


def read_list(text: str) -> list[Any] | None:
    """The JSON list that begins at one of the first brackets of a reply, behind its reasoning; None where there is none."""
    text = text.rpartition("</think>")[2]
    at = text.find("[")
    for _try in range(_TRIES):
        if at < 0:
            return None
        try:
            found, _end = json.JSONDecoder().raw_decode(text, at)
            # Half a pair of surrogates, which JSON can say, is no text that a file or the engine takes.
            whole = json.dumps(found, ensure_ascii=False).encode(errors="replace")
        except RecursionError:
            return None
        except ValueError:
            at = text.find("[", at + 1)
            continue
        return list(json.loads(whole))
    return None


def read_points(text: str) -> list[str]:
    """Key points; empty where the reply has none."""
    found = [one.strip()[:200] for one in read_list(text) or [] if isinstance(one, str) and one.strip()]
    return list(dict.fromkeys(found))[:MAX_POINTS]


def read_keywords(text: str, points: int) -> list[list[str]]:
    """A list for each point: what is no text, has more than two words or 64 bytes, or comes twice, is left out."""
    found = read_list(text) or []
    lists = [one if isinstance(one, list) else [] for one in found[:points]]
    lists += [[]] * (points - len(lists))
    out: list[list[str]] = []
    for one in lists:
        kept = {word.strip().lower(): word.strip() for word in reversed(one)
                if isinstance(word, str) and 1 <= len(words_of(word)) <= 2 and len(word.strip().encode()) <= 64}  # fmt: skip
        out.append(list(reversed(kept.values()))[:16])
    return out


def read_checks(text: str) -> list[dict[str, Any]]:
    """Checks with weights; whether each can be compiled is seen later."""
    out: list[dict[str, Any]] = []
    for one in read_list(text) or []:
        if not isinstance(one, dict):
            continue
        weight = one.get("weight", 1)
        sound = isinstance(weight, (int, float)) and not isinstance(weight, bool) and 0 < weight <= 1000
        out.append({**one, "weight": round(float(weight), 6) if sound else 1})
    return [one for one in out if one["weight"] > 0][:MAX_CHECKS]
