"""What is asked: rows with a right answer and others whose worth is known.

A kind of answer has a truth: "right" (as good as the proven optimum), "near" (feasible but worse) or "none". For our tasks
it is the verifier's and the proof's; for rows of another project it is what they say of themselves.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...core.engine import Engine
from ...core.errors import misuse
from ...core.results import Baselines, Instances

Columns = Mapping[str, Any]

KINDS = ("right", "near", "wrong", "other", "reversed", "closed", "shifted", "everything", "constant", "empty", "impossible",
         "objective")  # fmt: skip
"""Answers that a question may have."""
_CONSTANTS = {"constant": "[0]", "empty": "[]", "impossible": "Impossible"}


@dataclass(frozen=True)
class Question:
    """One row. `answers` and `truths` have the same kinds; "right" is always there."""

    name: str
    answers: Mapping[str, str]
    truths: Mapping[str, str]


@dataclass(frozen=True)
class Questions:
    """Rows, and what a reward function is told beside a completion."""

    rows: Sequence[Question]
    prompts: Callable[[str], Sequence[str]]
    """Of a format's name or JSON."""
    columns: Callable[[str], Sequence[Columns]]
    """What a data set's row has beside the prompt, by the same."""
    asked: Asked | None = None
    """Of our own tasks: the instances behind the rows."""


@dataclass(frozen=True)
class Asked:
    """Instances with proven optima."""

    engine: Engine
    instances: Instances
    baselines: Baselines


def of_tasks(engine: Engine, tasks: Sequence[str] | str, level: str, count: int, seed: int) -> Questions:
    """`count` instances a task. Where an optimum is not proven nothing is known of its answers: under "all" such tasks are left
    out, of tasks that are named Error is raised."""
    instances = engine.generate(tasks, level, count, seed)
    baselines = engine.solve(instances)
    if tasks == "all" and not baselines.proven.all():
        unknown = set(instances.task[~baselines.proven].tolist())
        known = [task.name for place, task in enumerate(engine.tasks) if place not in unknown]
        return of_tasks(engine, known, level, count, seed)
    if not baselines.proven.all():
        key = instances.keys[int((~baselines.proven).argmax())]
        raise misuse("level", f"{level!r} has an instance that is not proven ({key}); take an easier one")
    return of_instances(Asked(engine, instances, baselines), _answers(engine, instances, baselines, seed))


def of_instances(asked: Asked, answers: Sequence[Mapping[str, Any]]) -> Questions:
    """`answers`: kinds of each row as nested lists or words, None where there is none."""
    engine, instances, baselines = asked.engine, asked.instances, asked.baselines
    truths = _truths(asked, answers)
    keys = instances.keys
    rows = []
    for row, given in enumerate(answers):
        known = {kind: value for kind, value in given.items() if value is not None and truths[row].get(kind)}
        worth = {kind: truths[row][kind] for kind in known}
        written = {kind: value if isinstance(value, str) else json.dumps(value) for kind, value in known.items()}
        written["objective"], worth["objective"] = str(int(baselines.objective[row])), "none"
        rows.append(Question(keys[row], written, worth))
    names = [engine.tasks[int(index)].name for index in instances.task]

    def columns(format: str) -> list[Columns]:
        return [
            {
                "data_source": f"optgap/{task}/audit",
                "ground_truth": json.dumps({"key": key, "baseline": record, "format": format}),
                "answer": row.answers["right"],
            }
            for task, key, record, row in zip(names, keys, baselines.records(), rows)
        ]

    prompts = functools.cache(lambda format: engine.prompts(instances, format))
    return Questions(rows, prompts, functools.cache(columns), asked)


def _answers(engine: Engine, instances: Instances, baselines: Baselines, seed: int) -> list[dict[str, Any]]:
    assert baselines.answers is not None
    right = baselines.answers.tolist()
    near = _near(engine, instances, baselines, seed)
    rows: list[dict[str, Any]] = []
    for row, answer in enumerate(right):
        same = [at for at in range(len(right)) if instances.task[at] == instances.task[row] and at != row]
        kinds: dict[str, Any] = {"right": answer, "other": right[same[row % len(same)]] if same else None}
        kinds["near"] = near[row]
        kinds["wrong"] = _spoiled(engine, instances[row], answer)
        kinds.update({kind: json.loads(text) if text[0] == "[" else text for kind, text in _CONSTANTS.items()})
        if isinstance(answer, list) and answer and isinstance(answer[0], int):
            kinds["reversed"] = answer[::-1]
            kinds["closed"] = [*answer, answer[0]]
            kinds["shifted"] = [value + 1 for value in answer]
            kinds["everything"] = list(range(max(answer) + 1))
        rows.append(kinds)
    return rows


_GROUP = 8
"""Noisy answers among which a worse one is looked for."""


def _near(engine: Engine, instances: Instances, baselines: Baselines, seed: int) -> list[Any]:
    """Feasible answers that are not optimal: the greedy one, else one of a noisy greedy policy; None where all are."""
    best = baselines.objective
    greedy = engine.greedy(instances)
    found = engine.verify(instances, greedy)
    near = [
        answer if feasible and objective != optimum else None
        for answer, feasible, objective, optimum in zip(greedy.tolist(), found.feasible, found.objective, best)
    ]
    noisy = engine.noisy_greedy(instances, _GROUP, seed)
    of = [row for row in range(len(instances)) for _ in range(_GROUP)]
    tried = engine.verify(instances, noisy, of)
    for row, answer, feasible, objective in zip(of, noisy.tolist(), tried.feasible, tried.objective):
        if near[row] is None and feasible and objective != best[row]:
            near[row] = answer
    return near


def _spoiled(engine: Engine, instance: Instances, answer: Any) -> Any:
    """An infeasible answer close to the right one."""
    tries: list[Any] = [[0, 0], [-1], [10**6]]
    if isinstance(answer, list) and answer:
        tries = [[*answer, answer[0]], answer[:-1], [answer[0]] * len(answer), *tries]
    feasible = engine.verify(instance, tries, [0] * len(tries)).feasible.tolist()
    return next((one for one, kept in zip(tries, feasible) if not kept), None)


def _truths(asked: Asked, answers: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """By the verifier and the proven optimum."""
    known = [
        (row, kind, value) for row, kinds in enumerate(answers) for kind, value in kinds.items() if value is not None
    ]
    of = [row for row, _, _ in known]
    found = asked.engine.verify(asked.instances, [value for _, _, value in known], of)
    truths: list[dict[str, str]] = [{} for _ in answers]
    best = asked.baselines.objective
    for (row, kind, _), feasible, objective in zip(known, found.feasible.tolist(), found.objective.tolist()):
        truths[row][kind] = "none" if not feasible else "right" if objective == best[row] else "near"
    return truths


def of_rows(rows: Sequence[Mapping[str, Any]], prompts: Sequence[str], columns: Sequence[Columns]) -> Questions:
    """Rows of another project: `rows` map kinds of answers to texts. Right is right because the row says so; every other
    answer counts as wrong."""
    made = []
    for at, given in enumerate(rows):
        answers = {kind: str(text) for kind, text in given.items() if text is not None}
        if not answers.get("right"):
            raise misuse(f"row {at}", "has no right answer")
        truths = {kind: "right" if text == answers["right"] else "near" if kind == "near" else "none"
                  for kind, text in answers.items()}  # fmt: skip
        made.append(Question(f"row {at}", answers, truths))
    return Questions(made, lambda format: prompts, lambda format: columns)
