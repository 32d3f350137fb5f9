"""TRL (GRPOTrainer, RLOOTrainer, AsyncGRPO): reward functions that share one evaluation of a batch.

    trainer = GRPOTrainer(reward_funcs=[reward], …)                       # the reward alone
    trainer = GRPOTrainer(reward_funcs=reward_functions("reward", "quality"), …)

The dataset has a column `ground_truth` and, beside other data, `data_source`; rows that are not ours get None, which
TRL leaves to the other reward functions.
"""

from __future__ import annotations

import functools
import importlib.metadata
import math
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from optgap.trainers.common.evaluation import (
    NOT_EVALUATED,
    Evaluation,
    advantages,
    evaluate,
    fingerprint,
    metrics,
    refuse,
    warn_once,
)
from optgap.trainers.common.ground_truth import Unreadable, is_ours, problems, snapshot_hash, use_snapshot
from optgap.trainers.common.reward_rules import reads_lengths, reads_truncation, spec_text
from optgap.trainers.common.turns import generation_config_of, last_texts, last_tokens, without_end

Rewards = list[float | None]
Spec = str | Mapping[str, Any]

COMPONENTS = {"reward": "score", "accuracy": "acc", "format": "format", "feasible": "feasible", "quality": "quality",
              "normalized": "normalized"}  # fmt: skip
"""Names of the reward functions and the keys they return."""


class RewardFunction:
    """One component of the reward, called by TRL with a batch. Picklable, and named in TRL's metrics by `__name__`."""

    def __init__(
        self,
        name: str,
        spec: Spec = "forge",
        column: str = "ground_truth",
        *,
        tokenizer: Any = None,
        max_completion_length: int | None = None,
        generation_config: Any = None,
        baselines: str | os.PathLike[str] | None = None,
    ) -> None:
        use_snapshot(baselines)
        if name not in COMPONENTS:
            raise refuse("reward function", f"{name!r} is none of {', '.join(COMPONENTS)}")
        if generation_config is not None and (tokenizer is None or not hasattr(generation_config, "eos_token_id")):
            raise refuse(
                "generation_config",
                "has no effect without the trainer's tokenizer, and is the model's own (model.generation_config)",
            )
        if reads_truncation(spec) and tokenizer is None and max_completion_length is None:
            raise refuse(
                "truncated",
                "has no effect: TRL does not say which completions were cut off. Give reward_functions the trainer's "
                "tokenizer or its max_completion_length",
            )
        self.__name__ = f"optgap_{name}"
        self._key = COMPONENTS[name]
        self._spec = spec_text(spec)
        self._column = column
        self._ends: frozenset[int] | None = None
        self._last: tuple[str, ...] = ()
        if tokenizer is not None:
            stops = generation_config or generation_config_of(getattr(tokenizer, "name_or_path", None))
            self._ends, self._last = last_tokens(tokenizer, stops), last_texts(tokenizer, stops)
        self._space = max_completion_length

    def __repr__(self) -> str:
        return f"<{self.__name__} {self._spec}>"

    @property
    def fingerprint(self) -> str:
        """That of the reward, for a run's configuration: `wandb.config["optgap"] = function.fingerprint`."""
        return fingerprint(self._spec)

    def __call__(self, prompts: Sequence[Any], completions: Sequence[Any], **columns: Any) -> Rewards:
        rows, evaluation = self._evaluated(completions, columns)
        values: Rewards = [None] * len(completions)
        for row, scored in zip(rows, evaluation.rows):
            # A spec that excludes cut-off rollouts gives NaN, an unreadable ground truth is another reward's business.
            if scored["code"] != NOT_EVALUATED and not math.isnan(scored["score"]):
                values[row] = scored[self._key]
        return values

    def observed(
        self, completions: Sequence[Any], columns: Mapping[str, Any]
    ) -> tuple[list[str], list[dict[str, Any]], list[str] | None]:
        """Of a batch's rows that are ours: ground truths, evaluated rows, ends where they are known. Called behind the
        function itself it scores nothing again."""
        rows, evaluation = self._evaluated(completions, columns)
        truths, finishes = columns[self._column], self._finishes(columns)
        ends = None if finishes is None else [finishes[row] for row in rows]
        return [truths[row] for row in rows], evaluation.rows, ends

    def _evaluated(
        self, completions: Sequence[Any], columns: Mapping[str, Any], group_size: int | None = None
    ) -> tuple[list[int], Evaluation]:
        finishes = self._finishes(columns)
        return _evaluated(
            completions, columns, self._column, self._spec, finishes, self._last, self.fingerprint, group_size
        )

    def _finishes(self, columns: Mapping[str, Any]) -> tuple[str, ...] | None:
        """How each completion ended, of its token ids; None where it cannot be told."""
        ids: Sequence[Sequence[int]] | None = columns.get("completion_ids")
        if ids is None or (self._ends is None and self._space is None):
            return None
        return tuple(self._finish(each) for each in ids)

    def _finish(self, ids: Sequence[int]) -> str:
        if self._ends is not None and len(ids) > 0:
            return "stop" if int(ids[-1]) in self._ends else "length"
        return "length" if self._space is not None and len(ids) >= self._space else "stop"


class GroupAdvantage(RewardFunction):
    """An estimator's advantages in place of rewards, for GRPOConfig(scale_rewards="none"). TRL still subtracts the
    group's mean, so an estimator with an absolute scale (river) keeps its differences, not its zero.

    Needs whole groups: TRL may give a rank parts of them, which is checked on every call and refused.
    """

    def __init__(
        self,
        estimator: Spec = "decoupled",
        *,
        num_generations: int,
        num_generations_eval: int | None = None,
        spec: Spec = "forge",
        column: str = "ground_truth",
        tokenizer: Any = None,
        max_completion_length: int | None = None,
        generation_config: Any = None,
        baselines: str | os.PathLike[str] | None = None,
    ) -> None:
        super().__init__(
            "reward", spec, column, tokenizer=tokenizer, max_completion_length=max_completion_length,
            generation_config=generation_config, baselines=baselines,
        )  # fmt: skip
        name = estimator if isinstance(estimator, str) else str(estimator.get("estimator", "grpo"))
        if num_generations < 2:
            raise refuse("num_generations", "a group has two rollouts or more")
        self.__name__ = f"optgap_{'advantage' if name.lstrip().startswith('{') else name}"
        self._estimator = spec_text(estimator)
        self._size = num_generations
        self._other_size = num_generations_eval or num_generations

    def __call__(self, prompts: Sequence[Any], completions: Sequence[Any], **columns: Any) -> Rewards:
        size = self._size_of_groups(prompts)
        rows, evaluation = self._evaluated(completions, columns, size)
        values: Rewards = [None] * len(completions)
        if rows:
            lengths = _tokens(columns, rows, self._spec)
            found = advantages(evaluation, [row // size for row in rows], self._estimator, lengths)
            for row, scored, value in zip(rows, evaluation.rows, found):
                if scored["code"] != NOT_EVALUATED:
                    values[row] = value
        return values

    @property
    def fingerprint(self) -> str:
        """That of the reward and the estimator."""
        return fingerprint(self._spec, self._estimator)

    def _size_of_groups(self, prompts: Sequence[Any]) -> int:
        """That of training, or of evaluation where TRL samples another number there; the larger one that fits, for whole
        groups of it may be cut into smaller ones."""
        for size in sorted({self._size, self._other_size}, reverse=True):
            part = _part_of_a_group(prompts, size)
            if part is None:
                return size
        raise refuse(
            self.__name__,
            f"compares the {self._size} rollouts of one prompt, and this rank holds parts of groups ({part}): make "
            "per_device_train_batch_size a multiple of num_generations, say num_generations_eval where evaluation samples "
            "another number, or use the plain reward",
        )


def _part_of_a_group(prompts: Sequence[Any], size: int) -> str | None:
    """What breaks the first group of `size` rows that have not one prompt; None when all groups are whole."""
    for start in range(0, len(prompts), size):
        group = prompts[start : start + size]
        broken = next((start + at for at, prompt in enumerate(group) if prompt != group[0]), None)
        if broken is not None or len(group) < size:
            what = f"{len(group)} rows are left" if broken is None else f"row {broken} has another prompt"
            return f"of the group at row {start} {what}"
    return None


def reward_functions(
    *names: str,
    spec: Spec = "forge",
    column: str = "ground_truth",
    tokenizer: Any = None,
    max_completion_length: int | None = None,
    generation_config: Any = None,
    baselines: str | os.PathLike[str] | None = None,
) -> list[RewardFunction]:
    """Reward functions by name, `reward` alone when none is given; a batch is evaluated once for all of them.

    TRL hands over token ids, but does not say which completions were cut off: with the trainer's `tokenizer` those that
    do not end in one of its ends of a turn, else those of `max_completion_length` tokens. With neither it is unknown.
    `generation_config`: the model's, for what it stops on beside the tokenizer's own; None: of the tokenizer's folder.
    `baselines`: the snapshot that baselines come from, or "served".
    """
    return [
        RewardFunction(
            name, spec, column, tokenizer=tokenizer, max_completion_length=max_completion_length,
            generation_config=generation_config, baselines=baselines,
        )
        for name in names or ("reward",)
    ]  # fmt: skip


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


def _tokens(columns: Mapping[str, Any], rows: Sequence[int], spec: str) -> list[int] | None:
    """How many each completion has, where TRL says it."""
    ids = columns.get("completion_ids")
    if ids is None and reads_lengths(spec):
        raise refuse(
            "length", "needs completion_ids, which TRL's trainers hand to reward functions; this caller does not"
        )
    return None if ids is None else [len(ids[row]) for row in rows]


def _evaluated(
    completions: Sequence[Any],
    columns: Mapping[str, Any],
    column: str,
    spec: str,
    finishes: tuple[str, ...] | None,
    last: tuple[str, ...],
    digits: str,
    group_size: int | None = None,
) -> tuple[list[int], Evaluation]:
    """Which rows are ours, and their evaluation."""
    truths = columns.get(column)
    if truths is None:
        raise refuse("dataset", f"has no column {column!r}; it has {', '.join(sorted(columns)) or 'none'}")
    sources = columns.get("data_source") or [None] * len(completions)
    lengths = tuple(_tokens(columns, range(len(completions)), spec) or ()) if reads_lengths(spec) else None

    def evaluated() -> tuple[list[int], Evaluation]:
        rows = [row for row, truth in enumerate(truths) if is_ours(truth, sources[row])]
        mine = [truths[row] for row in rows]
        texts = [text_of(completions[row], known) for row, known in zip(rows, _formats(mine))]
        if last:  # TRL's decoder drops special tokens; what generation stops on may be none
            texts = [without_end(text, last) for text in texts]
        finish = None if finishes is None else [finishes[row] for row in rows]
        tokens = lengths and [lengths[row] for row in rows]
        evaluation = evaluate(texts, mine, finish=finish, lengths=tokens, reward=spec, step=step)
        log_extra: Callable[[str, list[str | None]], None] | None = columns.get("log_extra")
        if log_extra is not None and _ranks_may_log_what_they_hold():
            # Under the bare name, `optgap rescore` would take TRL's table for one of its own.
            log_extra("optgap_fingerprint", [digits] * len(completions))
            ours = dict(zip(rows, mine))
            log_extra("optgap_ground_truth", [ours.get(row) for row in range(len(completions))])
            log_extra("optgap_finish", ["unknown"] * len(completions) if finishes is None else list(finishes))
        log_metric: Callable[[str, float], None] | None = columns.get("log_metric")
        if log_metric is not None and _ranks_may_log_what_they_hold():
            groups = None if group_size is None else [row // group_size for row in rows]
            for name, value in metrics(evaluation.rows, groups).items():
                log_metric(name, value)
        return rows, evaluation

    # Copies are compared, not the lists' addresses: equal elements are the same objects, so this costs a pointer each.
    # A policy that repeats itself is evaluated in every step, or its metrics would be missing.
    step = getattr(columns.get("trainer_state"), "global_step", None)
    asked = (spec, last, step, list(completions), list(truths), list(sources), finishes, lengths, snapshot_hash())
    return _recent.get(asked, evaluated)


def text_of(completion: Any, format_name: str = "forge") -> str:
    """What the model wrote, of a text or of messages (optgap.measure.endpoint.messages)."""
    from optgap.measure.endpoint import messages  # not before it is needed: importing an adapter starts nothing

    return messages.text_of(completion, format_name)


@functools.lru_cache(maxsize=1)
def _ranks_may_log_what_they_hold() -> bool:
    """Before 1.14 TRL calls a collective for each metric that a rank has logged: ranks whose rows are of other tasks wait
    for each other for ever (huggingface/trl#7310). There nothing is logged; the rewards are the same."""
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        return True
    try:
        version = importlib.metadata.version("trl")
    except importlib.metadata.PackageNotFoundError:
        return True
    known = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if known >= (1, 14):
        return True
    warn_once(
        f"trl {version} on several ranks hangs when they log metrics of different tasks: none are logged; take 1.14"
    )
    return False


def _formats(ground_truths: Sequence[Any]) -> list[str]:
    return ["forge" if isinstance(known, Unreadable) else known.format for known in problems(ground_truths)]
