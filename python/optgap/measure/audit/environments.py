"""An environment as a subject of an audit: its answers stand in our formats, and a row earns what it earns in a run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from ...core.errors import misuse
from ...rows.external.calls import Call, Code
from ...rows.external.drawing import rows
from ...rows.external.own_pool import workers
from ...rows.external.problems import ExternalProblem, read
from ...rows.external.protocol import NoVerdict, read_verdict
from ...rows.external.rewarding import reward_rows
from ..attacks.writing import Writing
from . import questions as asking
from .cases import Ability, Case
from .questions import Questions
from .subjects import Failure, Rewarded

_KINDS = {
    Code.TIMEOUT: "hung",
    Code.MEMORY: "died",
    Code.CRASH: "died",
    Code.ERROR: "raised",
    Code.VERDICT: "no number",
}


class Environment:
    """Problems of one environment, which judges in its worker processes."""

    ability = Ability(ours=True, knows_finish=True)

    def __init__(self, task: str, problems: Sequence[ExternalProblem]) -> None:
        self.name = task
        self._problems = problems

    def stop(self) -> None:
        """Its workers are the process's, which keeps them."""

    def reward_rows(self, cases: Sequence[Case], writing: Writing, questions: Questions) -> list[Rewarded]:
        """As `optgap score` rewards these texts."""
        if not cases:
            return []
        format = writing.format or "forge"
        asked = [self._problems[case.question]._replace(format=format) for case in cases]
        found = reward_rows(asked, [case.text for case in cases], finish=[case.finish for case in cases])
        return [
            Failure(_KINDS[Code(row.code)], row.message) if row.code in set(_KINDS) else row.reward for row in found
        ]


def subject(task: str, level: str, seed: int, count: int) -> tuple[Environment, Questions]:
    """`count` problems of an environment that has a right answer of its own for each. The right answer of another problem is a
    wrong one where the environment, given it alone, says so. Raises Error where nothing is known to be right."""
    made = rows(task, [level] * count, range(seed, seed + count), split="test", format="forge")
    problems = [read(json.loads(row.ground_truth)) for row in made]
    golds = workers().run([Call(task, "gold", (problem.problem,)) for problem in problems])
    right = [gold.value for gold in golds if gold.code is Code.OK and isinstance(gold.value, str)]
    if len(right) < len(problems):
        why = next((gold.message for gold in golds if gold.message), "it gives none")
        raise misuse(
            "env", f"{task} has problems without a right answer of its own, so nothing is known to be right: {why}"
        )
    pairs = [(row, other) for row in range(len(right)) for other in right if other != right[row]]
    judged = workers().run([Call(task, "verify", (problems[row].problem, other)) for row, other in pairs])
    wrong: dict[int, str] = {}
    for (row, other), outcome in zip(pairs, judged):
        if outcome.code is Code.OK and not _is_right(outcome.value):
            wrong.setdefault(row, other)
    answers: list[Mapping[str, str | None]] = [
        {"right": gold, "wrong": wrong.get(row), "other": wrong.get(row), "constant": "0", "empty": "[]"}
        for row, gold in enumerate(right)
    ]
    prompts = [row.prompt for row in made]
    return Environment(task, problems), asking.of_rows(answers, prompts, [{} for _ in prompts])


def _is_right(value: object) -> bool:
    try:
        verdict = read_verdict(*value)  # type: ignore[misc]
    except (NoVerdict, TypeError):
        return False
    return verdict.right
