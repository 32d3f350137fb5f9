"""What became of a text that preflight sent as each trainer reads it."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from optgap.trainers.adapter import adapters, loaded

from ...core.errors import misuse
from ...core.keys import format_fields
from ..attacks.writing import Writing

TRAINERS: dict[str, Callable[[Any, str, list[int], str, Any], str]] = {
    name: loaded(place) for record in adapters().values() for name, place in record.readers.items()
}
"""The trainers' own, which are tried where none is named."""
_ENVIRONMENTS = importlib.import_module("optgap.environments.adapter").adapters()
READERS: dict[str, Callable[[Any, str, list[int], str, Any], str]] = {
    **TRAINERS,
    **{name: loaded(place) for record in _ENVIRONMENTS.values() for name, place in record.readers.items()},
}
"""Also those of adapters of environments, by their names in docs/environments.md."""


def require_trainers(names: Sequence[str]) -> None:
    """Error for one that is not known."""
    unknown = [name for name in names if name not in READERS]
    if unknown:
        raise misuse("trainer", f"is '{unknown[0]}', expected one of {', '.join(READERS)}")


BLIND = tuple(name for record in (*adapters().values(), *_ENVIRONMENTS.values()) for name in record.blind)
"""Readers that cannot tell how generation ended."""


class Attempt(NamedTuple):
    """A text to send."""

    name: str
    sent: str
    wanted: bool
    """Whether it must be rewarded."""
    ends: bool


@dataclass
class Outcome:
    """What became of a text."""

    trainer: str
    text: str
    """Its name in optgap.measure.attacks; "stop X": the perfect one, ended by X."""
    format: str
    rewarded: bool
    wanted: bool
    """Whether it must be rewarded."""
    code: str
    sent: str
    received: str
    others: list[str]
    """Formats in which a perfect text would have been rewarded."""

    @property
    def right(self) -> bool:
        return self.rewarded == self.wanted


@dataclass
class PromptTokens:
    """Of the prompts of a task and level."""

    task: str
    level: str
    least: int
    median: int
    most: int


@dataclass
class Found:
    """Everything that a preflight found; each kind of candidate adds its own."""

    model: str
    has_template: bool
    prompt_tail: str
    outcomes: list[Outcome]
    prompt_tokens: list[PromptTokens]

    @property
    def passed(self) -> bool:
        """Whether every text earned what it must."""
        return all(outcome.right for outcome in self.outcomes)


def render(tokenizer: Any, prompt: str, options: Mapping[str, Any] | None = None) -> str:
    """The text a trainer feeds to the model."""
    if not getattr(tokenizer, "chat_template", None):
        return prompt
    messages = [{"role": "user", "content": prompt}]
    return tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True, **(options or {}))


def stop_ids(tokenizer: Any, generation_config: Any) -> list[int]:
    """What generation stops on: of the configuration, or the tokenizer's own."""
    given = getattr(generation_config, "eos_token_id", None)
    ids = list(given) if isinstance(given, (list, tuple)) else [given]
    return [one for one in ids if one is not None] or [tokenizer.eos_token_id]


def writing_of(format: str) -> Writing:
    """How a model writes in this format, with its marks of reasoning where it has any."""
    fields = format_fields(format)
    return Writing.in_format(format, fields["opened"], reasons=bool(fields["markers"]))


def behind_reasoning(writing: Writing, reasoning: str, rest: str) -> str:
    """A completion; the reasoning is left out where the format has none."""
    return f"{writing.opening}{reasoning}{writing.closing}\n{rest}" if writing.closing else rest


def token_ids(tokenizer: Any, text: str) -> list[int]:
    """The text's tokens, without those that begin a sequence."""
    ids: list[int] = tokenizer(text, add_special_tokens=False)["input_ids"]
    return ids


def token_ids_of(tokenizer: Any, attempt: Attempt, stop: int) -> list[int]:
    """The tokens of a text, with the one that ends generation where the model ended."""
    return token_ids(tokenizer, attempt.sent) + ([stop] if attempt.ends else [])


def finish_of(trainer: str, ends: bool) -> str:
    """How generation ended, as the trainer's reader tells it."""
    return "unknown" if trainer in BLIND else "stop" if ends else "length"


def tokens_of(tokenizer: Any, task: str, level: str, prompts: Iterable[str]) -> PromptTokens:
    """The least, the middle and the largest number of tokens of these prompts."""
    counts = sorted(len(token_ids(tokenizer, prompt)) for prompt in prompts)
    return PromptTokens(task, level, counts[0], counts[len(counts) // 2], counts[-1])


def opening_lines(found: Found) -> list[str]:
    """The first lines of a report."""
    return [
        f"model    {found.model}{'' if found.has_template else ' (no chat template: prompts are given as they are)'}",
        f"prompt   ends with {found.prompt_tail!r}",
    ]


def code_of(row: Mapping[str, Any]) -> str:
    """The verdict of a row of `score`, or why it was rejected."""
    return str(row["code"]) if "code" in row else f"rejected: {row['error']['field']} {row['error']['rule']}"


def outcome_lines(outcomes: Sequence[Outcome], advice: Callable[[Outcome], str] | None = None) -> list[str]:
    """Of a report: a line a trainer, and what went wrong below it; `advice` of each that did."""
    lines = []
    for trainer in dict.fromkeys(outcome.trainer for outcome in outcomes):
        mine = [outcome for outcome in outcomes if outcome.trainer == trainer]
        right = [outcome.text for outcome in mine if outcome.right]
        lines.append(f"{trainer:<13}{len(right)} of {len(mine)} texts as they must be: {', '.join(right)}")
        for outcome in mine:
            if not outcome.right:
                what = (
                    f"REWARDED, and must not be: {outcome.text}"
                    if outcome.rewarded
                    else f"NOT REWARDED: {outcome.text}: {outcome.code}"
                )
                told = [what, f"sent     {outcome.sent!r}", f"received {outcome.received!r}"]
                lines += [f"             {line}" for line in [*told, *([advice(outcome)] if advice else [])]]
    return lines


def token_lines(rows: Iterable[PromptTokens]) -> list[str]:
    """Of a report: prompt tokens by task and level."""
    lines = [f"\n{'task':<18}{'level':<11}{'prompt tokens: least':>21}{'median':>9}{'most':>9}"]
    lines.extend(f"{row.task:<18}{row.level:<11}{row.least:>21}{row.median:>9}{row.most:>9}" for row in rows)
    return lines


def worst_of(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """One outcome stands for all of its tasks: the first that is not as it must be, if any."""
    found: dict[tuple[str, str], Outcome] = {}
    for outcome in outcomes:
        known = found.setdefault((outcome.trainer, outcome.text), outcome)
        if known.right and not outcome.right:
            found[outcome.trainer, outcome.text] = outcome
    return list(found.values())
