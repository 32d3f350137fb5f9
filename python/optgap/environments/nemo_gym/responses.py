"""What a response of OpenAI's newer API holds, and the row beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from optgap.core.errors import misuse


def text_of_response(response: Any) -> str:
    """All output text; reasoning stands in items of its own, which is put before the answer between `<think>` and `</think>`."""
    said, thought = [], []
    for item in response.output:
        content = getattr(item, "content", None)
        if item.type == "message":
            said.append(content if isinstance(content, str) else "".join(
                part.text for part in content or [] if part.type == "output_text"))  # fmt: skip
        elif item.type == "reasoning":
            parts = content or getattr(item, "summary", None) or []
            thought += [part.text for part in parts if getattr(part, "text", None)]
    text = "".join(said)
    return f"<think>{''.join(thought)}</think>{text}" if thought and "</think>" not in text else text


def finish_of(response: Any) -> str:
    """How it ended: "length" where OpenAI's `incomplete_details` names max_output_tokens."""
    details = getattr(response, "incomplete_details", None)
    reason = details.get("reason") if isinstance(details, Mapping) else getattr(details, "reason", None)
    return "length" if reason == "max_output_tokens" else "abort" if reason else "stop"


def row_of(columns: Mapping[str, Any]) -> dict[str, Any]:
    """The row of a data set's line, {responses_create_params, ground_truth}.

    Raises:
        Error: For a line without a ground truth.
    """
    truth = columns.get("ground_truth")
    if truth is None and isinstance(columns.get("verifier_metadata"), Mapping):
        truth = columns["verifier_metadata"].get("ground_truth")
    if truth is None:
        raise misuse("ground_truth", "is missing beside responses_create_params")
    row: dict[str, Any] = {"ground_truth": truth}
    params = columns.get("responses_create_params")
    asked = params.get("input") if isinstance(params, Mapping) else getattr(params, "input", None)
    if isinstance(asked, str):
        row["prompt"] = asked
    elif asked:
        row["prompt"] = [{"role": _of(one, "role"), "content": _of(one, "content")} for one in asked]
    return row


def line(ground_truth: str, prompt: Any) -> dict[str, Any]:
    """A line of a data set for `ng_collect_rollouts`."""
    messages = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else list(prompt)
    return {"responses_create_params": {"input": messages}, "ground_truth": ground_truth}


def _of(value: Any, name: str) -> str:
    found = value.get(name) if isinstance(value, Mapping) else getattr(value, name, "")
    return found if isinstance(found, str) else "".join(str(part.get("text", "")) for part in found or [])
