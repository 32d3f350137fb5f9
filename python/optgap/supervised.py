"""Rows for supervised training: of scored answers those worth imitating, and the messages that a trainer reads.

    from optgap import supervised

    report = supervised.choose(["scored.jsonl"], "chosen.jsonl", quality=">0.5", keep=1)
    supervised.export("chosen.jsonl", "sft.jsonl")

docs/recipes.md shows both in a chain that ends in reinforcement learning.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import suites
from .dataset import CHUNK, writing
from .engine import Engine
from .errors import misuse
from .files.reading import rows_of
from .keys import Key

SHAPES = ("messages", "prompt_completion")
_SCORED = {
    "key": str,
    "completion": str,
    "format_name": str,
    "format": int,
    "feasible": int,
    "quality": float | int,
    "truncated": bool,
}
REASONS = (
    "rejected row",
    "broken format",
    "cut off",
    "infeasible",
    "quality",
    "repeated",
    "beyond keep",
    "beyond max_per_task",
)


@dataclass
class Choice:
    """What a filter let through, and why rows fell."""

    rows: int = 0
    kept: int = 0
    fell: dict[str, int] = field(default_factory=lambda: dict.fromkeys(REASONS, 0))
    """Rows by the first reason of REASONS that holds."""

    def __str__(self) -> str:
        out = ", ".join(f"{count} {reason}" for reason, count in self.fell.items() if count) or "none"
        return f"{self.kept} of {self.rows} rows kept; fell out: {out}"


@dataclass(frozen=True)
class _Candidate:
    place: int
    row: dict[str, Any]
    instance: str
    task: str
    level: str
    quality: float
    length: int


def choose(
    files: Sequence[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    quality: str | float = 0.5,
    keep: int | None = None,
    max_per_task: int | None = None,
) -> Choice:
    """Copies rows of `optgap score` that are worth imitating: feasible, well formed, not cut off, good enough, no text twice for
    one instance. Rows come out as they were, in their order.

    Args:
        files: JSONL; "-" is standard input.
        out: A file, or "-".
        quality: The least quality, as a number or ">=X"; ">X" leaves X out.
        keep: The most rows of one instance: by quality, then the shorter text, then the first.
        max_per_task: The most rows of one task: levels take turns.

    Raises:
        Error: A row was not scored, or is of the test split, which is kept for evaluation; or nothing is left.
    """
    least = _bound(quality)
    for name, value in (("keep", keep), ("max_per_task", max_per_task)):
        if value is not None and value < 1:
            raise misuse(name, f"is {value}, expected 1 or more")
    report = Choice()
    seen: set[tuple[str, str]] = set()
    found: list[_Candidate] = []
    for where, row in _rows(files):
        report.rows += 1
        reason = _reason(row, where, least)
        if reason is None:
            key = _key(row, where)
            instance = f"{key.task} {key.split} {key.level} {key.seed} {key.hash}"  # in any prompt style
            text = (instance, " ".join(row["completion"].split()))
            if text in seen:
                reason = "repeated"
            seen.add(text)
        if reason is None:
            found.append(
                _Candidate(report.rows, row, instance, key.task, key.level, row["quality"], len(row["completion"]))
            )
        else:
            report.fell[reason] += 1
    left = _best(found, keep)
    report.fell["beyond keep"] = len(found) - len(left)
    balanced = _balanced(left, max_per_task)
    report.fell["beyond max_per_task"] = len(left) - len(balanced)
    report.kept = len(balanced)
    if not balanced:
        raise misuse("quality", f"nothing is left: {report}")
    with writing(os.fspath(out)) as writer:
        for one in balanced:
            writer.write([one.row])
    return report


def export(
    chosen: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    shape: str = "messages",
    system: str | None = None,
    held_out_tasks: str | Sequence[str] = (),
    engine: Engine | None = None,
) -> int:
    """Writes chosen rows as a trainer's supervised data: the prompt that the row's key and format name, and its completion.
    What it is stands in columns of its own: key, task, level, quality. Returns how many rows there are.

    Args:
        chosen: JSONL that `choose` wrote.
        out: A file that ends in .parquet or .jsonl, or "-".
        shape: "messages" (one conversation), or "prompt_completion" (two lists, for a loss on the completion alone).
        system: Content of a system message before the prompt.
        held_out_tasks: Suites (docs/suites.md) whose tasks are refused.
        engine: None makes one.

    Raises:
        Error: A row has no key, completion or quality, is of the test split, or of a task that is held out.
    """
    if shape not in SHAPES:
        raise misuse("shape", f"is {shape!r}, expected one of {', '.join(SHAPES)}")
    engine = engine or Engine("cpu")
    opening = [] if system is None else [{"role": "system", "content": system}]
    rows = list(_rows([chosen]))
    keys = [_key(row, where) for where, row in rows]
    suites.refuse(held_out_tasks, sorted({key.task for key in keys}), "rows")
    with writing(os.fspath(out)) as writer:
        for first in range(0, len(rows), CHUNK):
            part = [row for _, row in rows[first : first + CHUNK]]
            for row, key, prompt in zip(part, keys[first:], _prompts(engine, part)):
                asked = [*opening, {"role": "user", "content": prompt}]
                said = [{"role": "assistant", "content": row["completion"]}]
                texts = {"messages": asked + said} if shape == "messages" else {"prompt": asked, "completion": said}
                writer.write(
                    [{**texts, "key": row["key"], "task": key.task, "level": key.level, "quality": row["quality"]}]
                )
    return len(rows)


def _prompts(engine: Engine, rows: Sequence[dict[str, Any]]) -> list[str]:
    """What each row answered, asked in its format."""
    instances = engine.instances([row["key"] for row in rows])
    of_format = {name: engine.prompts(instances, name) for name in {row["format_name"] for row in rows}}
    return [of_format[row["format_name"]][place] for place, row in enumerate(rows)]


def _bound(quality: str | float) -> tuple[float, bool]:
    """The bound, and whether it is left out itself."""
    text = str(quality).strip()
    strict = text.startswith(">") and not text.startswith(">=")
    try:
        least = float(text.removeprefix(">").removeprefix("="))
    except ValueError:
        least = -1.0
    if not 0 <= least <= 1:
        raise misuse("quality", f"is {quality!r}, expected a number from 0 to 1, alone or behind > or >=")
    return least, strict


def _rows(files: Sequence[str | os.PathLike[str]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Rows with the place where each stands."""
    for path in files:
        for place, row in _named(rows_of(path)):
            yield place, _read(row, place)


def _named(rows: Iterator[tuple[str, dict[str, Any]]]) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        yield from rows
    except ValueError as wrong:
        raise misuse("rows", str(wrong)) from None


def _read(row: dict[str, Any], where: str) -> dict[str, Any]:
    if "error" not in row:
        for name, kind in _SCORED.items():
            if not isinstance(row.get(name), kind):
                raise misuse("rows", f"{where} has no {name}: give rows that `optgap score` wrote")
    return row


def _key(row: dict[str, Any], where: str) -> Key:
    key = Key.parse(row["key"])
    if key.split == "test":
        raise misuse("rows", f"{where} is of the test split, which is kept for evaluation")
    return key


def _reason(row: dict[str, Any], where: str, least: tuple[float, bool]) -> str | None:
    """Why a row falls, whatever else there is; None where it stays."""
    if "error" in row:
        return "rejected row"
    _key(row, where)
    if row["format"] != 1:
        return "broken format"
    if row["truncated"]:
        return "cut off"
    if row["feasible"] != 1:
        return "infeasible"
    return None if row["quality"] > least[0] or (row["quality"] == least[0] and not least[1]) else "quality"


def _best(found: Sequence[_Candidate], keep: int | None) -> list[_Candidate]:
    """At most `keep` of each instance, in their order."""
    taken: dict[str, int] = {}
    left = []
    for one in sorted(found, key=lambda each: (-each.quality, each.length, each.place)):
        taken[one.instance] = taken.get(one.instance, 0) + 1
        if keep is None or taken[one.instance] <= keep:
            left.append(one)
    return sorted(left, key=lambda each: each.place)


def _balanced(found: Sequence[_Candidate], most: int | None) -> list[_Candidate]:
    """At most `most` of each task, its levels in turn, in their order."""
    if most is None:
        return list(found)
    turns: dict[tuple[str, str], int] = {}
    drawn = []
    for one in found:
        turn = turns[one.task, one.level] = turns.get((one.task, one.level), 0) + 1
        drawn.append((turn, one.place, one))
    taken: dict[str, int] = {}
    left = []
    for _, _, one in sorted(drawn, key=lambda each: each[:2]):
        taken[one.task] = taken.get(one.task, 0) + 1
        if taken[one.task] <= most:
            left.append(one)
    return sorted(left, key=lambda each: each.place)
