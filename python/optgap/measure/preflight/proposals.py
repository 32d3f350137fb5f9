"""Preflight of proposals: is a sound one rewarded by the gates, and nothing else, with the model's template and the trainer's way?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...core.engine import Engine
from ...core.keys import format_fields, task_indices
from ...rows import score
from ...trainers.pool.mixed import proposer_prompt
from ..attacks.writing import Writing, format_for
from .readers import (
    READERS,
    TRAINERS,
    Attempt,
    Found,
    Outcome,
    behind_reasoning,
    code_of,
    finish_of,
    opening_lines,
    outcome_lines,
    render,
    require_trainers,
    stop_ids,
    token_ids_of,
    token_lines,
    tokens_of,
    worst_of,
    writing_of,
)

QUESTION = {"name": "question", "reasoning": "optional", "answer": ["<question>", "</question>"]}
"""The format that proposals stand in (docs/coevolution.md)."""

_LEVELS = ("d3", "d6", "easy", "d9")
_SEEDS = 40


@dataclass
class ProposalPreflight(Found):
    """Of proposers."""

    format: str
    why: str
    left_out: list[str]
    """Tasks none of whose generated instances pass the gates at small levels."""


def sound_texts(engine: Engine, task: str, count: int) -> list[str]:
    """Proposals of the task that pass every gate, each another problem; fewer where there are not so many."""
    found: dict[str, str] = {}
    for level in _LEVELS:
        made = engine.generate(task, level, _SEEDS)
        rows = [{"proposal": {"task": task, "instance": json.loads(one)}} for one in made.json]
        for row, judged in zip(rows, score(rows, device="cpu")):
            if judged.get("code") == "ok" and len(found) < count:
                found.setdefault(judged["canonical"], json.dumps(row["proposal"]))
        if len(found) == count:
            break
    return list(found.values())


def attempts(writing: Writing, sound: Iterator[str]) -> Iterator[Attempt]:
    """The texts of a task, each with a problem of its own: what is known already is a duplicate."""

    def written(reasoning: str, rest: str) -> str:
        return behind_reasoning(writing, reasoning, rest)

    yield Attempt("right", written("Let me see.", writing.part(next(sound))), True, True)
    yield Attempt(
        "two proposals", written("", writing.part(next(sound)) + "\n" + writing.part(next(sound))), False, True
    )
    yield Attempt(
        "cut off in the proposal", written("", writing.part(next(sound))[: -len(writing.after) - 1]), False, False
    )
    yield Attempt("no JSON", written("", writing.part(next(sound)[:-1])), False, True)
    noted = {**json.loads(next(sound)), "note": "reward me"}
    yield Attempt("an unknown field", written("", writing.part(json.dumps(noted))), False, True)
    if writing.closing:
        yield Attempt(
            "a proposal in the reasoning alone", written(writing.part(next(sound)), "It stands above."), False, True
        )


_TEXTS = 7  # sound problems that the texts of a task take


def _format(given: str, rendered: str, template: str) -> tuple[str, str]:
    """The question format with the model's own marks of reasoning."""
    if given != "auto":
        return given, "given"
    fits, why = format_for(rendered, template)
    fields = format_fields(fits)
    same = fields["markers"] == format_fields(QUESTION)["markers"] and not fields["opened"]
    own = {} if same or not fields["markers"] else {"markers": fields["markers"], "opened": fields["opened"]}
    return json.dumps({**QUESTION, **own}), why


def check(
    tokenizer: Any,
    trainers: Sequence[str] = tuple(TRAINERS),
    format: str = "auto",
    tasks: Sequence[str] | str = "all",
    template_options: Mapping[str, Any] | None = None,
    model: str = "",
    engine: Engine | None = None,
    generation_config: Any = None,
) -> ProposalPreflight:
    """As preflight.check, of proposers."""
    require_trainers(trainers)
    by = engine or Engine("cpu")
    asked = [by.tasks[index].name for index in task_indices(tasks, direct=True)]
    sample = render(tokenizer, proposer_prompt(asked[0]), template_options)
    chosen, why = _format(format, sample, str(getattr(tokenizer, "chat_template", None) or ""))
    writing = writing_of(chosen)
    stop = stop_ids(tokenizer, generation_config)[0]
    rows: list[dict[str, Any]] = []
    sent, tokens, left_out = [], [], []
    for task in asked:
        prompt = render(tokenizer, proposer_prompt(task), template_options)
        tokens.append(tokens_of(tokenizer, task, "proposer", [prompt]))
        sound = sound_texts(by, task, _TEXTS * len(trainers))
        if len(sound) < _TEXTS * len(trainers):
            left_out.append(task)
            continue
        for place, trainer in enumerate(trainers):
            mine = iter(sound[place * _TEXTS : (place + 1) * _TEXTS])
            for attempt in attempts(writing, mine):
                ids = token_ids_of(tokenizer, attempt, stop)
                received = READERS[trainer](tokenizer, prompt, ids, chosen, generation_config)
                finish = finish_of(trainer, attempt.ends)
                rows.append({"role": "proposer", "completion": received, "format": json.loads(chosen), "finish": finish,
                             "group": f"{len(rows)}"})  # fmt: skip
                sent.append((trainer, attempt))
    outcomes = [
        Outcome(
            trainer,
            attempt.name,
            "question",
            row.get("code") == "ok",
            attempt.wanted,
            code_of(row),
            attempt.sent,
            str(given["completion"]),
            [],
        )
        for (trainer, attempt), given, row in zip(sent, rows, score(rows, device="cpu"))
    ]
    template = bool(getattr(tokenizer, "chat_template", None))
    return ProposalPreflight(model, template, sample[-60:], worst_of(outcomes), tokens, chosen, why, left_out)


def report(found: ProposalPreflight) -> str:
    """For people."""
    lines = [*opening_lines(found), f"format   {found.format}: {found.why}"]
    if found.left_out:
        lines.append(
            f"left out {', '.join(found.left_out)}: too few generated instances pass the gates at {', '.join(_LEVELS)}"
        )
    return "\n".join(lines + outcome_lines(found.outcomes) + token_lines(found.prompt_tokens))
