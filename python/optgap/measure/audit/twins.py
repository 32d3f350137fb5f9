"""Equivariance: an instance and an answer that are relabelled together earn what they earned before."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ..attacks import attacks
from ..attacks.writing import Writing
from .cases import cases
from .judging import Cell, Finding
from .questions import Asked, Questions, of_instances
from .rates import Rate
from .running import Audit
from .subjects import Failure, Subject

_NAME = "relabelled_twin"
_PLAIN = ("right", "near", "wrong")


def compare(made: Audit, subject: Subject, writings: Sequence[Writing], questions: Questions, seed: int) -> None:
    """Adds a cell a template: a twin that earns more than its original is a false reward, one that earns less a false
    refusal. Of our own engine alone: a twin has no key that a data set's row could carry."""
    if questions.asked is None or subject.name != "engine":
        made.notes.append("relabelled twins: SKIPPED, they are instances without a key, which the engine alone takes")
        return
    own, of, twins = _pair(questions.asked, questions, seed)
    plain = [attack for attack in attacks() if attack.name in _PLAIN]
    for writing in writings:
        before, after = (list(cases(plain, writing, each, subject.ability)) for each in (own, twins))
        cell = Cell(writing.name, _NAME, "answers")
        rewarded = zip(after, subject.reward_rows(before, writing, own), subject.reward_rows(after, writing, twins))
        for case, was, now in rewarded:
            if isinstance(was, Failure) or isinstance(now, Failure):
                continue
            cell.false_reward = Rate(cell.false_reward.found + (now > was), cell.false_reward.tried + 1)
            cell.false_refusal = Rate(cell.false_refusal.found + (now < was), cell.false_refusal.tried + 1)
            if now != was:
                fault = "false reward" if now > was else "false refusal"
                cell.findings.append(Finding(fault, case, now, was, f"the twin of {of[case.question]}"))
        made.cells.append(cell)


def _pair(asked: Asked, questions: Questions, seed: int) -> tuple[Questions, list[str], Questions]:
    """The rows that have twins, their names, and the twins."""
    engine = asked.engine
    rows = [row for row, task in enumerate(asked.instances.task) if engine.tasks[int(task)].axes]
    instances = asked.instances[rows]
    relabelled = engine.relabel(instances, seed)
    given = [{kind: _read(questions.rows[row].answers.get(kind)) for kind in _PLAIN} for row in rows]
    kinds: list[dict[str, Any]] = [{} for _ in rows]
    for kind in _PLAIN:
        moved = relabelled.answers([answers[kind] for answers in given]).tolist()
        for made, was, answer in zip(kinds, given, moved):
            made[kind] = None if was[kind] is None else answer
    baselines = engine.solve(relabelled.instances)
    own = of_instances(Asked(engine, instances, engine.solve(instances)), given)
    return own, instances.keys, of_instances(Asked(engine, relabelled.instances, baselines), kinds)


def _read(text: str | None) -> Any:
    """An answer's text as nested lists, or the word that it is."""
    return json.loads(text) if text is not None and text[0] == "[" else text
