"""What `optgap external check` measures of an environment: nothing here knows what is a good number."""

from __future__ import annotations

import collections
import dataclasses
import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from .calls import Call, Code, Outcome
from .keys import generator_seed, problem_hash
from .pool import Pool
from .protocol import UNIT, NoVerdict, canonical, read_verdict
from .settings import Settings
from .wrong_answers import wrong_answers

CONSTANTS = ("0", "1", "2", "yes", "no", "True", "False", "A", "[]", "None")
"""Answers that a model may give without reading; the most frequent right answers join them."""

_TRIED_GOLDS = 5


@dataclasses.dataclass
class Share:
    """So many of so many."""

    found: int = 0
    total: int = 0

    def add(self, found: bool) -> None:
        self.found += found
        self.total += 1

    @property
    def value(self) -> float:
        return self.found / self.total if self.total else 0.0


@dataclasses.dataclass
class Cost:
    """Milliseconds of calls, with the way to the worker and back."""

    p50: float
    p99: float
    max: float


@dataclasses.dataclass
class Level:
    """One level's measurements."""

    level: int
    problems: int
    """That were made, of those asked for."""
    same_problem: Share
    """Made again from the same seed in another process, with the same prompt."""
    same_verdict: Share
    """Judged again in another process."""
    distinct: Share
    """Problems with a prompt that none before it had."""
    gold: Share
    """Right answers, by the environment's own word, that it accepts."""
    wrong: Share
    """Answers that cannot be right that it refuses."""
    accepted_wrong: str
    """The first that it accepts, or nothing."""
    spelled: dict[str, Share]
    """Accepted among right answers in other spellings."""
    right_answers: int
    """Different ones."""
    constant: tuple[str, Share, float]
    """The best constant answer, how often it is right, and its mean quality."""
    empty: float
    """Mean quality of an empty answer; such a row asks nobody in training."""
    copied: float
    """Mean quality of the prompt as an answer."""
    reward: tuple[float, float]
    """Least and greatest quality seen."""
    generate: Cost
    verify: Cost
    faults: dict[str, int]
    """Calls that gave no problem or no verdict, by code."""
    first_fault: str


def measure(settings: Settings, task: str, levels: Sequence[int], count: int,
            progress: Callable[[int, int], None] = lambda done, total: None) -> list[Level]:  # fmt: skip
    """Measures `count` problems a level. Raises Error where the environment cannot be loaded."""
    one, other = Pool(settings), Pool(dataclasses.replace(settings, workers=1))
    try:
        one.describe(task)
        found = []
        for place, level in enumerate(levels):
            progress(place, len(levels))
            found.append(_Measuring(one, other, task, level, count).run())
        return found
    finally:
        one.close()
        other.close()


class _Measuring:
    """One level under measurement."""

    def __init__(self, pool: Pool, other: Pool, task: str, level: int, count: int) -> None:
        self._pool, self._other, self._task, self._level, self._count = pool, other, task, level, count
        self._faults: collections.Counter[str] = collections.Counter()
        self._first_fault = ""
        self._verify_seconds: list[float] = []
        self._qualities: list[float] = []

    def run(self) -> Level:
        seeds = [generator_seed(self._task, "test", self._level, seed) for seed in range(self._count)]
        calls = [Call(self._task, "generate", (self._level, seed)) for seed in seeds]
        outcomes, again = self._pool.run(calls), self._other.run(calls)
        same = Share()
        made = []
        for first, second in zip(outcomes, again):
            problem = self._problem(first)
            if problem is not None:
                same.add(second.code is Code.OK and _identity(second.value) == _identity(first.value))
                made.append(problem)
        problems = [problem for problem, _ in made]
        prompts = [prompt for _, prompt in made]
        golds = self._golds(problems)
        distinct = Share(len(set(prompts)), len(prompts))
        gold, same_verdict, spelled = self._right(problems, golds)
        wrong, accepted_wrong = self._wrong(problems, golds, prompts)
        constant = self._constant(problems, golds)
        empty, copied = self._mean(problems, [""] * len(made)), self._mean(problems, prompts)
        return Level(
            level=self._level,
            problems=len(made),
            same_problem=same,
            same_verdict=same_verdict,
            distinct=distinct,
            gold=gold,
            wrong=wrong,
            accepted_wrong=accepted_wrong,
            spelled=spelled,
            right_answers=len({one for one in golds if one is not None}),
            constant=constant,
            empty=empty,
            copied=copied,
            reward=(min(self._qualities, default=0.0), max(self._qualities, default=0.0)),
            generate=_cost([outcome.seconds for outcome in outcomes if outcome.code is Code.OK]),
            verify=_cost(self._verify_seconds),
            faults=dict(self._faults),
            first_fault=self._first_fault,
        )

    def _problem(self, outcome: Outcome) -> tuple[str, str] | None:
        """Canonical JSON and prompt."""
        try:
            if outcome.code is Code.OK:
                problem, prompt = outcome.value
                return canonical(problem), str(prompt)
            self._fault(outcome.code, outcome.message)
        except (TypeError, ValueError) as why:
            self._fault(Code.VERDICT, str(why))
        return None

    def _fault(self, code: Code, message: str) -> None:
        self._faults[code.label] += 1
        self._first_fault = self._first_fault or message

    def _golds(self, problems: Sequence[str]) -> list[str | None]:
        outcomes = self._pool.run([Call(self._task, "gold", (problem,)) for problem in problems])
        for outcome in outcomes:
            if outcome.code is not Code.OK:
                self._fault(outcome.code, outcome.message)
            elif outcome.value is not None and not isinstance(outcome.value, str):
                self._fault(Code.VERDICT, f"gold returned a {type(outcome.value).__name__}, expected a text or None")
        return [outcome.value if isinstance(outcome.value, str) else None for outcome in outcomes]

    def _judged(
        self, problems: Sequence[str], answers: Sequence[str], pool: Pool | None = None
    ) -> list[tuple[float, bool]]:
        """Quality and "right" of answers; a fault is 0 and counted."""
        calls = [Call(self._task, "verify", pair) for pair in zip(problems, answers)]
        found = []
        for outcome in (pool or self._pool).run(calls):
            quality, right = 0.0, False
            try:
                if outcome.code is Code.OK:
                    verdict = read_verdict(*outcome.value)
                    quality, right = _quality(verdict), verdict.right and verdict.correct
                    self._verify_seconds.append(outcome.seconds)
                else:
                    self._fault(outcome.code, outcome.message)
            except (NoVerdict, TypeError) as why:
                self._fault(Code.VERDICT, str(why))
            self._qualities.append(quality)
            found.append((quality, right))
        return found

    def _mean(self, problems: Sequence[str], answers: Sequence[str]) -> float:
        found = self._judged(problems, answers)
        return sum(quality for quality, _ in found) / max(1, len(found))

    def _right(self, problems: Sequence[str], golds: Sequence[str | None]) -> tuple[Share, Share, dict[str, Share]]:
        known = [(problem, gold) for problem, gold in zip(problems, golds) if gold is not None]
        gold, same = Share(), Share()
        spelled: dict[str, Share] = collections.defaultdict(Share)
        for first, other in zip(self._judged(*_columns(known)), self._judged(*_columns(known), pool=self._other)):
            gold.add(first[1])
            same.add(first == other)
        for kind, spell in SPELLINGS.items():
            asked = [(problem, spelling) for problem, text in known if (spelling := spell(text)) not in (None, text)]
            for _, right in self._judged(*_columns(asked)):
                spelled[kind].add(right)
        return gold, same, dict(spelled)

    def _wrong(self, problems: Sequence[str], golds: Sequence[str | None], prompts: Sequence[str]) -> tuple[Share, str]:
        asked = [
            (problem, text)
            for problem, gold, prompt in zip(problems, golds, prompts)
            for text in wrong_answers(gold, prompt)
        ]
        wrong, first = Share(), ""
        for (_, text), (_, right) in zip(asked, self._judged(*_columns(asked))):
            wrong.add(not right)
            first = text if right and not first else first
        return wrong, first

    def _constant(self, problems: Sequence[str], golds: Sequence[str | None]) -> tuple[str, Share, float]:
        frequent = collections.Counter(gold for gold in golds if gold is not None).most_common(_TRIED_GOLDS)
        best: tuple[str, Share, float] = ("", Share(0, len(problems)), 0.0)
        for text in dict.fromkeys([*(gold for gold, _ in frequent), *CONSTANTS]):
            found = self._judged(problems, [text] * len(problems))
            share = Share(sum(right for _, right in found), len(found))
            mean = sum(quality for quality, _ in found) / max(1, len(found))
            if (share.found, mean) > (best[1].found, best[2]):
                best = (text, share, mean)
        return best


def _columns(pairs: Sequence[tuple[str, str | None]] | Sequence[tuple[str, str]]) -> tuple[list[str], list[str]]:
    return [problem for problem, _ in pairs], [str(text) for _, text in pairs]


def _identity(value: Any) -> Any:
    try:
        problem, prompt = value
        return problem_hash(problem), prompt
    except (TypeError, ValueError):
        return None


def _quality(verdict: Any) -> float:
    """0 to 1, as the engine computes it."""
    if not verdict.right:
        return 0.0
    if verdict.base == UNIT:
        return float(verdict.objective) / UNIT
    above, below = (verdict.objective, verdict.base) if verdict.maximise else (verdict.base, verdict.objective)
    return 1.0 if above == below else min(1.0, max(0.0, max(above, 0 if verdict.maximise else 1) / max(below, 1)))


def _cost(seconds: Sequence[float]) -> Cost:
    ordered = sorted(1000 * one for one in seconds) or [0.0]
    return Cost(ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))], ordered[-1])


def _json_spacing(gold: str) -> str | None:
    """The same list with other blanks."""
    try:
        value = json.loads(gold)
    except ValueError:
        return None
    if not isinstance(value, (list, dict)) or not value:
        return None
    tight = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return json.dumps(value, ensure_ascii=False) if gold == tight else tight


def _decimal(gold: str) -> str | None:
    return f"{gold}.0" if re.fullmatch(r"-?[0-9]+", gold) else None


def _thousands(gold: str) -> str | None:
    return f"{int(gold):,}" if re.fullmatch(r"-?[1-9][0-9]{3,17}", gold) else None


def _cased(gold: str) -> str | None:
    if not re.search("[A-Za-z]", gold):
        return None
    return gold.upper() if gold != gold.upper() else gold.lower()


SPELLINGS: dict[str, Callable[[str], str | None]] = {
    "blanks in a list": _json_spacing,
    "7.0 for 7": _decimal,
    "1,000 for 1000": _thousands,
    "other case": _cased,
    "a full stop": lambda gold: None if gold.endswith(".") else f"{gold}.",
}
"""Other ways to write a right answer; blanks around it do not arrive."""
