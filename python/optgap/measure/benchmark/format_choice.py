"""Which answer format suits a model: asked once, by looking at what it writes of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...core.engine import Engine
from ...core.keys import format_fields, formats
from ...core.results import Instances
from ..endpoint import Endpoint, Reply, RequestFailed


def chosen(endpoint: Endpoint, engine: Engine, instance: Instances, messages: Sequence[Mapping[str, Any]]) -> str:
    """Asks for one answer in `answer_only`, whose prompt names no reasoning marks.

    Where the server sends reasoning apart, or the answer has a family's marks, the model reasons of its own: a format
    with that family's optional reasoning. Else, or where that request fails, `forge`, whose prompt asks for reasoning.
    """
    prompt = engine.prompts(instance, "answer_only")[0]
    try:
        reply = endpoint.chat([*messages, {"role": "user", "content": prompt}])
    except RequestFailed:  # nothing is known; the run itself will say what is wrong
        return "forge"
    return suiting(reply)


def suiting(reply: Reply) -> str:
    """The name of a format for a model that answered this to a prompt in `answer_only`."""
    if reply.reasoning:
        return "answer_only"
    for name in formats():
        fields = format_fields(name)
        if fields["place"] == "tagged" and fields["reasoning"] == "optional" and _marked(reply.text, fields["markers"]):
            return name
    return "forge"


def _marked(text: str, markers: Sequence[Sequence[str]]) -> bool:
    for before, behind, *at_start in markers:
        if at_start:
            if text.startswith(before) and behind in text:
                return True
        elif (before and before in text) or (behind and behind in text):
            return True
    return False
