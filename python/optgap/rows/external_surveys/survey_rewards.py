"""Are rewards of the shape `environment` those of the program that an environment stands for?

An environment with a method `original` says what that program gives for whole completions. The same completions go the way of
every row here: the answer found by a format, a worker, the scorer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ..external.calls import Call, Code
from ..external.keys import ExternalKey, problem_hash
from ..external.pool import Pool
from ..external.problems import ExternalProblem
from ..external.protocol import canonical
from ..external.rewarding import reward_rows
from .finding import Finding

FORMAT = "answer_only"
TOLERANCE = 1e-6


def completions(gold: str | None) -> Iterator[str]:
    """Of one problem: its reference, answers near it, which may earn a part, answers by chance, and broken formats."""
    for text in dict.fromkeys([*_near(gold), "0", "1", "2 1", "1 2 3 4", "0.5", "a b", "", "I have no idea."]):
        yield f"<answer>{text}</answer>"
    yield f"<answer>{gold or 1}"
    yield f"The answer is {gold or 1}."


def _near(gold: str | None) -> Iterator[str]:
    if gold is None:
        return
    yield gold
    words = gold.split()
    for number in re.findall(r"-?[0-9]{1,15}", gold)[:1]:
        for other in (int(number) + 1, int(number) - 1, 2 * int(number)):
            yield gold.replace(number, str(other), 1)
    if len(words) > 1:
        yield " ".join(words[:-1])
        yield " ".join([words[1], words[0], *words[2:]])
        yield " ".join(reversed(words))
        yield " ".join([*words[:-1], words[0]])


def compare(
    pool: Pool, found: Mapping[str, Finding], problems: Sequence[tuple[str, str]], draws: Sequence[tuple[int, int]],
    texts: Sequence[Sequence[str]],
) -> None:  # fmt: skip
    """Counts in the findings of each task. `problems`: task and canonical JSON; `draws`: the level and the generator's seed."""
    theirs = pool.run(
        [Call(task, "original", (*draw, list(each))) for (task, _), draw, each in zip(problems, draws, texts)]
    )
    for (task, problem), (level, _), outcome, each in zip(problems, draws, theirs, texts):
        if outcome.code is Code.OK and outcome.value is None:  # it has none
            continue
        into = found[task]
        if outcome.code is not Code.OK:
            into.exceptions.append(f"its own verdicts cannot be had: {outcome.code.label}: {outcome.message}")
            continue
        again, verdicts = outcome.value
        if canonical(again) != problem:
            into.exceptions.append(f"made another problem of d{level} from the same seed")
            continue
        key = ExternalKey(task, into.version, "test", level, 0, problem_hash(again))
        ours = reward_rows([ExternalProblem(key, problem, FORMAT)] * len(each), each, reward="environment", pool=pool)
        for text, row, (reward, correct) in zip(each, ours, verdicts):
            into.rewards += 1
            if abs(row.reward - reward) <= TOLERANCE and row.correct == correct:
                into.equal += 1
            else:
                why = f": {row.message}" if row.message else ""
                into.exceptions.append(
                    f"{text[:60]!r} earns {row.reward:.6g}, correct {row.correct}; there {reward:.6g}, {correct}{why}"
                )
