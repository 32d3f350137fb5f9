"""What an environment of somebody else's is to optgap: an object that makes problems and judges answers."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol, runtime_checkable

UNIT = 1 << 30
"""Quality 1 as an objective: what a reward is measured on, so that it goes the way of every objective."""

ROUNDING = 1e-9
"""How far beyond 1 a sum of fractions may end: no lie."""

_FIELDS = ("reward", "quality", "objective", "sense", "correct", "code")
"""Of a verdict."""

MAX_PROBLEM_BYTES = 1 << 20
"""Of a problem's JSON, which travels with every row."""


@runtime_checkable
class ExternalTask(Protocol):
    """An environment. Its methods run in a worker process, one call at a time, under a deadline.

    What it may have beside these: `accepts_empty = True`, where an empty text may be a right answer; `runs_answers`, a bool,
    does it run answers as code (else its source is read for that, and the source of `judged_by`, a class or an object that
    judges for it); `anchors(problem) -> {"objective": int[, "floor": int, "greedy": int]}`, needed where
    verdicts are objectives; `gold(problem) -> str`, a right answer, which `optgap external check` tries in other
    spellings; `original(level, seed, completions) -> (problem, [(reward, correct)])`, what the program that it stands for says
    of whole completions, which a survey compares; `answer_form`, what stands for the answer in the prompt's instructions.
    """

    version: str
    """Part of every key: another version makes or judges problems differently."""

    def generate(self, level: int, seed: int) -> tuple[Any, str]:
        """A problem, which JSON can hold, and its prompt. The same for the same `level` (dN is N) and `seed` (32 bits)."""
        ...

    def verify(self, problem: Any, text: str) -> Mapping[str, Any]:
        """The verdict on an answer, `text`: {"reward": -1 to 1[, "quality": 0 to 1]} or {"objective": int, "sense":
        "minimise" or "maximise"}, optionally with "correct" (bool) and "code" (a word; other than "ok" it says that the
        answer is none)."""
        ...


class Verdict(NamedTuple):
    """An environment's verdict, on the scale of objectives."""

    right: bool
    """Whether it is an answer at all, worth more than nothing."""
    objective: int
    base: int
    """The baseline of the objective."""
    floor: int | None
    greedy: int | None
    maximise: bool
    correct: bool


class NoVerdict(ValueError):
    """Says in which way a reply is none."""


def canonical(problem: Any) -> str:
    """The one JSON text of a problem. Raises ValueError, which says why, for what JSON cannot hold."""
    try:
        text = json.dumps(problem, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        text.encode()
    except (TypeError, ValueError, RecursionError, OverflowError) as why:
        raise ValueError(f"JSON cannot hold the problem: {why}") from None
    if len(text.encode()) > MAX_PROBLEM_BYTES:
        raise ValueError(f"the problem's JSON has {len(text.encode())} bytes, expected {MAX_PROBLEM_BYTES} at most")
    return text


def read_verdict(said: Any, anchors: Any) -> Verdict:
    """Raises NoVerdict. `anchors`: of the problem, or None."""
    if not isinstance(said, dict):
        raise NoVerdict(f"verify returned {_short(said)}, expected a mapping with a reward or an objective")
    unknown = sorted(set(said) - set(_FIELDS))
    if unknown:
        raise NoVerdict(f"verify returned a field {unknown[0]!r}; known are {', '.join(_FIELDS)}")
    correct, code = said.get("correct"), said.get("code", "ok")
    if correct is not None and not isinstance(correct, bool):
        raise NoVerdict(f"correct is {_short(correct)}, expected true or false")
    if not isinstance(code, str):
        raise NoVerdict(f"code is {_short(code)}, expected a word")
    if ("reward" in said) == ("objective" in said):
        raise NoVerdict("verify must return either a reward or an objective")
    if "reward" in said:
        if "sense" in said:
            raise NoVerdict("sense goes with an objective, and verify returned a reward")
        return _of_reward(said["reward"], said.get("quality"), correct, code == "ok")
    if "quality" in said:
        raise NoVerdict("quality goes with a reward, and verify returned an objective")
    return _of_objective(said, anchors, correct, code == "ok")


def _of_reward(reward: Any, quality: Any, correct: bool | None, ok: bool) -> Verdict:
    given = _number(reward, "reward", -1)
    objective = round(((given + 1) / 2 if quality is None else _number(quality, "quality", 0)) * UNIT)
    return Verdict(
        right=ok and objective > 0,
        objective=objective,
        base=UNIT,
        floor=0,
        greedy=0,
        maximise=True,
        correct=objective == UNIT if correct is None else correct,
    )


def _of_objective(said: Mapping[str, Any], anchors: Any, correct: bool | None, ok: bool) -> Verdict:
    objective = _integer(said["objective"], "objective")
    sense = said.get("sense")
    if sense not in ("minimise", "maximise"):
        raise NoVerdict(f"sense is {_short(sense)}, expected minimise or maximise")
    if not isinstance(anchors, dict) or "objective" not in anchors:
        raise NoVerdict('an objective needs anchors(problem) to return {"objective": …}, what it is measured against')
    base = _integer(anchors["objective"], "anchors: objective")
    floor, greedy = (
        None if anchors.get(name) is None else _integer(anchors[name], f"anchors: {name}")
        for name in ("floor", "greedy")
    )
    up = sense == "maximise"
    reached = objective >= base if up else objective <= base
    worthless = up and objective <= 0 < base
    return Verdict(ok and not worthless, objective, base, floor, greedy, up, reached if correct is None else correct)


def _number(value: Any, field: str, low: int) -> float:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not low - ROUNDING <= value <= 1 + ROUNDING:  # NaN compares false
        raise NoVerdict(f"{field} is {_short(value)}, expected a number from {low} to 1")
    return min(1.0, max(float(low), float(value)))


def _integer(value: Any, field: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not abs(value) < 2**63:
        raise NoVerdict(f"{field} is {_short(value)}, expected a 64 bit integer")
    return value


def _short(value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    try:
        text = repr(value)
    except ValueError:  # an integer of more digits than Python writes
        text = "an integer of thousands of digits"
    return text if len(text) <= 60 else text[:60] + "…"
