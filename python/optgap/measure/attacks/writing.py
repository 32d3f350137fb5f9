"""How a model writes in a format: the marks around its reasoning, the answer part, and what a reader makes of the rest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...core.arguments import format_text
from ...core.keys import format_fields

_WRITTEN = {
    "harmony": ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
    "gemma4": ("<|channel>thought\n", "<channel|>"),
}
"""What a model writes around its reasoning, where that is more than the format's markers."""

_EMPTY_REASONING = re.compile(r"<think>\s*</think>\s*$")
_WRAPPER = ("<response>", "</response>")
"""What Granite writes around what stands behind its reasoning."""
_FAMILIES = {
    "<|channel|>": "harmony", "<|channel>": "gemma4", "[THINK]": "magistral", "<seed:think>": "seed",
    "<|START_THINKING|>": "cohere", "◁think▷": "kimi", "<|begin_of_thought|>": "answer_only",
    "Here is my thought process:": "answer_only",
}  # fmt: skip
"""What families write around their reasoning, and the format that knows it; `answer_only` where none does."""

FORM = "[a, b, c, ...]"
"""An answer as instructions show it."""


@dataclass(frozen=True)
class Writing:
    """How a model writes in a format."""

    name: str
    """What tables call it."""
    format: str | None
    """The format as the engine reads it; None: one of another project's."""
    opening: str
    """Empty where the prompt opened the reasoning part."""
    closing: str
    """Empty: it marks no reasoning part."""
    before: str
    """The answer part's beginning."""
    after: str
    place: str
    """"tagged", "boxed", "line", "fenced"; "bare": the completion is the answer."""
    reasoning: str
    """"required", "optional", "none"."""
    lenient: bool
    """Prose may follow the answer part."""
    ends: tuple[str, ...] = ()
    """Strings that may end the turn."""
    wrapper: tuple[str, str] = ("", "")
    """Around all that stands behind the reasoning."""

    @staticmethod
    def in_format(
        format: str | Mapping[str, Any], opened: bool = False, reasons: bool = True, name: str = ""
    ) -> Writing:
        """`opened`: the chat template opens the reasoning part, whatever the format asks; `reasons`: False for a model
        that marks no reasoning."""
        fields = format_fields(format)
        tags = fields["answer"]
        parts = {"boxed": ("\\boxed{", "}"), "line": ("Answer: ", ""), "tagged": (tags[0], tags[1]), "fenced": ("", "")}
        opening, closing = _WRITTEN.get(fields["name"].split("_")[0], (fields["markers"] or [["", ""]])[0][:2])
        if not reasons or fields["reasoning"] == "none":
            opening = closing = ""
        if opened or fields["opened"]:
            opening = ""
        return Writing(
            name or fields["name"],
            format_text(format),
            opening,
            closing,
            *parts[fields["place"]],
            fields["place"],
            fields["reasoning"],
            fields["tail"] == "lenient",
            tuple(fields["ends"]),
            _WRAPPER if _WRAPPER[1] in fields["ends"] else ("", ""),
        )

    def part(self, answer: str) -> str:
        """The answer part."""
        return f"{self.before}{answer}{self.after}"


def format_for(rendered: str, template: str = "") -> tuple[str, str]:
    """The format that fits what stands before the model's first token, and why."""
    tail = rendered.rstrip()
    other = next((marker for marker in _FAMILIES if marker in template), None)
    if other is not None:
        return _FAMILIES[other], f"the template knows {other}: the model reasons between tags of its own"
    found, why = _by_tail(tail)
    end = wrapper_end(template)
    if end:
        wrapped = f"{why}; it writes what follows between {_WRAPPER[0]} and {end}, which then ends the turn"
        return format_text({"format": found, "ends": [*format_fields(found)["ends"], end]}), wrapped
    return found, why


def wrapper_end(template: str) -> str:
    """What closes the wrapper that a model writes around all that stands behind its reasoning, and so ends its turn; empty
    for templates that know none."""
    return _WRAPPER[1] if all(mark in template for mark in _WRAPPER) else ""


def _by_tail(tail: str) -> tuple[str, str]:
    if tail.endswith("<think>"):
        return "forge_prefilled", "the template opens the reasoning part itself"
    if _EMPTY_REASONING.search(tail):
        return "answer_only", "the template closes an empty reasoning part: the model does not reason in one"
    if tail.endswith("</think>"):
        return "answer_only", "the template begins the turn with a lone </think>: the model does not reason"
    return "forge", "the template leaves the reasoning part to the model"
