"""Preflight of judges: is a right judgement rewarded, and a wrong or malformed one not, with the model's template and the trainer's
way?"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ...core.engine import Engine
from ...core.keys import task_indices
from ...rows import score
from ...trainers.roles.prompts import judge_prompt
from ..attacks.writing import Writing, format_for
from .readers import (
    READERS,
    TRAINERS,
    Attempt,
    Found,
    Outcome,
    behind_reasoning,
    code_of,
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

_OPTIMAL, _BROKEN = (9, "an optimum"), (2, "a broken answer")
"""What a judge should say of the two answers that it is shown."""


class JudgePreflight(Found):
    """Of judges."""


def attempts(writing: Writing, right: int) -> list[Attempt]:
    """The texts of a judge whose answer deserves the score `right`."""

    def written(reasoning: str, rest: str) -> str:
        return behind_reasoning(writing, reasoning, rest)

    wrong = 11 - right
    said = f"<score>{right}</score>"
    made = [
        Attempt("right", written("Let me see.", f"I have checked it. {said}"), True, True),
        Attempt("the wrong band", written("", f"<score>{wrong}</score>"), False, True),
        Attempt("two scores", written("", f"{said} {said}"), False, True),
        Attempt("cut off in the score", written("", said[: -len("</score>")]), False, False),
        Attempt("no tags", written("", f"Score: {right}"), False, True),
        Attempt("a fraction", written("", f"<score>{right}/10</score>"), False, True),
        Attempt("out of range", written("", f"<score>{right + 10}</score>"), False, True),
    ]
    if writing.closing:
        made.append(
            Attempt("a draft of the score in the reasoning", written(f"<score>{wrong}</score>?", said), False, True)
        )
    return made


def check(
    tokenizer: Any,
    trainers: Sequence[str] = tuple(TRAINERS),
    tasks: Sequence[str] | str = "all",
    template_options: Mapping[str, Any] | None = None,
    model: str = "",
    engine: Engine | None = None,
    generation_config: Any = None,
) -> JudgePreflight:
    """As preflight.check, of judges: each is shown a proven optimum and an answer that breaks a rule."""
    require_trainers(trainers)
    by = engine or Engine("cpu")
    asked = [by.tasks[index].name for index in task_indices(tasks, direct=True)]
    instances = by.generate(asked, "easy", 1)
    baselines = by.solve(instances)
    assert baselines.answers is not None
    optima = baselines.answers.tolist()
    prompts = by.prompts(instances)
    sample = render(tokenizer, judge_prompt(prompts[0], optima[0]), template_options)
    fits = format_for(sample, str(getattr(tokenizer, "chat_template", None) or ""))[0]
    writing = writing_of(fits)
    stop = stop_ids(tokenizer, generation_config)[0]
    rows: list[dict[str, Any]] = []
    sent, tokens = [], []
    for place, task in enumerate(asked):
        known = {"key": instances.keys[place], "baseline": baselines.records()[place]}
        shown = [
            render(tokenizer, judge_prompt(prompts[place], answer), template_options)
            for answer in (optima[place], None)
        ]
        tokens.append(tokens_of(tokenizer, task, "judge", shown))
        judged = [
            f"<think>so</think><answer>{json.dumps(optima[place])}</answer>",
            "<think>so</think><answer>[[</answer>",
        ]
        for trainer in trainers:
            for (right, what), prompt, completion in zip((_OPTIMAL, _BROKEN), shown, judged):
                for attempt in attempts(writing, right):
                    ids = token_ids_of(tokenizer, attempt, stop)
                    received = READERS[trainer](tokenizer, prompt, ids, fits, generation_config)
                    rows.append(
                        {"role": "judge", "completion": received, "judged": {**known, "completion": completion}}
                    )
                    sent.append((trainer, f"{attempt.name}, of {what}", attempt))
    outcomes = [
        Outcome(trainer, name, "score", float(row.get("reward") or 0) > 0, attempt.wanted, code_of(row), attempt.sent,
                str(given["completion"]), [])
        for (trainer, name, attempt), given, row in zip(sent, rows, score(rows, device="cpu"))
    ]  # fmt: skip
    template = bool(getattr(tokenizer, "chat_template", None))
    return JudgePreflight(model, template, sample[-60:], worst_of(outcomes), tokens)


def report(found: JudgePreflight) -> str:
    """For people."""
    lines = [
        *opening_lines(found),
        "score    between the one <score> and the one </score> of the whole text, an integer from 1 to 10",
    ]
    return "\n".join(lines + outcome_lines(found.outcomes) + token_lines(found.prompt_tokens))
