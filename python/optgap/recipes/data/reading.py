"""A user's files, read and checked: open-ended pairs, and mathematics."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...core.errors import misuse
from ...core.files.reading import questions_of, rows_of

Path = str | os.PathLike[str]


@dataclass(frozen=True)
class Pair:
    """A prompt with the texts that answer it well, and perhaps the rubric that rewards an answer."""

    prompt: str
    references: tuple[str, ...]
    rubric: dict[str, Any] | None
    row: dict[str, Any]
    """As it stands in the file."""


@dataclass(frozen=True)
class Problem:
    """A mathematical problem and its answer."""

    prompt: str
    answer: str


def pairs(path: Path, option: str = "pairs") -> list[Pair]:
    """JSONL of rows with `prompt` and `references` (texts) or `reference` (one), perhaps with `rubric`, as `optgap rubric make` and
    `optgap rubric import` write them: there the prompt may be called `input`, and references may stand in the rubric. All rows
    have a rubric, or none has. Raises Error with the line."""
    found = [_pair(place, row, option) for place, row in _lines(path, option)]
    chained = sum(one.rubric is not None for one in found)
    if chained not in (0, len(found)):
        raise misuse(option, f"{os.fspath(path)}: {chained} of {len(found)} rows have a rubric, expected all or none")
    return found


def maths(path: Path, option: str = "data") -> list[Problem]:
    """JSONL of rows with the texts `prompt` and `answer`. Raises Error with the line."""
    return [Problem(_text(row, "prompt", place, option), _text(row, "answer", place, option))
            for place, row in _lines(path, option)]  # fmt: skip


def questions(path: Path, option: str = "questions") -> int:
    """How many questions in free text a file has. Raises Error with the line."""
    try:
        return len(questions_of(path)[0])
    except OSError as wrong:
        raise misuse(option, f"cannot be read: {wrong}") from None
    except ValueError as wrong:
        raise misuse(option, str(wrong)) from None


def messages_of(row: dict[str, Any], place: str) -> list[dict[str, str]]:
    """What a row asks: its `prompt`, its `input` or its rubric's prompt, a text or messages. Raises Error with the place."""
    prompt = row.get("prompt") or row.get("input") or (_rubric(row) or {}).get("prompt")
    if isinstance(prompt, str):
        return [{"role": "user", "content": prompt}]
    if isinstance(prompt, list):
        return prompt
    raise misuse("rows", f"{place} has no prompt: expected a text or messages")


def _lines(path: Path, option: str) -> Iterator[tuple[str, dict[str, Any]]]:
    count = 0
    try:
        for place, row in rows_of(path):
            count += 1
            yield place, row
    except OSError as wrong:
        raise misuse(option, f"cannot be read: {wrong}") from None
    except ValueError as wrong:
        raise misuse(option, str(wrong)) from None
    if not count:
        raise misuse(option, f"{os.fspath(path)} has no rows")


def _rubric(row: dict[str, Any]) -> Any:
    """The column `rubric`, by its former name in older files; None where it is missing."""
    return row.get("rubric", row.get("chain"))


def _pair(place: str, row: dict[str, Any], option: str) -> Pair:
    rubric = _rubric(row)
    if rubric is not None and not isinstance(rubric, dict):
        raise misuse(option, f"{place}: rubric is no object; `optgap rubric make` and `rubric import` write rubrics")
    inside = rubric or {}
    name = next((name for name in ("prompt", "input") if name in row), "prompt")
    prompt = _text(row if name in row else inside, name, place, option)
    references = row.get("references") or ([row["reference"]] if "reference" in row else inside.get("references") or [])
    if not isinstance(references, list) or not all(isinstance(one, str) and one.strip() for one in references):
        raise misuse(option, f"{place}: references is no list of texts")
    if not references and rubric is None:
        raise misuse(option, f"{place} has no references: expected `references`, a list of texts, or `reference`")
    return Pair(prompt, tuple(references), rubric, row)


def _text(row: dict[str, Any], name: str, place: str, option: str) -> str:
    text = row.get(name)
    if isinstance(text, list) and text and all(isinstance(one, dict) for one in text):  # messages
        text = "\n\n".join(str(one.get("content", "")) for one in text)
    if not isinstance(text, str) or not text.strip():
        raise misuse(option, f"{place} has no {name}: expected a text")
    return text
