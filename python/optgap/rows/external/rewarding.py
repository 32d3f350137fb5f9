"""External rows: the answer found by the row's format, judged in a worker, rewarded by the one scorer."""

from __future__ import annotations

import functools
import json
import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ... import _native
from ..._former import keywords as former_keywords
from ...core import arguments
from ...core.errors import Error, misuse
from .calls import Call, Code, Outcome
from .own_pool import workers
from .pool import Pool
from .problems import ExternalProblem
from .protocol import NoVerdict, read_verdict

if TYPE_CHECKING:
    from .. import Scorer

logger = logging.getLogger("optgap")


class Rewarded(NamedTuple):
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


@former_keywords(by="pool")
def reward_rows(
    asked: Sequence[ExternalProblem],
    texts: Sequence[str | bytes],
    *,
    finish: Sequence[str] | None = None,
    lengths: Sequence[int] | None = None,
    reward: str = "forge",
    pool: Pool | None = None,
) -> list[Rewarded]:
    """Judges completions, row by row. A row whose environment hangs, crashes, needs too much memory, raises or says what is
    no verdict has that for a code and the reward of an infeasible answer.

    Blocks until all rows are judged, up to their deadlines: from an event loop, call it in a thread.
    """
    judged = verdicts(asked, texts, finish=finish, pool=pool)
    found = _scorer(reward).score_columns([row for row, _ in judged], texts, finish=finish, length=lengths)
    for field, rule in found.errors.values():
        raise misuse(field, rule)
    feasible = (found.feasible > 0).tolist()
    columns = (found.reward.tolist(), (found.format > 0).tolist(), feasible, found.quality.tolist(), found.raw_ratio.tolist(),
               found.normalized.tolist(), found.reached.tolist(), found.length_penalty.tolist(),
               (found.truncated != 0).tolist(), found.code.tolist(),
               [score if ranked else None for score, ranked in zip(found.score.tolist(), feasible)],
               [message for _, message in judged])  # fmt: skip
    return [Rewarded(*row) for row in zip(*columns)]


@functools.lru_cache(maxsize=8)
def _scorer(reward: str) -> Scorer:
    from ...core.engine import Engine
    from .. import Scorer

    return Scorer(Engine("cpu", threads=1), reward=reward, external=True)


def verdicts(
    asked: Sequence[ExternalProblem], texts: Sequence[str | bytes], *, finish: Sequence[str] | None = None,
    pool: Pool | None = None,
) -> list[tuple[str, str]]:  # fmt: skip
    """Asks the workers, row by row: the row as `optgap score --external` reads it without its completion, and what the
    environment did wrong, or nothing. Blocks until all are judged, up to their deadlines."""
    rows = len(texts)
    places = _native.find_answers(
        texts, arguments.format_rows([each.format for each in asked], rows), arguments.finish_rows(finish, rows)
    )
    answers = _answers(texts, places)
    accepts_empty = ', "accepts_empty": true'
    return [
        # Only an environment that accepts an empty answer was asked about one.
        (
            f'{each.row[:-1]}, "external": {json.dumps(said)}{"" if answer or not _is_said(said) else accepts_empty}}}',
            message,
        )
        for each, answer, (said, message) in zip(asked, answers, judgements(pool or workers(), asked, answers))
    ]


def _is_said(said: Mapping[str, Any]) -> bool:
    """Is this an environment's verdict, or why there is none?"""
    return "reward" in said or "code" not in said


_Said = tuple[Mapping[str, Any], str]
"""What the row has as `external`, and a message."""


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


def judgements(pool: Pool, asked: Sequence[ExternalProblem], answers: Sequence[str | None]) -> list[_Said]:
    """Verdict and message per row. The environment is not asked about a row without an answer, nor about an empty answer where
    it accepts none."""
    there = [row for row, answer in enumerate(answers) if answer is not None]
    known = [row for row in there if _known(pool, asked[row].key.task)]
    known = [row for row in known if answers[row] or _accepts_empty(pool, asked[row].key.task)]
    outcomes = pool.run([Call(asked[row].key.task, "verify", (asked[row].problem, answers[row])) for row in known])
    by_row = dict(zip(known, outcomes))
    found = []
    for row in range(len(answers)):
        outcome = by_row.get(row)
        if outcome is not None:
            said, message = _judged(pool, asked[row], outcome)
            found.append((said, message))
        elif answers[row]:
            found.append(_failed(pool, asked[row], Code.ERROR, "no environment of this name is configured here"))
        else:
            found.append((_nothing(Code.WRONG), ""))
    return found


def _known(pool: Pool, task: str) -> bool:
    try:
        pool.settings.source(task)
    except Error:
        return False
    return True


def _nothing(code: Code) -> Mapping[str, Any]:
    """The verdict on what is no answer."""
    return {"objective": 0, "sense": "maximise", "anchors": {"objective": 1}, "code": code.label}


def _accepts_empty(pool: Pool, task: str) -> bool:
    try:
        return pool.describe(task).accepts_empty
    except Error:  # it cannot be loaded
        return False


def _judged(pool: Pool, asked: ExternalProblem, outcome: Outcome) -> _Said:
    if outcome.code is not Code.OK:
        return _failed(pool, asked, outcome.code, outcome.message, counted=True)
    version = pool.describe(asked.key.task).version
    if version != asked.key.version:
        return _failed(pool, asked, Code.ERROR, f"the environment here is version {version}")
    try:
        said, anchors = outcome.value
        read_verdict(said, anchors)
    except NoVerdict as why:
        return _failed(pool, asked, Code.VERDICT, str(why))
    except (TypeError, ValueError):
        return _failed(pool, asked, Code.CRASH, "its process wrote what is no reply")
    known = {name: value for name, value in said.items() if value is not None}
    if known.get("code", "ok") != "ok":
        known["code"] = Code.WRONG.label  # the environment's own word is none of ours
    if "objective" in known:
        names = ("objective", "floor", "greedy")
        known["anchors"] = {name: anchors[name] for name in names if anchors.get(name) is not None}
    return known, ""


def _failed(pool: Pool, asked: ExternalProblem, code: Code, message: str, counted: bool = False) -> _Said:
    if not counted:
        pool.killed[asked.key.task, code.label] += 1
    first = pool.killed[asked.key.task, code.label] == 1
    logger.log(logging.WARNING if first else logging.DEBUG, "%s: %s: %s", asked.key, code.label, message)
    return _nothing(code), message
