"""Questions in free text while they are posed, answered and judged, and what a run of them needs to go on, as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ...core.errors import misuse
from .step import Asked

TASK = "question"


@dataclass
class Question:
    """A question and the answers to it."""

    text: str
    reference: str
    entry: int
    """Of the pool; -1: a proposal's."""
    tickets: list[int]
    graders: dict[str, list[int]] = field(default_factory=dict)
    """By the ticket of an answer, as JSON names it: who scores it for its reward."""


@dataclass
class TextProposal:
    """What a proposer posed."""

    code: str
    form: float
    text: str = ""
    number: int = -1
    """Of its question, which solvers answer; -1: none does."""
    graders: list[int] = field(default_factory=list)


def written(roles: Any) -> dict[str, Any]:
    """Of TextRoles, in an order of its own."""
    counts = Counter(own.prompt for own in roles._asked.values())
    texts = {prompt: place for place, prompt in enumerate(sorted(counts))}
    return {
        "text": 1,
        "means": roles._advantages.means,
        "numbers": [roles._next_ticket, roles._next_question],
        "drawn": list(roles._drawn),
        "prompts": list(texts),
        "asked": [[ticket, own.role, texts[own.prompt]] for ticket, own in sorted(roles._asked.items())],
        "said": [[ticket, text] for ticket, text in sorted(roles._said.items())],
        "questions": [[number, asdict(own)] for number, own in sorted(roles._questions.items())],
        "proposals": [[ticket, asdict(own)] for ticket, own in sorted(roles._proposals.items())],
        "judges": [list(pair) for pair in sorted(roles._judges.items())],
        "chosen": [list(pair) for pair in sorted(roles._chosen.items())],
    }


def take(roles: Any, kept: Mapping[str, Any]) -> None:
    """Replaces all that `roles` knew."""
    if kept.get("text") != 1:
        raise misuse("state", "is of roles with proofs, expected that of TextRoles")
    kept = json.loads(json.dumps(kept))  # a copy: it may serve again
    roles._advantages.restore([tuple(one) for one in kept["means"]])
    roles._next_ticket, roles._next_question = kept["numbers"]
    of, drawn, shown = kept["drawn"]
    roles._drawn = (of, drawn, shown)
    roles._asked = {ticket: Asked(ticket, role, TASK, kept["prompts"][at]) for ticket, role, at in kept["asked"]}
    roles._said = dict(kept["said"])
    roles._questions = {number: Question(**own) for number, own in kept["questions"]}
    roles._proposals = {ticket: TextProposal(**own) for ticket, own in kept["proposals"]}
    roles._judges = dict(kept["judges"])
    roles._chosen = dict(kept["chosen"])
