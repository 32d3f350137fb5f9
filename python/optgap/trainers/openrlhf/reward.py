"""OpenRLHF: `reward_func(queries, prompts, labels)` for a file given as `--reward.remote_url`.

# reward.py
from optgap.trainers.openrlhf.reward import reward_func
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from optgap.trainers.common.evaluation import (
    NOT_EVALUATED,
    SCALARS,
    UNREADABLE_SCORE,
    blank_row,
    evaluate,
    fingerprint,
    refuse,
    warn_once,
    with_a_reward,
)
from optgap.trainers.common.ground_truth import PREFIX, is_ours, use_snapshot
from optgap.trainers.common.reward_rules import excludes_truncated, reads_lengths, spec_text
from optgap.trainers.common.turns import generation_config_of, last_texts, tokenizer_of, without_end

logger = logging.getLogger("optgap")

Result = dict[str, Any]
Spec = str | Mapping[str, Any]

_TAIL = 48
"""Characters of a prompt that find its end in a query whose beginning was cut off."""


class _Scoring:
    """What a `reward_func` does with its arguments."""

    def __init__(
        self, spec: str, fallback: Callable[..., Result] | None, last: tuple[str, ...], tokenizer: Any = None
    ) -> None:
        self._spec = spec
        self._fallback = fallback
        self._last = last
        self._counter = tokenizer if reads_lengths(spec) else None

    def result(self, queries: Sequence[str], prompts: Sequence[str], labels: Sequence[str]) -> Result:
        try:
            # OpenRLHF logs numbers alone. As a warning, for an actor's log shows nothing below.
            warn_once(f"rewards of this run have the fingerprint {fingerprint(self._spec)} ({self._spec})")
            rows = self._rows(queries, prompts, labels)
        except Exception as broken:  # noqa: BLE001
            logger.exception("no reward for %d queries: %s", len(queries), broken)
            rows = [blank_row(UNREADABLE_SCORE, PREFIX + "failed", "") for _ in queries]
        return {
            "rewards": _tensor([row["score"] for row in rows]),
            "scores": _tensor([row["acc"] if row["code"] == NOT_EVALUATED else row["quality"] for row in rows]),
            "extra_logs": {key: _tensor([row[key] for row in rows]) for key in SCALARS},
        }

    def _rows(self, queries: Sequence[str], prompts: Sequence[str], labels: Sequence[str]) -> list[dict[str, Any]]:
        digits = fingerprint(self._spec)
        rows: list[dict[str, Any]] = [blank_row(UNREADABLE_SCORE, PREFIX + "unreadable", digits) for _ in queries]
        raws: dict[int, str] = {}
        for row, (query, prompt, label) in enumerate(zip(queries, prompts, labels)):
            if self._fallback is not None and not is_ours(label):
                result = self._fallback([query], [prompt], [label])
                rows[row] = blank_row(float(result["rewards"][0]), "other", digits)
                rows[row]["acc"] = float(result.get("scores", result["rewards"])[0])
                continue
            raw = _behind(query, prompt)
            if raw is None:
                warn_once("a query does not hold its prompt: it cannot be told what the model generated, so it earns 0")
            else:
                raws[row] = raw
        evaluation = evaluate(
            [without_end(raw, self._last) for raw in raws.values()],
            [labels[row] for row in raws],
            finish=[finish_of(raw, self._last) for raw in raws.values()],
            lengths=None if self._counter is None else [_tokens(self._counter, raw) for raw in raws.values()],
            reward=self._spec,
        )
        for row, scored in zip(raws, evaluation.rows):
            rows[row] = with_a_reward(scored)
        return rows


def reward_func(queries: Sequence[str], prompts: Sequence[str], labels: Sequence[str], **_: Any) -> Result:
    """rewards, scores in [0, 1] (the quality, for dynamic filtering) and extra_logs, tensors of one entry per query.
    Never raises: OpenRLHF swallows exceptions and goes on without a reward."""
    return _Scoring("forge", None, ()).result(queries, prompts, labels)


def configured(
    reward: Spec = "forge",
    fallback: Callable[..., Result] | None = None,
    model: str | None = None,
    curriculum: Spec | None = None,
    baselines: str | os.PathLike[str] | None = None,
) -> Callable[..., Result]:
    """A `reward_func` with another reward, and with another `reward_func` for the rows whose label is not ours. `model`:
    the run's model, a folder or a cached Hub id: OpenRLHF tells a reward function nothing of it, and what it stops on
    (generation_config.json) may be none of the usual ends of a turn. `curriculum` is refused. `baselines`:
    the snapshot that baselines come from, or "served". The function's `fingerprint` is the run's."""
    use_snapshot(baselines)
    if curriculum is not None:
        raise refuse(
            "curriculum",
            "cannot work in OpenRLHF: it reads its prompts from a file before the run, so no level can be chosen on the way, "
            "and tells a reward function neither the step nor the group. Write a mixture of levels with `optgap dataset "
            "--trainer openrlhf`, or train with TRL, slime or verl",
        )
    if excludes_truncated(reward):
        raise refuse("truncated", "OpenRLHF has no row without a reward: take 'penalise' or 'zero', not 'exclude'")
    tokenizer = tokenizer_of(model)
    if model is not None and tokenizer is None:
        raise refuse("model", f"no tokenizer is found in {model!r}: give the run's model, a folder or a cached Hub id")
    if reads_lengths(reward) and tokenizer is None:
        raise refuse("length", "OpenRLHF hands over no token counts: give `model`, whose tokenizer counts them")
    last = () if tokenizer is None else last_texts(tokenizer, generation_config_of(model))
    scoring = _Scoring(spec_text(reward), fallback, last, tokenizer)

    def reward_func(queries: Sequence[str], prompts: Sequence[str], labels: Sequence[str], **_: Any) -> Result:
        return scoring.result(queries, prompts, labels)

    # Now, so that a spec that cannot be read stops the run: in a call OpenRLHF would swallow it.
    reward_func.fingerprint = fingerprint(reward)  # type: ignore[attr-defined]
    return reward_func


def response_of(query: object, prompt: object, last: tuple[str, ...] = ()) -> str | None:
    """What the model wrote in a query that was decoded with its special tokens; None when the prompt is not in it."""
    raw = _behind(query, prompt)
    return None if raw is None else without_end(raw, last)


def _tokens(tokenizer: Any, raw: str) -> int:
    """Of a response with its special tokens, as the tokenizer would write it."""
    return len(tokenizer.encode(raw, add_special_tokens=False))


def finish_of(raw: str, last: tuple[str, ...] = ()) -> str:
    """How a response ended: OpenRLHF keeps special tokens, so one without an end of the turn was cut off."""
    return "stop" if without_end(raw, last) != raw.rstrip() else "length"


def _behind(query: object, prompt: object) -> str | None:
    """What follows the prompt. Decoding may have put a token in front, and a long prompt may have lost its beginning."""
    if not isinstance(query, str) or not isinstance(prompt, str):
        return None
    for known in (prompt, prompt[-_TAIL:]):
        at = query.find(known) if known.strip() else -1
        if at >= 0:
            return query[at + len(known) :]
    return None


def _tensor(values: Sequence[float]) -> Any:
    """A float32 tensor; a list where torch is not installed."""
    try:
        import torch
    except ImportError:
        return [float(value) for value in values]
    return torch.tensor([float(value) for value in values], dtype=torch.float32)
