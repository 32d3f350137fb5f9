"""A message that a server or a parser took apart, as the text that the model wrote."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ...core.keys import format_fields

_ANSWER_TOOLS = ("answer", "final_answer", "submit", "submit_answer", "give_answer", "provide_answer")


def text_of(completion: Any, format_name: str = "forge") -> str:
    """What the model wrote: a text as it is, of messages the assistant's last turn that says something, as in verl: turns
    before it called tools. A turn that reasons or calls a tool says something: what an earlier one says is a draft by then.
    A call of a tool that is named for an answer holds one (answer_of_call). Where TRL's parser moved the reasoning to a
    field of its own it is put back between its tags, if the format asks for them. An empty name, as of rubrics, is no format: what
    stands behind the reasoning is read."""
    if isinstance(completion, str):
        return completion
    if not isinstance(completion, Sequence):
        return ""
    fields = format_fields(format_name) if format_name else {}
    required = fields.get("reasoning") == "required"
    for message in reversed(completion):
        if not isinstance(message, Mapping) or message.get("role") != "assistant":
            continue
        content = _content(message.get("content"))
        reasoning = message.get("reasoning_content") or message.get("thinking")
        call = None if content else answer_of_call(message)
        content = content if call is None or not fields else answer_part(call, fields)
        if isinstance(reasoning, str) and required:
            before, behind = fields["markers"][0][:2]
            content = with_reasoning(content, reasoning, before, behind, bool(fields["opened"]))
        if content.strip() or (isinstance(reasoning, str) and reasoning.strip()) or message.get("tool_calls"):
            return content
    return ""


def _content(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        blocks = (block.get("text") for block in content if isinstance(block, Mapping))
        return "".join(text for text in blocks if isinstance(text, str))
    return "" if content is None else json.dumps(content)


def with_reasoning(text: str, reasoning: str, before: str, behind: str, opened: bool = False) -> str:
    """A content behind the reasoning that a server or a parser took apart, between its markers, once. The reasoning may bring
    its markers along; a content may hold the same reasoning once more, or begin with the closing marker that was left behind.
    Anything else is put together as it was taken apart, so that the format judges what the model wrote: a second reasoning,
    or a closing marker within it, stays. With `opened` the chat template wrote the opening marker."""
    start = "" if opened else before
    thought = reasoning
    if before in reasoning or behind in reasoning:
        thought = reasoning.strip().removeprefix(before).removesuffix(behind)
    head, closed, _ = text.partition(behind)
    if closed and before in head:
        if not thought.strip() or head.partition(before)[2].split() == thought.split():
            return text[text.index(before) + len(before) :] if opened else text
    elif closed and not head.strip():
        return f"{start}{thought}{text}"
    return f"{start}{thought}{behind}{text}"


def answer_part(value: str, fields: Mapping[str, Any]) -> str:
    """A value where the format has the answer."""
    if fields["place"] == "boxed":
        return f"\\boxed{{{value}}}"
    return f"Answer: {value}" if fields["place"] == "line" else f"{fields['answer'][0]}{value}{fields['answer'][1]}"


def answer_of_call(message: Mapping[str, Any]) -> str | None:
    """What a message without content hands to its only call, of a tool that is named for an answer, as its only argument."""
    calls = message.get("tool_calls")
    if not isinstance(calls, list) or len(calls) != 1 or not isinstance(calls[0], Mapping):
        return None
    function = calls[0].get("function")
    if not isinstance(function, Mapping) or function.get("name") not in _ANSWER_TOOLS:
        return None
    arguments = function.get("arguments")
    try:
        given = json.loads(arguments) if isinstance(arguments, str) else arguments
    except (ValueError, RecursionError):
        return None
    if not isinstance(given, Mapping) or len(given) != 1:
        return None
    value = next(iter(given.values()))
    return valid_text(value) if isinstance(value, str) else json.dumps(value)


def valid_text(text: str) -> str:
    """Text that every reader of the file takes: half a pair of surrogates, which JSON can say, becomes U+FFFD."""
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
