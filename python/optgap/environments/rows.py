"""A row of any kind as an episode holds it: without what a model wrote, with the prompt."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from optgap.core import arguments
from optgap.core.errors import Error, misuse
from optgap.rows import score
from optgap.rows.external import keys, problems as external
from optgap.trainers.common.ground_truth import engine

Message = dict[str, str]

_WRITTEN = ("completion", "answer", "finish", "length", "limit", "reward", "advantage", "error")
"""Columns that say what a model wrote and what became of it: an episode's row has none."""
_CARRIED = (
    "prompt",
    "ground_truth",
    "data_source",
    "reward_model",
    "reward_spec",
    "extra_info",
    "ability",
    "agent_name",
)
"""Columns of a trainer's row that stand around its ground truth."""


def problem_row(given: str | Mapping[str, Any]) -> dict[str, Any]:
    """The row that is scored, without a completion.

    Args:
        given: A row of any kind (docs/rows.md); a key; a ground truth as `optgap dataset` writes it; or a trainer's row, whose
            `ground_truth` (of verl's rows `reward_model.ground_truth`, of SkyRL's `reward_spec.ground_truth`) it is then.

    Raises:
        Error: For what is none of these.
    """
    if isinstance(given, Mapping):
        row = dict(given)
        held = [row, *(row[name] for name in ("reward_model", "reward_spec") if isinstance(row.get(name), Mapping))]
        truth = next((one["ground_truth"] for one in held if one.get("ground_truth") is not None), None)
        if truth is not None:
            return problem_row(truth)
        return {name: value for name, value in row.items() if name not in _WRITTEN}
    if not isinstance(given, str):
        raise misuse("row", f"is {type(given).__name__}, expected a row, a key or a ground truth")
    if not given.lstrip().startswith("{"):
        return {"key": given}
    try:
        read = json.loads(given)
    except (ValueError, RecursionError) as broken:
        raise misuse("row", f"is no JSON: {broken}") from None
    return problem_row(read)


def prompt_of(given: str | Mapping[str, Any], row: Mapping[str, Any], format: Any) -> list[Message]:
    """The messages that pose the row: its own `prompt`, else of an instance of ours the task's in this format.

    Raises:
        Error: Where the row has none, and for one that is no text and no list of messages.
    """
    own = given.get("prompt") if isinstance(given, Mapping) else None
    own = row.get("prompt") if own is None else own
    if own is None and "key" in row and "language" not in row and not keys.is_external(row["key"]):
        own = engine().prompts(engine().instances([row["key"]]), format or "forge")[0]
    if own is None and "instance" in row and isinstance(row.get("task"), str):
        own = engine().prompts(engine().from_json(row["task"], row["instance"]), format or "forge")[0]
    if isinstance(own, str):
        return [{"role": "user", "content": own}]
    if isinstance(own, Sequence) and own and all(map(_is_message, own)):
        return [{"role": message["role"], "content": message["content"]} for message in own]
    if own is None:
        raise misuse("prompt", "is missing: a row of this kind needs the text that poses it, or messages")
    raise misuse("prompt", "is no text, and no list of messages {role, content}")


def _is_message(value: Any) -> bool:
    return isinstance(value, Mapping) and all(isinstance(value.get(name), str) for name in ("role", "content"))


def with_completion(row: Mapping[str, Any], text: str, finish: str, length: int | None) -> dict[str, Any]:
    """The row that is scored for one text; a problem of another environment is judged by its worker first.

    Raises:
        Error: For a problem that cannot be judged.
    """
    made = dict(row)
    if "problem" in row and external.is_record(row):
        from optgap.rows.external.rewarding import verdicts

        try:
            problem = external.read(row)
        except ValueError as wrong:
            raise misuse("problem", str(wrong)) from None
        ((judged, _),) = verdicts([problem], [text], finish=[finish])
        made = json.loads(judged)
    made.update(completion=text, finish=finish)
    if length is not None:
        made["length"] = arguments.integer(length, "length", 0, 2**31 - 1)
    return made


def graded(row: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The scored row.

    Raises:
        Error: With field and rule, for a row that cannot be scored.
    """
    (scored,) = score([row], **options)
    wrong = scored.get("error")
    if wrong:
        field, rule = str(wrong.get("field")), str(wrong.get("rule"))
        raise Error(f"{field}: {rule}", "invalid_argument", field, rule)
    return scored
