"""The best and the worst of several answers to a prompt, as rows for direct preference optimisation; and good answers to imitate."""

from __future__ import annotations

import json
import os
from typing import Any

from ...core.errors import misuse
from ...core.files.reading import rows_of
from ...data.dataset import writing
from .reading import Pair, messages_of, pairs


def choose(scored: str | os.PathLike[str], out: str | os.PathLike[str]) -> tuple[int, int]:
    """Of rows that `optgap score` wrote, one for each prompt: `prompt`, `chosen` and `rejected`, lists of messages. The best is
    the first with the greatest reward, the worst the first with the least. Returns how many prompts gave a row, and how many
    gave none: their answers earn the same, or none has a reward.

    Raises:
        Error: A row has no completion or was not scored, or nothing is left.
    """
    groups: dict[str, list[tuple[float, str]]] = {}
    asked: dict[str, list[dict[str, str]]] = {}
    for place, row in rows_of(scored):
        if "error" in row:
            continue
        if not isinstance(row.get("completion"), str) or "reward" not in row:
            raise misuse("rows", f"{place} has no completion or no reward: give rows that `optgap score` wrote")
        messages = messages_of(row, place)
        name = json.dumps(messages)
        asked[name] = messages
        mine = groups.setdefault(name, [])
        if row["reward"] is not None:
            mine.append((float(row["reward"]), row["completion"]))
    made: list[dict[str, Any]] = []
    for name, answers in groups.items():
        rewards = [reward for reward, _ in answers]
        if not answers or max(rewards) == min(rewards):
            continue
        best, worst = (answers[rewards.index(bound)][1] for bound in (max(rewards), min(rewards)))
        made.append({"prompt": asked[name], "chosen": _said(best), "rejected": _said(worst)})
    if not made:
        raise misuse("rows", f"no prompt of {len(groups)} has answers that differ in reward")
    with writing(os.fspath(out)) as writer:
        writer.write(made)
    return len(made), len(groups) - len(made)


def imitate(source: str | os.PathLike[str], out: str | os.PathLike[str], *, count: int | None = None) -> int:
    """Rows with `messages`: a prompt and its `completion`, or where rows have none their first reference; how many there are.
    `count`: the most that are taken; None: all."""
    rows = [(place, row) for place, row in rows_of(source)][:count]
    if any("completion" in row for _, row in rows):
        texts = [(messages_of(row, place), str(row.get("completion") or "")) for place, row in rows]
    else:
        texts = [([{"role": "user", "content": one.prompt}], _reference(one)) for one in pairs(source)[:count]]
    kept = [{"messages": asked + _said(text)} for asked, text in texts if text.strip()]
    if not kept:
        raise misuse("rows", f"{os.fspath(source)} has no answer that is not blank")
    with writing(os.fspath(out)) as writer:
        writer.write(kept)
    return len(kept)


def _reference(pair: Pair) -> str:
    return pair.references[0] if pair.references else ""


def _said(text: str) -> list[dict[str, str]]:
    return [{"role": "assistant", "content": text}]
