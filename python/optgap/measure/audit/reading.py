"""A plain reading of a completion: its one final answer, by the rules of docs/formats.md and nothing of the engine's code.

The structure is read strictly (which part counts, whether there is one), the answer in it generously (whatever numbers and
brackets stand there), so that a text that is rewarded for another answer than this one is rewarded falsely.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from ...core.keys import format_fields
from ..attacks.writing import Writing

_LINE = re.compile("answer[*_` \t\u00a0]{0,8}(?::|\uff1a)", re.IGNORECASE | re.ASCII)
_BOX = re.compile("(?:\\\\boxed|\\\\fbox|\\\\framebox|\boxed)[ \t\r\n]*\\{|<\\|begin_of_box\\|>")
_BOX_TOKEN_END = "<|end_of_box|>"
_HEADER_END = "<|message|>"
_CONTENT_TYPE = re.compile(r"(?:[A-Za-z0-9 _./+=-]|<\|constrain\|>){0,64}?" + re.escape(_HEADER_END))
_OTHER_KEYBOARDS = str.maketrans("\u3010\u3011\u3014\u3015\u27e8\u27e9\u3001\u2212", "[][][],-")
"""Brackets, commas and minus signs of free spelling (docs/formats.md) that NFKC leaves as they are."""
_CUT_OFF = ("length", "abort")
_WHITE = " \t\r\n"


def final_answer(text: str, writing: Writing, finish: str, words: Sequence[str] = ()) -> str | None:
    """The answer as text: of our formats JSON or one of `words`, of others what stands in the answer's place; empty where
    nothing can be read there. None where there is no such place."""
    fields = format_fields(writing.format or "answer_only")
    behind = _behind_reasoning(text, fields, writing.place)
    found = None if behind is None else _part(behind, writing, finish)
    if found is None:
        return None
    return _value(found, words) if writing.format is not None else found.strip(_WHITE)


def _behind_reasoning(text: str, fields: dict[str, Any], place: str) -> str | None:
    """What follows the reasoning part; None where that leaves no room for an answer."""
    pairs = [] if fields["reasoning"] == "none" else fields["markers"]
    opens = [pair[0] for pair in pairs if pair[0] and len(pair) == 2]
    starts = [pair[0] for pair in pairs if pair[0] and len(pair) == 3]
    closes = [pair[1] for pair in pairs if pair[1]]
    opened = bool(fields["opened"]) or any(text.startswith(start) for start in starts)
    last = max([end for close in closes for _, end in _tags(text, close)], default=0)
    if fields["reasoning"] != "required":
        begun = max([at + 1 for one in opens for at in _places(text, one)], default=1 if opened else 0)
        return None if begun > last else text[last:]
    opening, closing = opens[0], closes[0]
    if opened and text.lstrip(_WHITE).startswith(opening):  # the template's tag said again
        text = text.lstrip(_WHITE)[len(opening) :]
    if text.count(opening) != (0 if opened else 1) or text.count(closing) != 1:
        return None
    begin = 0 if opened else text.index(opening) + len(opening)
    end = text.index(closing)
    if end < begin or not text[begin:end].strip(_WHITE):
        return None
    before = "" if opened else text[: begin - len(opening)]
    if place == "tagged" and any(tag in before for tag in fields["answer"]):
        return None
    return text[end + len(closing) :]


def _tags(text: str, tag: str) -> list[tuple[int, int]]:
    """Where a closing tag begins and ends; a header's may have a content type."""
    if not tag.endswith(_HEADER_END) or tag == _HEADER_END:
        return [(at, at + len(tag)) for at in _places(text, tag)]
    head = tag.removesuffix(_HEADER_END)
    found = [(at, _CONTENT_TYPE.match(text, at + len(head))) for at in _places(text, head)]
    return [(at, rest.end()) for at, rest in found if rest is not None]


def _places(text: str, tag: str) -> list[int]:
    return [found.start() for found in re.finditer(re.escape(tag), text)]


def _part(rest: str, writing: Writing, finish: str) -> str | None:
    """The text in the answer's place."""
    strict = not writing.lenient or finish in _CUT_OFF
    if writing.place == "bare":
        return rest
    if writing.place == "line":
        marks = list(_LINE.finditer(rest)) if writing.format is not None else list(re.finditer("####", rest))
        if not marks or finish in _CUT_OFF:
            return None
        line = rest[marks[-1].end() :]
        return _without_ends(line if strict else _first_lines(line), writing.ends)
    if writing.place == "boxed":
        boxes = list(_BOX.finditer(rest))
        if not boxes:
            return None
        begin = boxes[-1].end()
        token = boxes[-1].group().startswith("<")
        end = rest.find(_BOX_TOKEN_END, begin) if token else _closing_brace(rest, begin)
        end = None if end == -1 else end
        behind = None if end is None else rest[end + (len(_BOX_TOKEN_END) if token else 1) :]
    else:
        if rest.count(writing.before) != 1 or rest.count(writing.after) != 1:
            return None
        begin = rest.index(writing.before) + len(writing.before)
        end = rest.index(writing.after)
        behind = rest[end + len(writing.after) :] if end >= begin else None
    if end is None or behind is None or (strict and _without_ends(behind, writing.ends).strip(_WHITE)):
        return None
    return rest[begin:end]


def _first_lines(text: str) -> str:
    """Up to the line break behind which no bracket is open."""
    kept = ""
    for line in re.split(r"(?<=[\r\n])", text):
        kept += line
        opened = sum(kept.count(one) for one in "[(") - sum(kept.count(one) for one in "])")
        if kept.strip(_WHITE) and opened <= 0:
            break
    return kept


def _closing_brace(text: str, begin: int) -> int | None:
    depth, at = 1, begin
    while at < len(text):
        if text[at] == "\\":
            at += 1
        else:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at
        at += 1
    return None


def _without_ends(text: str, ends: Sequence[str]) -> str:
    for end in sorted(ends, key=len, reverse=True):
        text = text.replace(end, "")
    return text


def _value(part: str, words: Sequence[str]) -> str:
    """All numbers and brackets of a part as JSON, or the word that it is."""
    bare = unicodedata.normalize("NFKC", part).translate(_OTHER_KEYBOARDS).strip(" \t\r\n*_`$.\"'")
    for word in words:
        if re.search(rf"\b{re.escape(word)}\b", bare, re.IGNORECASE):
            return word
    plain = bare.replace("(", "[").replace(")", "]")
    numbers = [int(number) for number in re.findall(r"-?\d+", plain)]
    try:
        found = json.loads("".join(re.findall(r"-?\d+|[\[\],]", plain)))
        return json.dumps(found) if isinstance(found, list) else json.dumps(numbers)
    except ValueError:
        return json.dumps(numbers) if numbers or "[" in plain else ""
