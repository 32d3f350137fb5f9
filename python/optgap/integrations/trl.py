"""TRL (GRPOTrainer, RLOOTrainer, AsyncGRPO): reward functions that share one evaluation of a batch.

    trainer = GRPOTrainer(reward_funcs=[reward], …)                       # the reward alone
    trainer = GRPOTrainer(reward_funcs=reward_functions("reward", "quality"), …)

The dataset has a column `ground_truth` and, beside other data, `data_source`; rows that are not ours get None, which
TRL leaves to the other reward functions.
"""

from __future__ import annotations

import json
import math
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from optgap.integrations.evaluation import (
    NOT_EVALUATED,
    Evaluation,
    advantages,
    evaluate,
    metrics,
    refuse,
    spec_text,
)
from optgap.integrations.ground_truth import Unreadable, is_ours, problems

Rewards = list[float | None]
Spec = str | Mapping[str, Any]

COMPONENTS = {"reward": "score", "accuracy": "acc", "format": "format", "feasible": "feasible", "quality": "quality",
              "normalized": "normalized"}  # fmt: skip
"""Names of the reward functions and the keys they return."""

_OPENED_IN_PROMPT = "forge_prefilled"
_WITHOUT_REASONING = ("answer_only", "boxed", "answer_line")


class RewardFunction:
    """One component of the reward, called by TRL with a batch. Picklable, and named in TRL's metrics by `__name__`."""

    def __init__(self, name: str, spec: Spec = "forge", column: str = "ground_truth") -> None:
        if name not in COMPONENTS:
            raise refuse("reward function", f"{name!r} is none of {', '.join(COMPONENTS)}")
        self.__name__ = f"optgap_{name}"
        self._key = COMPONENTS[name]
        self._spec = spec_text(spec)
        self._column = column

    def __repr__(self) -> str:
        return f"<{self.__name__} {self._spec}>"

    def __call__(self, prompts: Sequence[Any], completions: Sequence[Any], **columns: Any) -> Rewards:
        rows, evaluation = _evaluated(completions, columns, self._column, self._spec)
        values: Rewards = [None] * len(completions)
        for row, scored in zip(rows, evaluation.rows):
            # A spec that excludes cut-off rollouts gives NaN, an unreadable ground truth is another reward's business.
            if scored["code"] != NOT_EVALUATED and not math.isnan(scored["score"]):
                values[row] = scored[self._key]
        return values


class GroupAdvantage(RewardFunction):
    """An estimator's advantages in place of rewards, for GRPOConfig(scale_rewards="none"). TRL still subtracts the
    group's mean, so an estimator with an absolute scale (river) keeps its differences, not its zero.

    Needs whole groups: TRL may give a rank parts of them, which is checked on every call and refused.
    """

    def __init__(
        self, estimator: Spec = "decoupled", *, num_generations: int, spec: Spec = "forge", column: str = "ground_truth"
    ) -> None:
        super().__init__("reward", spec, column)
        name = estimator if isinstance(estimator, str) else str(estimator.get("estimator", "grpo"))
        if num_generations < 2:
            raise refuse("num_generations", "a group has two rollouts or more")
        self.__name__ = f"optgap_{'advantage' if name.lstrip().startswith('{') else name}"
        self._estimator = spec_text(estimator)
        self._size = num_generations

    def __call__(self, prompts: Sequence[Any], completions: Sequence[Any], **columns: Any) -> Rewards:
        self._require_whole_groups(prompts)
        rows, evaluation = _evaluated(completions, columns, self._column, self._spec, self._size)
        values: Rewards = [None] * len(completions)
        if rows:
            found = advantages(evaluation, [row // self._size for row in rows], self._estimator)
            for row, scored, value in zip(rows, evaluation.rows, found):
                if scored["code"] != NOT_EVALUATED:
                    values[row] = value
        return values

    def _require_whole_groups(self, prompts: Sequence[Any]) -> None:
        for start in range(0, len(prompts), self._size):
            group = prompts[start : start + self._size]
            broken = next((start + at for at, prompt in enumerate(group) if prompt != group[0]), None)
            if broken is not None or len(group) < self._size:
                what = f"{len(group)} rows are left" if broken is None else f"row {broken} has another prompt"
                raise refuse(
                    self.__name__,
                    f"compares the {self._size} rollouts of one prompt, and this rank holds parts of groups (of the "
                    f"group at row {start} {what}): make per_device_train_batch_size a multiple of num_generations, "
                    "or use the plain reward",
                )


def reward_functions(*names: str, spec: Spec = "forge", column: str = "ground_truth") -> list[RewardFunction]:
    """Reward functions by name, `reward` alone when none is given; a batch is evaluated once for all of them."""
    return [RewardFunction(name, spec, column) for name in names or ("reward",)]


reward = RewardFunction("reward")
accuracy = RewardFunction("accuracy")
format = RewardFunction("format")
feasible = RewardFunction("feasible")
quality = RewardFunction("quality")
normalized = RewardFunction("normalized")


class _Recent:
    """The batches evaluated last, so that functions called with the same lists share one evaluation, in whatever order
    and from whatever threads: GRPOTrainer calls one function after the other, AsyncGRPO all at once on threads."""

    KEPT = 8

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._batches: list[tuple[tuple[Any, ...], Future[tuple[list[int], Evaluation]]]] = []

    def get(
        self, key: tuple[Any, ...], evaluated: Callable[[], tuple[list[int], Evaluation]]
    ) -> tuple[list[int], Evaluation]:
        with self._lock:
            found = next((future for known, future in self._batches if known == key), None)
            mine: Future[tuple[list[int], Evaluation]] = Future()
            if found is None:
                self._batches = [*self._batches[1 - self.KEPT :], (key, mine)]
        if found is not None:
            return found.result()
        try:
            mine.set_result(evaluated())
        except BaseException as failed:
            mine.set_exception(failed)
            with self._lock:
                self._batches = [batch for batch in self._batches if batch[1] is not mine]
        return mine.result()


_recent = _Recent()


def _renew() -> None:
    global _recent
    _recent = _Recent()


os.register_at_fork(after_in_child=_renew)


def _evaluated(
    completions: Sequence[Any], columns: Mapping[str, Any], column: str, spec: str, group_size: int | None = None
) -> tuple[list[int], Evaluation]:
    """Which rows are ours, and their evaluation."""
    truths = columns.get(column)
    if truths is None:
        raise refuse("dataset", f"has no column {column!r}; it has {', '.join(sorted(columns)) or 'none'}")
    sources = columns.get("data_source") or [None] * len(completions)

    def evaluated() -> tuple[list[int], Evaluation]:
        rows = [row for row, truth in enumerate(truths) if is_ours(truth, sources[row])]
        mine = [truths[row] for row in rows]
        texts = [text_of(completions[row], known) for row, known in zip(rows, _formats(mine))]
        evaluation = evaluate(texts, mine, reward=spec)
        log_metric: Callable[[str, float], None] | None = columns.get("log_metric")
        if log_metric is not None:
            groups = None if group_size is None else [row // group_size for row in rows]
            for name, value in metrics(evaluation.rows, groups).items():
                log_metric(name, value)
        return rows, evaluation

    # Copies are compared, not the lists' addresses: equal elements are the same objects, so this costs a pointer each.
    # A policy that repeats itself is evaluated in every step, or its metrics would be missing.
    step = getattr(columns.get("trainer_state"), "global_step", None)
    return _recent.get((spec, step, list(completions), list(truths), list(sources)), evaluated)


def _formats(ground_truths: Sequence[Any]) -> list[str]:
    return ["forge" if isinstance(known, Unreadable) else known.format for known in problems(ground_truths)]


def text_of(completion: Any, format_name: str = "forge") -> str:
    """What the model wrote: a text as it is, of messages the assistant's. Where TRL's parser moved the reasoning to a
    field of its own it is put back between its tags, if the format asks for them."""
    if isinstance(completion, str):
        return completion
    if not isinstance(completion, Sequence):
        return ""
    parts = []
    for message in completion:
        if not isinstance(message, Mapping) or message.get("role") != "assistant":
            continue
        content = _content(message.get("content"))
        reasoning = message.get("reasoning_content") or message.get("thinking")
        if isinstance(reasoning, str) and format_name not in _WITHOUT_REASONING:
            opening = "" if format_name == _OPENED_IN_PROMPT else "<think>"
            content = f"{opening}{reasoning}</think>{content}"
        parts.append(content)
    return "\n".join(parts)


def _content(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        blocks = (block.get("text") for block in content if isinstance(block, Mapping))
        return "".join(text for text in blocks if isinstance(text, str))
    return "" if content is None else json.dumps(content)
