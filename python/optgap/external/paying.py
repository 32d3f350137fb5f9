"""External rows paid: the answer found by the row's format, judged in a worker, rewarded by the engine's arithmetic."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import _native, arguments
from ..errors import Error
from ..results import NO_OBJECTIVE
from .calls import Call, Code, Outcome
from .own_pool import workers
from .pool import Pool
from .problems import ExternalProblem
from .protocol import UNIT, NoVerdict, Verdict, read_verdict

logger = logging.getLogger("optgap")

COLUMNS = (
    "reward", "format", "feasible", "quality", "raw_ratio", "normalized", "optimal", "length_penalty", "code", "truncated",
)  # fmt: skip
_CODE_EMPTY = 13


class Paid(NamedTuple):
    """One row: the reward's columns, and what only external rows have."""

    reward: float
    """NaN where a truncated row is excluded."""
    format: bool
    feasible: bool
    quality: float
    raw_ratio: float
    normalized: float
    correct: bool
    length_penalty: float
    truncated: bool
    code: int
    score: float | None
    """For ranking estimators, more is better: quality, or the objective where the environment has one, negated where it is
    minimised; None where infeasible."""
    message: str
    """What the environment did wrong, or nothing."""


def pay(
    asked: Sequence[ExternalProblem],
    texts: Sequence[str | bytes],
    *,
    finish: Sequence[str] | None = None,
    lengths: Sequence[int] | None = None,
    reward: str = "forge",
    by: Pool | None = None,
) -> list[Paid]:
    """Judges completions, row by row. A row whose environment hangs, crashes, needs too much memory, raises or says what is
    no verdict has that for a code and the reward of an infeasible answer.

    Blocks until all rows are judged, up to their deadlines: from an event loop, call it in a thread.
    """
    rows = len(texts)
    how = arguments.finish_rows(finish, rows)
    places = _native.find_answers(texts, arguments.format_rows([each.format for each in asked], rows), how)
    verdicts = _verdicts(by or workers(), asked, _answers(texts, places))
    maximise = np.array([verdict.maximise for verdict, *_ in verdicts], np.int32)
    columns = _native.external_rewards(
        np.array([code for _, code, _ in verdicts], np.int32),
        np.array([verdict.objective for verdict, *_ in verdicts], np.int64),
        places["format_code"],
        maximise,
        _baselines([verdict for verdict, *_ in verdicts]),
        how,
        arguments.optional(lengths, np.int32, "length", rows),
        reward,
    )
    lists = [columns[name].tolist() for name in COLUMNS]
    return [
        _row(verdict, message, dict(zip(COLUMNS, values))) for (verdict, _, message), *values in zip(verdicts, *lists)
    ]


_NOTHING = Verdict(False, 0, 1, None, None, True, False)


def _answers(texts: Sequence[str | bytes], places: Mapping[str, Any]) -> list[str | None]:
    """The text between the answer's markers, without white space around it; None where there is none."""
    found: list[str | None] = []
    spans = zip(texts, places["has_answer"].tolist(), places["begin"].tolist(), places["end"].tolist())
    for text, has_answer, begin, end in spans:
        if not has_answer:
            found.append(None)
            continue
        # Offsets count bytes of UTF-8; of ASCII these are characters.
        if isinstance(text, str) and not text.isascii():
            text = text.encode("utf-8", "surrogatepass")
        part = text[begin:end]
        found.append((part if isinstance(part, str) else part.decode("utf-8", "replace")).strip())
    return found


def _verdicts(
    by: Pool, asked: Sequence[ExternalProblem], answers: Sequence[str | None]
) -> list[tuple[Verdict, int, str]]:
    """Verdict, code and message per row. A row without an answer asks nobody, nor does an empty one where no empty answer is
    right."""
    there = [row for row, answer in enumerate(answers) if answer is not None]
    known = [row for row in there if _known(by, asked[row].key.task)]
    known = [row for row in known if answers[row] or _accepts_empty(by, asked[row].key.task)]
    outcomes = by.run([Call(asked[row].key.task, "verify", (asked[row].problem, answers[row])) for row in known])
    by_row = dict(zip(known, outcomes))
    found = []
    for row in range(len(answers)):
        outcome = by_row.get(row)
        if outcome is not None:
            verdict, code, message = _judged(by, asked[row], outcome)
            found.append((verdict, _CODE_EMPTY if code == Code.WRONG and not answers[row] else code, message))
        elif answers[row]:
            found.append(_failed(by, asked[row], Code.ERROR, "no environment of this name is configured here"))
        else:
            found.append((_NOTHING, _CODE_EMPTY, ""))
    return found


def _known(by: Pool, task: str) -> bool:
    try:
        by.settings.source(task)
    except Error:
        return False
    return True


def _accepts_empty(by: Pool, task: str) -> bool:
    try:
        return by.describe(task).accepts_empty
    except Error:  # it cannot be loaded
        return False


def _judged(by: Pool, asked: ExternalProblem, outcome: Outcome) -> tuple[Verdict, int, str]:
    if outcome.code is not Code.OK:
        return _failed(by, asked, outcome.code, outcome.message, counted=True)
    version = by.describe(asked.key.task).version
    if version != asked.key.version:
        return _failed(by, asked, Code.ERROR, f"the environment here is version {version}")
    try:
        said, anchors = outcome.value
        verdict = read_verdict(said, anchors)
    except NoVerdict as why:
        return _failed(by, asked, Code.VERDICT, str(why))
    except (TypeError, ValueError):
        return _failed(by, asked, Code.CRASH, "its process wrote what is no reply")
    return verdict, int(Code.OK if verdict.right else Code.WRONG), ""


def _failed(
    by: Pool, asked: ExternalProblem, code: Code, message: str, counted: bool = False
) -> tuple[Verdict, int, str]:
    if not counted:
        by.killed[asked.key.task, code.label] += 1
    first = by.killed[asked.key.task, code.label] == 1
    logger.log(logging.WARNING if first else logging.DEBUG, "%s: %s: %s", asked.key, code.label, message)
    return _NOTHING, int(code), message


def _baselines(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """What each verdict is measured against. Nothing is proven; a bound stands where the environment says "correct", so that
    rewards which pay only the best answer pay it."""
    count = len(verdicts)

    def column(values: Sequence[int | None]) -> Any:
        return np.array([NO_OBJECTIVE if value is None else value for value in values], np.int64)

    return {
        "objective": column([verdict.base for verdict in verdicts]),
        "bound": column([verdict.objective if verdict.correct else None for verdict in verdicts]),
        "floor": column([verdict.floor for verdict in verdicts]),
        "greedy": column([verdict.greedy for verdict in verdicts]),
        "steps": np.zeros(count, np.int64),
        "status": np.ones(count, np.int32),
        "bound_kind": np.zeros(count, np.int32),
    }


def _row(verdict: Verdict, message: str, values: Mapping[str, Any]) -> Paid:
    feasible = values["feasible"] > 0
    return Paid(
        reward=values["reward"],
        format=values["format"] > 0,
        feasible=feasible,
        quality=values["quality"],
        raw_ratio=values["raw_ratio"],
        normalized=values["normalized"],
        correct=feasible and verdict.correct,
        length_penalty=values["length_penalty"],
        truncated=values["truncated"] != 0,
        code=values["code"],
        score=_score(verdict, values["quality"]) if feasible else None,
        message=message,
    )


def _score(verdict: Verdict, quality: float) -> float:
    if verdict.base == UNIT:
        return quality
    return float(verdict.objective if verdict.maximise else -verdict.objective)
