"""Rows for supervised training: of scored rows of every kind those worth imitating, and the messages that a trainer reads.

    from optgap.data import supervised

    report = supervised.choose(["scored.jsonl"], "chosen.jsonl", quality=">0.5", keep=1)
    supervised.export("chosen.jsonl", "sft.jsonl")

docs/recipes.md shows both in a rubric that ends in reinforcement learning.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..core.engine import Engine
from ..core.errors import Error, misuse
from ..core.files.reading import rows_of
from ..core.problem import RowProblem, RowProblems
from . import suites
from .dataset import CHUNK, writing

SHAPES = ("messages", "prompt_completion")
_SCORED = {
    "format": int,
    "feasible": int,
    "quality": float | int,
    "truncated": bool,
}
_TEST = re.compile(r"[^:]*@[^:]*:test:")
"""The key of an instance, or of a problem of others', of the test split."""
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
    problem: str
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
    kinds: str | Sequence[str] | None = None,
) -> Choice:
    """Copies rows of `optgap score` that are worth imitating: feasible, well formed, not cut off, good enough, no text twice for
    one problem. Rows are of any kind (docs/rows.md) and come out as they were, in their order.

    Args:
        files: JSONL; "-" is standard input.
        out: A file, or "-".
        quality: The least quality, as a number or ">=X"; ">X" leaves X out.
        keep: The most rows of one problem, which is an instance, a rubric with its prompt, a judged row: by quality, then the shorter text, then the first.
        max_per_task: The most rows of one task: levels take turns.
        kinds: Packages with kinds of rows of your own (docs/kinds.md).

    Raises:
        Error: A row was not scored, or is of the test split, which is kept for evaluation; or nothing is left.
    """
    least = _bound(quality)
    for name, value in (("keep", keep), ("max_per_task", max_per_task)):
        if value is not None and value < 1:
            raise misuse(name, f"is {value}, expected 1 or more")
    report = Choice()
    known = _problems_of(Engine("cpu"), kinds)
    seen: set[tuple[str, str]] = set()
    found: list[_Candidate] = []
    for where, row in _rows(files):
        report.rows += 1
        reason = _reason(row, where, least)
        if reason is None:
            _, problem, task, level = _problem(known, row, where)
            written = _written(row, where)
            text = (problem, " ".join(written.split()))
            if text in seen:
                reason = "repeated"
            seen.add(text)
        if reason is None:
            found.append(_Candidate(report.rows, row, problem, task, level, row["quality"], len(written)))
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
    kinds: str | Sequence[str] | None = None,
    engine: Engine | None = None,
) -> int:
    """Writes chosen rows as a trainer's supervised data: the row's `prompt`, a text or messages, and its completion. An answer's
    prompt that the row does not hold is made from its key and format. What it is stands in columns of its own: key (None where
    the row has none), task, level, quality. Returns how many rows there are.

    Args:
        chosen: JSONL that `choose` wrote.
        out: A file that ends in .parquet or .jsonl, or "-".
        shape: "messages" (one conversation), or "prompt_completion" (two lists, for a loss on the completion alone).
        system: Content of a system message before the prompt.
        held_out_tasks: Suites (docs/suites.md) whose tasks are refused.
        kinds: Packages with kinds of rows of your own (docs/kinds.md).
        engine: None makes one.

    Raises:
        Error: A row has no prompt, completion or quality, is of the test split, or of a task that is held out.
    """
    if shape not in SHAPES:
        raise misuse("shape", f"is {shape!r}, expected one of {', '.join(SHAPES)}")
    engine = engine or Engine("cpu")
    opening = [] if system is None else [{"role": "system", "content": system}]
    known = _problems_of(engine, kinds)
    rows = list(_rows([chosen]))
    problems = [_problem(known, row, where) for where, row in rows]
    suites.refuse(held_out_tasks, sorted({task for _, _, task, _ in problems}), "rows")
    with writing(os.fspath(out)) as writer:
        for first in range(0, len(rows), CHUNK):
            part, of = rows[first : first + CHUNK], problems[first : first + CHUNK]
            prompts = _prompts(engine, part, [kind for kind, *_ in of])
            for (where, row), (_, _, task, level), prompt in zip(part, of, prompts):
                asked = [*opening, *prompt]
                said = [{"role": "assistant", "content": _written(row, where)}]
                texts = {"messages": asked + said} if shape == "messages" else {"prompt": asked, "completion": said}
                writer.write(
                    [{**texts, "key": row.get("key"), "task": task, "level": level, "quality": row["quality"]}]
                )
    return len(rows)


def _problems_of(engine: Engine, kinds: str | Sequence[str] | None) -> RowProblems:
    return RowProblems(engine, None if kinds is None else {"kinds": kinds if isinstance(kinds, str) else list(kinds)})


def _prompts(
    engine: Engine, rows: Sequence[tuple[str, dict[str, Any]]], kinds: Sequence[str]
) -> list[list[dict[str, str]]]:
    """What each row was asked, as messages."""
    unasked = [place for place, (_, row) in enumerate(rows) if row.get("prompt") is None]
    for place in unasked:
        where, row = rows[place]
        if kinds[place] != "answer" or not isinstance(row.get("key"), str):
            of = "an answer without a key" if kinds[place] == "answer" else f"rows of the kind {kinds[place]}"
            raise misuse("prompt", f"{where} has none, and of {of} none can be made: give rows with what was asked")
    found: dict[int, list[dict[str, str]]] = {}
    if unasked:
        instances = engine.instances([rows[place][1]["key"] for place in unasked])
        formats = [rows[place][1]["format_name"] for place in unasked]
        made = {name: engine.prompts(instances, name) for name in set(formats)}
        found = {place: _messages(made[name][k]) for k, (place, name) in enumerate(zip(unasked, formats))}
    return [found[place] if place in found else _messages(row["prompt"]) for place, (_, row) in enumerate(rows)]


def _messages(prompt: str | list[dict[str, str]]) -> list[dict[str, str]]:
    return [{"role": "user", "content": prompt}] if isinstance(prompt, str) else prompt


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


def _problem(known: RowProblems, row: dict[str, Any], where: str) -> RowProblem:
    _refuse_test(row, where)
    try:
        return known.problem(row)
    except Error as wrong:
        raise misuse("rows", f"{where}: {wrong}") from None


def _refuse_test(row: dict[str, Any], where: str) -> None:
    if _TEST.match(str(row.get("key", ""))):
        raise misuse("rows", f"{where} is of the test split, which is kept for evaluation")


def _written(row: dict[str, Any], where: str) -> str:
    """What the model wrote; of a proposal that stands in the row alone, its JSON."""
    text = row.get("completion")
    if text is None and "proposal" in row:
        return json.dumps(row["proposal"], ensure_ascii=False)
    if not isinstance(text, str):
        raise misuse("rows", f"{where} has no completion: give rows that `optgap score` wrote")
    return text


def _reason(row: dict[str, Any], where: str, least: tuple[float, bool]) -> str | None:
    """Why a row falls, whatever else there is; None where it stays."""
    if "error" in row:
        return "rejected row"
    _refuse_test(row, where)
    if row["format"] != 1:
        return "broken format"
    if row["truncated"]:
        return "cut off"
    if row["feasible"] != 1:
        return "infeasible"
    return None if row["quality"] > least[0] or (row["quality"] == least[0] and not least[1]) else "quality"


def _best(found: Sequence[_Candidate], keep: int | None) -> list[_Candidate]:
    """At most `keep` of each problem, in their order."""
    taken: dict[str, int] = {}
    left = []
    for one in sorted(found, key=lambda each: (-each.quality, each.length, each.place)):
        taken[one.problem] = taken.get(one.problem, 0) + 1
        if keep is None or taken[one.problem] <= keep:
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
