"""verl: reward functions (sync, async), a router for mixed runs, and a reward manager that sees token ids.

    reward.custom_reward_function.path=pkg://optgap.trainers.verl.reward
    reward.custom_reward_function.name=compute_score_async
    +reward.custom_reward_function.reward_kwargs.reward=forge

Estimators and the manager's registration: optgap.trainers.verl.plugin, which verl loads by its entry point.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from optgap.trainers.common.evaluation import (
    SCALARS,
    blank_row,
    evaluate,
    evaluate_one,
    fingerprint,
    refuse,
    warn_once,
    with_a_reward,
)
from optgap.trainers.common.ground_truth import ROLES, is_ours, use_snapshot
from optgap.trainers.common.reward_rules import (
    excludes_truncated,
    reads_lengths,
    reads_truncation,
    spec_text,
    with_length,
)
from optgap.trainers.common.turns import end_tokens, generation_config_of, last_tokens
from optgap.trainers.verl.estimators import require_threshold

Row = dict[str, Any]
Spec = str | Mapping[str, Any]

ROW = (*SCALARS, "fingerprint")
"""Keys of what goes to verl. It averages numbers over validation and leaves texts out."""


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: str,
    extra_info: Mapping[str, Any] | None = None,
    *,
    reward: Spec = "forge",
    baselines: str | None = None,
    **_: Any,
) -> Row:
    """verl's `compute_score`: a dict with `score` and always the same keys. A text that is no answer, or a ground truth
    that is none, is a row; a foreign `data_source` is a mistake of the configuration and raises (see `route`). `baselines`:
    the snapshot that baselines come from (docs/scale.md), or "served"."""
    use_snapshot(baselines)
    _require_ours(data_source, ground_truth)
    row = with_a_reward(evaluate([solution_str], [ground_truth], reward=_accepted_of_texts(reward)).rows[0])
    if "ray" in sys.modules:
        from optgap.trainers.verl.curriculum import report_and_wait  # here: loads the native library

        report_and_wait(ground_truth, row, "unknown")
    return _without_source(row)


async def compute_score_async(
    data_source: str,
    solution_str: str,
    ground_truth: str,
    extra_info: Mapping[str, Any] | None = None,
    *,
    reward: Spec = "forge",
    baselines: str | None = None,
    **_: Any,
) -> Row:
    """The same without blocking the event loop; samples that wait at the same time share native calls, and one whose
    baseline has still to be proven holds no other back."""
    use_snapshot(baselines)
    _require_ours(data_source, ground_truth)
    return await _scored(solution_str, ground_truth, "unknown", _accepted_of_texts(reward))


def route(
    fallback: Callable[..., Any] | None = None, *, reward: Spec = "forge", baselines: str | None = None
) -> Callable[..., Awaitable[Row]]:
    """A `compute_score` for runs with several kinds of data: rows whose `data_source` begins with `optgap/` come here,
    others go to `fallback` (sync or async; verl's own default when None). Both branches return the same keys: of a
    fallback's dict, `score` and `acc` are kept, our components are 0 and the code is -1.

        # rewards.py; reward.custom_reward_function.path=rewards.py name=compute_score
        from optgap.trainers.verl.reward import route
        from my_project import math_score
        compute_score = route(fallback=math_score)
    """
    spec = _accepted_of_texts(reward)
    use_snapshot(baselines)

    async def routed_score(
        data_source: str, solution_str: str, ground_truth: Any, extra_info: Any = None, **others: Any
    ) -> Row:
        if is_ours(ground_truth, data_source):
            return await _scored(solution_str, ground_truth, "unknown", spec)
        other = fallback or _verl_default()
        arguments = dict(
            data_source=data_source, solution_str=solution_str, ground_truth=ground_truth, extra_info=extra_info
        )
        if inspect.iscoroutinefunction(other):
            result = await other(**arguments, **others)
        else:
            result = await asyncio.to_thread(lambda: other(**arguments, **others))
        return foreign_row(result, data_source, spec)

    return routed_score


def foreign_row(result: float | Mapping[str, Any], data_source: str, reward: Spec = "forge") -> Row:
    """What another reward function returned, under our keys; `reward`: that of the run's other rows."""
    score = result["score"] if isinstance(result, Mapping) else result
    row = blank_row(float(score), data_source, fingerprint(reward))
    row["acc"] = float(result.get("acc", score) if isinstance(result, Mapping) else score)
    return _without_source(row)


class RewardManager:
    """verl's reward manager: `await run_single(data)` returns {reward_score, reward_extra_info}.

    Over `compute_score` it adds what needs token ids: reasoning markers survive that are special tokens (the ids are
    decoded as they are, without the end-of-turn token), text of tools is left out, and a response that fills
    `rollout.response_length` without an end is known to be cut off. Ends are the tokenizer's, those of the model's
    generation_config.json, and special tokens at the very end.

        reward.reward_manager.name=optgap
    """

    def __init__(
        self, config: Any, tokenizer: Any, compute_score: Callable[..., Any] | None = None, **router: Any
    ) -> None:
        """`router`: the address and tokenizer of a reward model, which only the fallback may want."""
        self.config = config
        self.tokenizer = tokenizer
        self.fallback = compute_score
        self._router = router if router.get("reward_router_address") is not None else {}
        # The tokenizer may lie in a folder of its own; what generation stops on stands in the model's.
        path = _setting(config, "actor_rollout_ref", "model", "path")
        generation = generation_config_of(path, getattr(tokenizer, "name_or_path", None))
        self._ends = end_tokens(tokenizer, generation)
        self._last = last_tokens(tokenizer, generation)
        self._space = _setting(config, "actor_rollout_ref", "rollout", "response_length")
        use_snapshot(_setting(config, "reward", "reward_kwargs", "baselines"))
        self._reward = _with_overlong_buffer(
            _accepted(_setting(config, "reward", "reward_kwargs", "reward") or "forge"), config, self._space
        )
        require_threshold(_setting(config, "algorithm", "adv_estimator"), self._reward)
        _require_group(config)
        _warn_of_filter(config, self._reward)

    @property
    def fingerprint(self) -> str:
        """The reward's, which every row carries."""
        return fingerprint(self._reward)

    @classmethod
    def assemble_rm_scores(cls, data: Any, scores: Sequence[float]) -> Any:
        """(rows, tokens): each score at its response's last token."""
        import torch

        ends = data.batch["attention_mask"][:, data.batch["prompts"].size(1) :].sum(dim=1) - 1
        placed = torch.zeros_like(data.batch["responses"], dtype=torch.float32)
        placed[torch.arange(len(scores)), ends] = torch.tensor(scores, dtype=torch.float32)
        return placed

    async def run_single(self, data: Any) -> dict[str, Any]:
        # Of a response in several sequences, the last one holds the answer.
        item = data[-1:][0]
        columns = item.non_tensor_batch
        ground_truth, source = columns["reward_model"]["ground_truth"], columns["data_source"]
        if isinstance(source, str) and source.startswith(ROLES):
            row = await self._of_a_role(item, source)
        elif is_ours(ground_truth, source):
            text, finish = await asyncio.to_thread(
                self.read_response, item.batch, int(columns.get("__num_turns__") or 2)
            )
            tokens = len(_valid_response(item.batch)[0])
            row = await _scored(text, ground_truth, finish, self._reward, tokens, columns.get("uid"))
        else:
            row = await self._foreign(item, ground_truth, source)
        return {"reward_score": row["score"], "reward_extra_info": dict(row)}

    def read_response(self, batch: Mapping[str, Any], turns: int = 2) -> tuple[str, str]:
        """What the model generated, and how it ended. verl's agent loops send no mask to reward workers: of a rollout
        of more than two turns the last one is read, which is the model's."""
        ids, own = _valid_response(batch)
        if ids and ids[-1] in self._last:
            finish = "stop"
        else:
            finish = "length" if self._space is not None and len(ids) >= self._space else "unknown"
        if own is None:
            return decode_response(self.tokenizer, self._last_turn(ids) if turns > 2 else ids, self._last), finish
        return decode_response(self.tokenizer, [token for token, kept in zip(ids, own) if kept], self._last), finish

    def _last_turn(self, ids: Sequence[int]) -> Sequence[int]:
        last = len(ids)
        while last and ids[last - 1] in self._ends:
            last -= 1
        first = next((at for at in range(last, 0, -1) if ids[at - 1] in self._ends), 0)
        return ids[first:last]

    async def _of_a_role(self, item: Any, source: str) -> Row:
        """A proposer's, solver's or judge's, which the run's roles reward; one that they leave without a reward earns 0."""
        from optgap.trainers.verl.role_rewards import earned

        columns = item.non_tensor_batch
        text, finish = await asyncio.to_thread(self.read_response, item.batch, int(columns.get("__num_turns__") or 2))
        score = await earned(columns, text, finish)
        return foreign_row(0.0 if score != score else score, source, self._reward)

    async def _foreign(self, item: Any, ground_truth: Any, source: str) -> Row:
        other = self.fallback or _verl_default()
        ids, _ = _valid_response(item.batch)
        text = await asyncio.to_thread(lambda: self.tokenizer.decode(ids, skip_special_tokens=True))
        arguments = dict(
            data_source=source,
            solution_str=text,
            ground_truth=ground_truth,
            extra_info=item.non_tensor_batch.get("extra_info", {}),
            **self._router,
        )
        if inspect.iscoroutinefunction(other):
            return foreign_row(await other(**arguments), source, self._reward)
        return foreign_row(await asyncio.to_thread(lambda: other(**arguments)), source, self._reward)


def decode_response(tokenizer: Any, ids: Sequence[int], ends: frozenset[int]) -> str:
    """The text of a response with its special tokens, without those that end the turn."""
    kept = list(ids)
    while kept and kept[-1] in ends:
        kept.pop()
    return tokenizer.decode(kept, skip_special_tokens=False)


def _valid_response(batch: Mapping[str, Any]) -> tuple[list[int], list[int] | None]:
    """A response's ids without padding, and which of them the model generated if that is known."""
    responses = batch["responses"]
    length = int(batch["attention_mask"][-responses.shape[-1] :].sum())
    own = batch["response_mask"][:length].tolist() if "response_mask" in batch else None
    return responses[:length].tolist(), own


async def _scored(
    text: Any, ground_truth: Any, finish: str, reward: str, tokens: int | None = None, group: Any = None
) -> Row:
    """`group`: verl's own name of the rollouts of one prompt in one step, whichever workers score them."""
    found = await evaluate_one(text, ground_truth, finish=finish, length=tokens, reward=reward, group=group)
    row = with_a_reward(found.rows[0])
    if "ray" in sys.modules:
        from optgap.trainers.verl.curriculum import report  # here: loads the native library

        await report(ground_truth, row, finish)
    return _without_source(row)


def _require_group(config: Any) -> None:
    """A run of roles waits for as many responses to a row as verl samples."""
    group, samples = _setting(config, "data", "optgap", "group"), _setting(config, "actor_rollout_ref", "rollout", "n")
    if group is not None and samples is not None and group != samples:
        raise refuse(
            "data.optgap.group", f"is {group}, and actor_rollout_ref.rollout.n is {samples}: they must be equal"
        )


def _warn_of_filter(config: Any, reward: str) -> None:
    """verl leaves out groups whose `algorithm.filter_groups.metric` is equal, and any metric of the reward counts its length
    penalty: then groups that differ by length alone are kept."""
    filters = _setting(config, "algorithm", "filter_groups")
    metric = _setting(filters, "metric")
    if _setting(filters, "enable") and reads_lengths(reward) and metric in ("score", "seq_reward", "seq_final_reward"):
        warn_once(
            f"algorithm.filter_groups.metric: {metric} counts the length penalty, so groups that differ by length alone are "
            "kept; before_length is the reward without it"
        )


def _with_overlong_buffer(reward: str, config: Any, response_length: int | None) -> str:
    """The reward with verl's own setting for DAPO's soft overlong punishment, which its `dapo` manager reads
    (`overlong_buffer_cfg`: enable, len, penalty_factor; `max_resp_len`), as its length penalty."""
    given = _setting(config, "reward", "reward_kwargs", "overlong_buffer_cfg")
    if not _setting(given, "enable"):
        return reward
    if reads_lengths(reward):
        raise refuse("length", "stands in the reward and as verl's overlong_buffer_cfg; one of the two must go")
    limit = _setting(config, "reward", "reward_kwargs", "max_resp_len") or response_length
    if not limit or not _setting(given, "len"):
        raise refuse(
            "overlong_buffer_cfg",
            "needs len, and reward.reward_kwargs.max_resp_len where actor_rollout_ref.rollout.response_length is not set",
        )
    factor = _setting(given, "penalty_factor")
    length = {"limit": int(limit), "buffer": int(given["len"]), "factor": 1.0 if factor is None else float(factor)}
    return with_length(reward, length)


def _without_source(row: Row) -> Row:
    """verl joins what a reward returns with the batch's own columns and insists on equal dtypes, so a second
    `data_source` would stop the run; the batch has it."""
    return {key: row[key] for key in ROW}


def _require_ours(data_source: Any, ground_truth: Any) -> None:
    if not is_ours(ground_truth, data_source):
        raise refuse(
            "data_source",
            f"{data_source!r} does not begin with 'optgap/'; a run with other data needs "
            "optgap.trainers.verl.reward.route(fallback=...)",
        )


def _accepted_of_texts(reward: Spec) -> str:
    """A spec that needs no more than the text."""
    return _checked_for_texts(reward if isinstance(reward, str) else spec_text(reward))


@functools.lru_cache(maxsize=64)
def _checked_for_texts(reward: str) -> str:
    accepted = _accepted(reward)
    if reads_truncation(accepted):
        raise refuse(
            "truncated",
            "has no effect here: verl hands compute_score the text alone, which does not say that it was cut off. Take the "
            "manager (reward.reward_manager.name=optgap), which sees the token ids, or 'penalise'",
        )
    if reads_lengths(accepted):
        raise refuse(
            "length",
            "needs token counts, and verl hands compute_score the text alone. Take the manager "
            "(reward.reward_manager.name=optgap), which also reads verl's overlong_buffer_cfg",
        )
    return accepted


def _accepted(reward: Spec) -> str:
    reward = reward if isinstance(reward, str) else dict(reward)
    if excludes_truncated(reward):
        raise refuse("truncated", "verl has no row without a reward; take 'penalise' or 'zero' in place of 'exclude'")
    return spec_text(reward)


def _setting(config: Any, *path: str) -> Any:
    """config.<path>, None where it ends early."""
    for name in path:
        config = config.get(name) if config is not None and hasattr(config, "get") else None
    return config


def _verl_default() -> Callable[..., Any]:
    from verl.utils.reward_score import default_compute_score

    return default_compute_score
