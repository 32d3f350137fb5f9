"""What a server said: one reply out of a body, in whichever of the usual spellings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ...core.arguments import Spec
from ...core.keys import format_fields
from .messages import answer_of_call, answer_part, valid_text, with_reasoning

_FINISHES = {
    "stop": "stop", "eos": "stop", "end_turn": "stop", "tool_calls": "stop", "function_call": "stop",
    "length": "length", "max_tokens": "length", "model_length": "length",
    "content_filter": "abort", "abort": "abort", "error": "abort",
}  # fmt: skip
_REASONING = ("reasoning_content", "reasoning")  # vLLM and SGLang; OpenRouter, Groq, newer vLLM


class Garbage(ValueError):
    """A body that is no reply."""


@dataclass(frozen=True)
class Reply:
    """What a model answered."""

    text: str
    """The message's content; empty where the server sent none."""
    reasoning: str | None = None
    """What the server sent apart from the content; None where it sent nothing."""
    finish: str = "unknown"
    """"stop", "length", "abort" or "unknown"."""
    usage: dict[str, int] = field(default_factory=dict)
    """prompt_tokens, completion_tokens, reasoning_tokens: those that the server counted."""
    model: str | None = None
    """The model that the server says it was."""
    seconds: float = 0.0
    """From the first byte sent to the last one read, of the attempt that succeeded."""
    attempts: int = 1
    call: str | None = None
    """What it hands to its only tool call, of a tool that is named for an answer; None where it calls none or another."""


def finish_within(reply: Reply, body: Mapping[str, Any]) -> Reply:
    """A reply that used up the tokens that its request allowed was cut off, whatever the server calls it; an aborted one stays
    so. The same rule stands in host/rows/read/rollout.cpp."""
    limits = [body[name] for name in ("max_completion_tokens", "max_tokens") if type(body.get(name)) is int]
    used = reply.usage.get("completion_tokens", 0)
    cut_off = reply.finish != "abort" and any(0 < limit <= used for limit in limits)
    return replace(reply, finish="length") if cut_off else reply


def completion_of(reply: Reply, format: Spec = "forge") -> str:
    """The text as the model would have written it without a server that takes it apart: reasoning, in the first markers
    of `format`, stands before the content. So it is held against the format, and never read for an answer. Where the
    server sent no content and the reply was cut off, the reasoning was: it stays open. A format without reasoning gets
    the content alone."""
    fields = format_fields(format)
    text = reply.text
    if not text and reply.call is not None:
        text = answer_part(reply.call, fields)
    if reply.reasoning is None or fields["reasoning"] == "none" or not fields["markers"]:
        return text
    before, behind = fields["markers"][0][:2]
    if not text and reply.finish in ("length", "abort"):
        return ("" if fields["opened"] else before) + reply.reasoning
    return with_reasoning(text, reply.reasoning, before, behind, bool(fields["opened"]))


def reply_of(body: bytes, content_type: str = "") -> Reply:
    """Reads the body of a chat completion, or server-sent events of one. Raises Garbage with a sentence."""
    if "event-stream" in content_type or body.lstrip().startswith((b"data:", b"event:")):
        return _from_events(body)
    whole = _object(body)
    choice = _first_choice(whole)
    if choice is None:
        raise Garbage(f"no choices in {_shown(body)}")
    message = choice.get("message")
    if not isinstance(message, Mapping):
        raise Garbage(f"no message in the first choice of {_shown(body)}")
    text, thought = _parts(message.get("content"))
    apart = [valid_text(message[name]) for name in _REASONING if isinstance(message.get(name), str)]
    reasoning = apart[0] if apart else thought
    if not text and isinstance(message.get("refusal"), str):
        text = valid_text(message["refusal"])
    call = None if text else answer_of_call(message)
    return Reply(text, reasoning, _finish(choice.get("finish_reason")), _usage(whole), _name(whole), call=call)


def vectors_of(body: bytes, count: int) -> list[list[float]]:
    """The vectors of a reply of /embeddings, in the order of `index`; Garbage where they are not `count`."""
    rows = _object(body).get("data")
    try:
        found = {int(row["index"]): [float(value) for value in row["embedding"]] for row in rows or []}
    except (TypeError, ValueError, KeyError, AttributeError):
        raise Garbage("its data are no vectors") from None
    if sorted(found) != list(range(count)):
        raise Garbage(f"it has {len(found)} vectors for {count} texts")
    return [found[index] for index in range(count)]


def error_of(body: bytes) -> tuple[str, str]:
    """The message and the code of an error's body, in the forms of OpenAI, vLLM and FastAPI; else its beginning."""
    try:
        whole: Any = json.loads(body)
    except (ValueError, RecursionError):
        return _shown(body), ""
    found = whole.get("error", whole) if isinstance(whole, Mapping) else whole
    if isinstance(found, Mapping):
        message = found.get("message") or found.get("detail")
        code = found.get("code") or found.get("type") or ""
        return (message if isinstance(message, str) else _shown(body)), str(code)
    return (found if isinstance(found, str) else _shown(body)), ""


def _from_events(body: bytes) -> Reply:
    text: list[str] = []
    apart: list[str] = []
    finish: Any = None
    usage: dict[str, int] = {}
    model: str | None = None
    events = 0
    for line in body.decode("utf-8", "replace").splitlines():
        data = line[5:].strip() if line.startswith("data:") else ""
        if not data or data == "[DONE]":
            continue
        event = _object(data.encode())
        if "error" in event:
            raise Garbage(f"the stream says: {error_of(data.encode())[0]}")
        events += 1
        usage = _usage(event) or usage
        model = _name(event) or model
        choice = _first_choice(event)
        if choice is None:
            continue
        finish = choice.get("finish_reason") or finish
        delta = choice.get("delta") or choice.get("message")
        if not isinstance(delta, Mapping):
            continue
        said, thought = _parts(delta.get("content"))
        text.append(said)
        apart += [thought] if thought is not None else []
        apart += [valid_text(delta[name]) for name in _REASONING if isinstance(delta.get(name), str)][:1]
    if not events or finish is None:
        raise Garbage(f"the stream ended in the middle, after {events} events")
    return Reply("".join(text), "".join(apart) if apart else None, _finish(finish), usage, model)


def _object(body: bytes) -> Mapping[str, Any]:
    try:
        whole = json.loads(body)
    except (ValueError, RecursionError):
        raise Garbage(f"expected JSON, got {_shown(body)}") from None
    if not isinstance(whole, Mapping):
        raise Garbage(f"expected a JSON object, got {_shown(body)}")
    return whole


def _first_choice(whole: Mapping[str, Any]) -> Mapping[str, Any] | None:
    choices = whole.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, Mapping) else None


def _parts(content: Any) -> tuple[str, str | None]:
    """The text and the reasoning of a content, which may be a list of parts (Mistral's reasoning models)."""
    if not isinstance(content, list):
        return (valid_text(content) if isinstance(content, str) else ""), None
    text: list[str] = []
    apart: list[str] = []
    for part in content:
        if isinstance(part, Mapping) and part.get("type") == "thinking":
            inner = part.get("thinking")
            apart.append(_parts(inner)[0])
        elif isinstance(part, Mapping) and isinstance(part.get("text"), str):
            text.append(valid_text(part["text"]))
        elif isinstance(part, str):
            text.append(valid_text(part))
    return "".join(text), "".join(apart) if apart else None


def _finish(reason: Any) -> str:
    return _FINISHES.get(reason, "unknown") if isinstance(reason, str) else "unknown"


def _name(whole: Mapping[str, Any]) -> str | None:
    return valid_text(whole["model"]) if isinstance(whole.get("model"), str) else None


def _usage(whole: Mapping[str, Any]) -> dict[str, int]:
    given = whole.get("usage")
    if not isinstance(given, Mapping):
        return {}
    details = given.get("completion_tokens_details")
    named = {**given, **details} if isinstance(details, Mapping) else given
    wanted = ("prompt_tokens", "completion_tokens", "reasoning_tokens")
    return {name: named[name] for name in wanted if type(named.get(name)) is int and 0 <= named[name] < 2**31}


def _shown(body: bytes) -> str:
    text = body[:200].decode("utf-8", "backslashreplace")
    return repr(text) + (" …" if len(body) > 200 else "")
