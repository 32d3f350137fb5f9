"""What others wrote, as text and as rows: whatever stands in a file, what is wrong with it is a ValueError with its place."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from typing import Any


def text_of(path: str | os.PathLike[str]) -> str:
    """A whole file; "-" is stdin."""
    try:
        if path == "-":
            return sys.stdin.read()
        with open(path, encoding="utf-8") as file:
            return file.read()
    except UnicodeDecodeError as wrong:
        raise ValueError(f"{os.fspath(path)}: is no text in UTF-8: {wrong.reason} at byte {wrong.start}") from None


def object_in(text: str | bytes, place: str) -> dict[str, Any]:
    """The JSON object that a text is."""
    try:
        row = json.loads(text)
    except RecursionError:
        raise ValueError(f"{place} is nested too deeply; expected a JSON object") from None
    except ValueError as wrong:
        raise ValueError(f"{place} is no JSON: {wrong}; expected an object") from None
    if not isinstance(row, dict):
        raise ValueError(f"{place} is no object; expected a JSON object")
    return row


def rows_of(path: str | os.PathLike[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a file of lines, each with its place ("rows.jsonl, line 3"); "-" is stdin."""
    name = os.fspath(path)
    source = getattr(sys.stdin, "buffer", sys.stdin)
    with contextlib.nullcontext(source) if name == "-" else open(name, "rb") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                place = f"{name}, line {number}"
                yield place, object_in(line, place)


def questions_of(path: str | os.PathLike[str]) -> tuple[list[str], list[str]]:
    """The questions of a file of lines, as GSM8K has them, and what is known to answer each ("": nothing): `question`, and
    `reference` or `answer`."""
    questions: list[str] = []
    references: list[str] = []
    for place, row in rows_of(path):
        question, reference = row.get("question"), row.get("reference") or row.get("answer") or ""
        if not isinstance(question, str) or not isinstance(reference, str):
            raise ValueError(f"{place}: expected a text `question`, and texts as `reference` or `answer`")
        questions.append(question)
        references.append(reference)
    if not questions:
        raise ValueError(f"{os.fspath(path)} has no questions")
    return questions, references
