"""What became of a text that preflight sent as each trainer reads it."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from optgap.trainers.adapter import adapters, loaded

from ...core.errors import misuse

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
    """Must it be rewarded?"""
    ends: bool


@dataclass
class Payment:
    """What became of a text."""

    trainer: str
    text: str
    """Its name in optgap.measure.attacks; "stop X": the perfect one, ended by X."""
    format: str
    rewarded: bool
    wanted: bool
    """Must it be rewarded?"""
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


def code_of(row: Mapping[str, Any]) -> str:
    """The verdict of a row of `score`, or why it was rejected."""
    return str(row["code"]) if "code" in row else f"rejected: {row['error']['field']} {row['error']['rule']}"


def payment_lines(payments: Sequence[Payment], advice: Callable[[Payment], str] | None = None) -> list[str]:
    """Of a report: a line a trainer, and what went wrong below it; `advice` of each that did."""
    lines = []
    for trainer in dict.fromkeys(payment.trainer for payment in payments):
        mine = [payment for payment in payments if payment.trainer == trainer]
        right = [payment.text for payment in mine if payment.right]
        lines.append(f"{trainer:<13}{len(right)} of {len(mine)} texts as they must be: {', '.join(right)}")
        for payment in mine:
            if not payment.right:
                what = (
                    f"PAID, and must not be: {payment.text}"
                    if payment.rewarded
                    else f"NOT PAID: {payment.text}: {payment.code}"
                )
                told = [what, f"sent     {payment.sent!r}", f"received {payment.received!r}"]
                lines += [f"             {line}" for line in [*told, *([advice(payment)] if advice else [])]]
    return lines


def token_lines(rows: Iterable[PromptTokens]) -> list[str]:
    """Of a report: prompt tokens by task and level."""
    lines = [f"\n{'task':<18}{'level':<11}{'prompt tokens: least':>21}{'median':>9}{'most':>9}"]
    lines.extend(f"{row.task:<18}{row.level:<11}{row.least:>21}{row.median:>9}{row.most:>9}" for row in rows)
    return lines


def worst_of(payments: Sequence[Payment]) -> list[Payment]:
    """One payment stands for all of its tasks: the first that is not as it must be, if any."""
    found: dict[tuple[str, str], Payment] = {}
    for payment in payments:
        known = found.setdefault((payment.trainer, payment.text), payment)
        if known.right and not payment.right:
            found[payment.trainer, payment.text] = payment
    return list(found.values())
