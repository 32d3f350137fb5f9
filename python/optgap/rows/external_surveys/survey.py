"""All environments of a source such as RLVE, or a sample of them: are problems made, references accepted, wrong answers refused?"""

from __future__ import annotations

import collections
import dataclasses
import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from ...core.errors import misuse
from ..external.calls import Call, Code, Outcome
from ..external.keys import generator_seed
from ..external.pool import Pool
from ..external.protocol import NoVerdict, canonical, read_verdict
from ..external.settings import Settings
from ..external.wrong_answers import wrong_answers
from .finding import Finding
from .survey_rewards import compare, completions

SAMPLE = 40
"""Environments of a short survey."""
_TOGETHER = 16
"""Environments whose workers are kept at a time."""


def names(settings: Settings, source: str) -> list[str]:
    """Tasks of a source, `rlve/*`. Raises Error where they cannot be listed."""
    pool = Pool(settings)
    try:
        (outcome,) = pool.run([Call(source, "names", ())])
    finally:
        pool.close()
    if outcome.code is not Code.OK or not isinstance(outcome.value, list):
        raise misuse("NAME", f"{source} cannot be listed: {outcome.message}")
    return [source.removesuffix("*") + str(name) for name in outcome.value]


def sample(tasks: Sequence[str], count: int = SAMPLE) -> list[str]:
    """`count` of them, always the same ones, in their order."""
    chosen = set(sorted(tasks, key=lambda task: hashlib.sha256(task.encode()).digest())[:count])
    return [task for task in tasks if task in chosen]


def survey(settings: Settings, tasks: Sequence[str], levels: Sequence[int], count: int,
           progress: Callable[[int, int], None] = lambda done, total: None) -> list[Finding]:  # fmt: skip
    """`count` problems a level of each task. An environment that cannot be loaded is a finding, too."""
    pool = Pool(dataclasses.replace(settings, kept=_TOGETHER))
    found: list[Finding] = []
    try:
        for begin in range(0, len(tasks), _TOGETHER):
            progress(begin, len(tasks))
            found += _together(pool, tasks[begin : begin + _TOGETHER], levels, count)
    finally:
        pool.close()
    return found


def _together(pool: Pool, tasks: Sequence[str], levels: Sequence[int], count: int) -> list[Finding]:
    draws = [(task, level, seed) for task in tasks for level in levels for seed in range(count)]
    asked = [Call(task, "generate", (level, generator_seed(task, "test", level, seed))) for task, level, seed in draws]
    made = pool.run(asked)
    found = {}
    for task in tasks:
        known = pool.described.get(task)
        version, runs_answers = (known.version, known.runs_answers) if known else ("", False)
        found[task] = Finding(task, version, runs_answers, len(levels) * count)
    problems, asked_of = [], []
    for (task, level, seed), outcome in zip(draws, made):
        try:
            if outcome.code is not Code.OK:
                raise ValueError(f"{outcome.code.label}: {outcome.message}")
            problem, prompt = outcome.value
            problems.append((task, canonical(problem), str(prompt)))
            asked_of.append((level, generator_seed(task, "test", level, seed)))
            found[task].made += 1
        except (TypeError, ValueError) as why:
            found[task].exceptions.append(f"no problem of d{level}, seed {seed}: {why}")
    golds = pool.run([Call(task, "gold", (problem,)) for task, problem, _ in problems])
    answers = []
    tried: list[list[str]] = []
    for (task, problem, prompt), outcome in zip(problems, golds):
        gold = outcome.value
        if outcome.code is not Code.OK or not isinstance(gold, (str, type(None))):
            found[task].exceptions.append(f"its reference cannot be read: {outcome.message or type(gold).__name__}")
            gold = None
        if gold is not None:
            answers.append((task, problem, gold, True))
        answers += [(task, problem, text, False) for text in wrong_answers(gold, prompt)]
        tried.append(list(completions(gold)))
    judged = pool.run([Call(task, "verify", (problem, text)) for task, problem, text, _ in answers])
    for (task, problem, text, is_right), outcome in zip(answers, judged):
        _count(found[task], problem, text, is_right, outcome)
    compare(pool, found, [(task, problem) for task, problem, _ in problems], asked_of, tried)
    for task in pool.unguarded & set(tasks):
        found[task].exceptions.insert(0, "no canary watches its verifier")
    return [found[task] for task in tasks]


def _count(into: Finding, problem: str, text: str, is_right: bool, outcome: Outcome) -> None:
    accepted = False
    try:
        if outcome.code is not Code.OK:
            raise NoVerdict(f"{outcome.code.label}: {outcome.message}")
        verdict = read_verdict(*outcome.value)
        accepted = verdict.right and verdict.correct
    except (NoVerdict, TypeError) as why:
        into.exceptions.append(f"{_short(text)} got no verdict: {why}")
    if is_right:
        into.references, into.accepted = into.references + 1, into.accepted + accepted
    else:
        into.wrong, into.refused = into.wrong + 1, into.refused + (not accepted)
    if accepted != is_right and outcome.code is Code.OK:
        what = "its reference {} is refused" if is_right else "the wrong answer {} is accepted"
        into.exceptions.append(what.format(_short(text)))


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "…")


def to_json(found: Sequence[Finding], isolation: str) -> dict[str, Any]:
    """One object: the counts, and the environments of which something is not as it should be."""
    return {"isolation": isolation, **_totals(found), "environments": [dataclasses.asdict(one) for one in found]}


def table(found: Sequence[Finding]) -> list[str]:
    """Lines: the totals, and a row for each environment with exceptions."""
    totals = _totals(found)
    lines = [", ".join(f"{count} {name.replace('_', ' ')}" for name, count in totals.items())]
    for one in found:
        for sentence, count in list(collections.Counter(one.exceptions).items())[:3]:
            lines.append(f"{one.name}: {sentence}" + (f" ({count} times)" if count > 1 else ""))
        if (more := len(set(one.exceptions)) - 3) > 0:
            lines.append(f"{one.name}: {more} more")
    return lines


def _totals(found: Sequence[Finding]) -> dict[str, int]:
    return {
        "environments": len(found),
        "problems_asked": sum(one.asked for one in found),
        "made": sum(one.made for one in found),
        "with_references": sum(one.references > 0 for one in found),
        "references": sum(one.references for one in found),
        "accepted": sum(one.accepted for one in found),
        "wrong_answers": sum(one.wrong for one in found),
        "refused": sum(one.refused for one in found),
        "rewards": sum(one.rewards for one in found),
        "equal": sum(one.equal for one in found),
        "run_answers_as_code": sum(one.runs_answers for one in found),
        "with_exceptions": sum(bool(one.exceptions) for one in found),
    }
