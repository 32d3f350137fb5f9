"""What a run of roles needs to go on beside its pool, as JSON: also prompts without an answer yet."""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core.errors import misuse
from ...core.results import Baselines, Instances
from .cells import StepForms
from .checking import Reserved, Terms
from .step import Asked, Problem, Proposal, Said

_OF_PROPOSAL = ("ticket", "columns", "code", "cell", "canonical", "question", "judges", "sums")


def written(roles: Any) -> dict[str, Any]:
    """Of Roles, at a step's end, in an order of its own; Error where proposals have come that are in no step of the pool yet."""
    if roles._fresh or roles._checks.is_open:
        raise misuse("state", "lacks proposals of a step that was not collected: expected it behind RoleStep.collect")
    prompts: dict[str, int] = {}
    asked = [
        [own.ticket, own.role, own.task, prompts.setdefault(own.prompt, len(prompts))]
        for _, own in sorted(roles._asked.items())
    ]
    problems = [
        {
            "number": one.number, "task": one.task, "prompt": prompts.setdefault(one.prompt, len(prompts)),
            "instance": [*(getattr(one.instance, name).tolist()[0] for name in Instances.columns), one.instance.words.tolist()],
            "baseline": [getattr(one.baseline, name).tolist()[0] for name in Baselines.columns],
            "entry": one.entry, "proposal": one.proposal, "tickets": one.tickets,
        }
        for _, one in sorted(roles._problems.items())
    ]  # fmt: skip
    reserved = sorted(roles._checks.reserved.items())
    terms = list({id(own.terms): own.terms for _, own in reserved}.values())
    return {
        "means": roles._advantages.means,
        "cells": dict(sorted(roles._cells.items())),
        "numbers": [roles._next_ticket, roles._next_problem, roles._forms.step],
        "drawn": list(roles._drawn),
        "prompts": list(prompts),
        "asked": asked,
        "said": [[ticket, own.text, own.finish] for ticket, own in sorted(roles._said.items())],
        "problems": problems,
        "proposals": [_of_proposal(own) for _, own in sorted(roles._proposals.items())],
        "judged": [list(pair) for pair in sorted(roles._judged.items())],
        "questions": [list(pair) for pair in sorted(roles._questions.items())],
        "truths": [[ticket, number, band, _plain(value)] for ticket, (number, band, value) in sorted(roles._truths.items())],
        "chosen": [[ticket, judges.start, judges.stop] for ticket, judges in sorted(roles._chosen.items())],
        "lost": sorted(roles._lost),
        "terms": [[own.group, own.questions, own.copies, own.judges] for own in terms],
        "reserved": [
            [ticket, [id(each) for each in terms].index(id(own.terms)), own.problem, own.solvers, own.judges,
             own.judges_of_answers]
            for ticket, own in reserved
        ],
        "posed": _packed({"gates": roles._checks._gates.state, "canonical": dict(sorted(roles._canonical.items()))}),
    }  # fmt: skip


def take(roles: Any, kept: Mapping[str, Any]) -> None:
    """Replaces all that `roles` knew. What an older state lacks is nothing."""
    kept = json.loads(json.dumps(kept))  # a copy: it may serve again
    posed = _unpacked(kept["posed"]) if "posed" in kept else None
    if posed is not None:
        roles._checks._gates.state = posed["gates"]
    roles._canonical = {} if posed is None else posed["canonical"]
    roles._advantages.restore([tuple(one) for one in kept["means"]])
    roles._cells = Counter({int(cell): int(count) for cell, count in kept["cells"].items()})
    roles._next_ticket, roles._next_problem, step = kept["numbers"]
    roles._forms, roles._fresh = StepForms(step), []
    of, drawn, shown = kept.get("drawn", (0, 0, 0))
    roles._drawn = (of, drawn, shown)
    prompts = kept.get("prompts", [])
    roles._asked = {ticket: Asked(ticket, role, task, prompts[at]) for ticket, role, task, at in kept.get("asked", [])}
    roles._said = {ticket: Said(text, finish) for ticket, text, finish in kept.get("said", [])}
    problems = [_problem(one, prompts) for one in kept.get("problems", [])]
    roles._problems = {one.number: one for one in problems}
    roles._proposals = {one["ticket"]: _proposal(one, roles._problems) for one in kept.get("proposals", [])}
    roles._judged = dict(kept.get("judged", []))
    roles._questions = dict(kept.get("questions", []))
    roles._truths = {ticket: (number, band, _float(value)) for ticket, number, band, value in kept.get("truths", [])}
    roles._chosen = {ticket: range(start, stop) for ticket, start, stop in kept.get("chosen", [])}
    roles._lost = set(kept.get("lost", []))
    terms = [Terms(*own) for own in kept.get("terms", [])]
    roles._checks.reserved = {ticket: Reserved(terms[at], *own) for ticket, at, *own in kept.get("reserved", [])}
    if roles.scheduler is not None:
        for problem in problems:
            _pose_again(roles, problem)


def _of_proposal(own: Proposal) -> dict[str, Any]:
    return {
        **{name: getattr(own, name) for name in _OF_PROPOSAL},
        "problem": None if own.problem is None else own.problem.number,
        "qualities": [[ticket, _plain(value)] for ticket, value in sorted(own.qualities.items())],
    }


def _proposal(kept: Mapping[str, Any], problems: Mapping[int, Problem]) -> Proposal:
    own = Proposal(**{name: kept[name] for name in _OF_PROPOSAL})
    # One that has been answered is known by its sums alone.
    own.problem = None if kept["problem"] is None else problems.get(kept["problem"])
    own.qualities = {ticket: _float(value) for ticket, value in kept["qualities"]}
    return own


def _problem(kept: Mapping[str, Any], prompts: list[str]) -> Problem:
    *columns, words = kept["instance"]
    kinds = (np.int32, np.int32, np.int32, np.uint64, np.int32)
    instance = Instances(
        **{name: np.asarray([value], kind) for name, value, kind in zip(Instances.columns, columns, kinds)},
        words=np.asarray(words, np.int32), offsets=np.asarray([0, len(words)], np.int64),
    )  # fmt: skip
    known: dict[str, Any] = {
        name: np.asarray([value], np.int32 if name in ("status", "bound_kind") else np.int64)
        for name, value in zip(Baselines.columns, kept["baseline"])
    }
    baseline = Baselines(**known)
    return Problem(kept["number"], kept["task"], prompts[kept["prompt"]], instance, baseline, kept["entry"],
                   kept["proposal"], list(kept["tickets"]))  # fmt: skip


def _pose_again(roles: Any, problem: Problem) -> None:
    """To a scheduler, which knows nothing of the run before."""
    by = roles.scheduler
    assert by is not None
    problem.posed = by.pose(problem.instance, len(problem.tickets), problem.baseline, format=roles.format)
    for ticket in problem.tickets:
        if ticket in roles._lost:
            by.cancel(problem.answer(ticket))
        elif ticket in roles._said:
            said = roles._said[ticket]
            by.submit(
                problem.answer(ticket), said.text, finish=np.asarray([said.finish], np.int32), reward=roles.solver
            )


def _packed(value: Any) -> str:
    """All that a run has posed stands in it."""
    return base64.b64encode(zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 6)).decode()


def _unpacked(text: str) -> Any:
    return json.loads(zlib.decompress(base64.b64decode(text)))


def _plain(value: float) -> float | None:
    """JSON has no NaN."""
    return None if math.isnan(value) else value


def _float(value: float | None) -> float:
    return math.nan if value is None else value
