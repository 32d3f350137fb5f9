"""Turns as tokens: what a chat template puts between a model's text and its next one, and which format fits a template."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from optgap.core.errors import misuse
from optgap.core.keys import format_fields
from optgap.environments.rows import problem_row
from optgap.measure.attacks.writing import wrapper_end

_ASKED = [{"role": "user", "content": "Q"}]
_TEXT = "\x02T\x03"
_ANSWERED = [*_ASKED, {"role": "assistant", "content": _TEXT}]


def next_turn(tokenizer: Any, message: str, **options: Any) -> str:
    """What stands between the end of a model's turn and the beginning of its next one: the user's message as the chat
    template writes it, and the opening of the model's turn. The end mark of the turn before is the model's own token.

    Args:
        tokenizer: With a chat template.
        message: The user's.
        options: Of the template, such as enable_thinking.

    Raises:
        Error: For a template that does not write a conversation as one text grown at its end.
    """
    before = _rendered(tokenizer, _ANSWERED, False, options)
    after = _rendered(tokenizer, [*_ANSWERED, {"role": "user", "content": message}], True, options)
    at = after.find(_TEXT)
    if at < 0 or _TEXT not in before:
        raise misuse("chat template", "drops what the model wrote before its last turn")
    behind = after[at + len(_TEXT) :]
    end = _end_of_turn(tokenizer, before[before.index(_TEXT) + len(_TEXT) :])
    return behind[len(end) :] if behind.startswith(end) else behind


def _end_of_turn(tokenizer: Any, behind: str) -> str:
    """The mark by which the model ends its turn, at the beginning of what the template writes behind its text."""
    eos = getattr(tokenizer, "eos_token", None) or ""
    if eos and eos in behind:
        return behind[: behind.index(eos) + len(eos)]
    return behind.rstrip()


def fitted_format(tokenizer: Any, row: str | Mapping[str, Any], asked: Any = None, **options: Any) -> Any:
    """The format in which texts behind this template are read: the asked one, or the row's, with `opened` where the template
    opens the reasoning part, and with the end of the wrapper that models of this template write around their answers.

    Args:
        tokenizer: With a chat template.
        row: As Episode takes it.
        asked: A format instead of the row's.
        options: Of the template.

    Returns:
        A format; None for rows that have none.

    Raises:
        Error: Where no text of the model could have the format: it requires a reasoning part, and the template closes it, or
            opens one by marks that the format does not know.
    """
    known = problem_row(row)
    if {"chain", "rubric", "rubric_key", "role", "proposal"} & known.keys():
        return None
    form = asked or known.get("format") or ("program" if "language" in known else "forge")
    fields = format_fields(form)
    end = wrapper_end(str(getattr(tokenizer, "chat_template", None) or ""))
    if end and end not in fields.get("ends", [end]):
        form = fields = {**fields, "ends": [*fields["ends"], end]}
    if fields.get("reasoning") == "none":
        return form
    opening = _rendered(tokenizer, _ASKED, True, options)
    tail = opening[len(_rendered(tokenizer, _ASKED, False, options)) :] or opening[-200:]
    for pair in fields["markers"]:
        begin, end = pair[0], pair[1]
        if begin and begin in tail:
            if end in tail[tail.rindex(begin) :]:
                if fields["reasoning"] == "required":
                    raise misuse(
                        "format",
                        f"{_named(form)} requires a reasoning part, and the chat template closes it before the model "
                        "writes: every text would earn the lowest reward; take answer_only, or let the template think",
                    )
                return form
            return form if fields["opened"] else {**fields, "opened": True}
        if end and end in tail and fields["reasoning"] == "required":
            raise misuse(
                "format",
                f"{_named(form)} requires a reasoning part, and the chat template begins the model's turn with {end!r} "
                "alone: take answer_only",
            )
    if fields["opened"]:
        raise misuse("format", f"{_named(form)} is opened by the template, and this template opens no reasoning part")
    return form


def _named(form: Any) -> str:
    return form if isinstance(form, str) and not form.lstrip().startswith("{") else "the format"


def _rendered(tokenizer: Any, messages: list[dict[str, str]], generate: bool, options: Mapping[str, Any]) -> str:
    return str(tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=generate, **options))
