"""slime: reward model, group reward model, reward post-processing and dynamic-sampling filter.

--custom-rm-path optgap.trainers.slime.reward.rm --reward-key score
--custom-reward-post-process-path optgap.trainers.slime.reward.post_process
--dynamic-sampling-filter-path optgap.trainers.slime.reward.keep_group
--data-source-path optgap.trainers.slime.reward.DataSource
--custom-config-path optgap.yaml        # optgap_reward, optgap_advantage, optgap_tasks, …: see OPTIONS
"""

from __future__ import annotations

import asyncio
import functools
import importlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from optgap.trainers.common.evaluation import (
    Evaluation,
    advantages,
    blank_row,
    evaluate_one,
    group_advantages,
    refuse,
    with_a_reward,
)
from optgap.trainers.common.ground_truth import is_ours
from optgap.trainers.common.reward_rules import reads_lengths
from optgap.trainers.common.turns import generation_config_of, last_texts, tokenizer_of, without_end
from optgap.trainers.slime.data import DataSource, current
from optgap.trainers.slime.options import OPTIONS, fingerprint_of, option, reward_of

__all__ = ["OPTIONS", "DataSource", "FilterOutput", "Stops", "keep_group", "post_process", "rm"]

_KEPT = "optgap"
_FINISH = {"completed": "stop", "truncated": "length", "aborted": "abort"}
_ENDS = {**_FINISH, "failed": "abort"}
"""How samples ended, for a curriculum: one that failed (a tool, a network) is no attempt of the model's."""


async def rm(args: Any, sample: Any, **_: Any) -> Any:
    """For --custom-rm-path, with and without --group-rm: of one sample its reward, of a list a list. A dict of fixed
    keys when --reward-key is set, else a float. What the post-processing needs is kept in the sample's metadata, with the
    run's fingerprint, which `args` gets as well (`optgap_fingerprint`)."""
    current(args)  # refuses now what would be refused after a rollout
    args.optgap_fingerprint = fingerprint_of(args)
    if isinstance(sample, (list, tuple)):
        return await asyncio.gather(*(_reward(args, one) for one in sample))
    return await _reward(args, sample)


def keep_group(args: Any, samples: Sequence[Any], **_: Any) -> Any:
    """For --dynamic-sampling-filter-path: keeps a group whose rewards before the length penalty are not all equal. A curriculum
    counts the others here, since slime drops them."""
    from optgap.measure.statistics import filter_groups  # not before it is needed: importing an adapter starts nothing

    flat = _flat(samples)
    rewards = [one.get_reward_value(args) for one in flat]
    kept = [(one.metadata or {}).get(_KEPT) for one in flat]
    lost = [0.0 if each is None else each["row"]["length_penalty"] for each in kept]
    keep = filter_groups(rewards, [0] * len(flat), lost).kept > 0
    if not keep:
        _observe(args, flat)
    reason = None if keep else f"equal_{rewards[0]:.1f}"
    try:
        from slime.rollout.filter_hub.base_types import DynamicFilterOutput
    except ImportError:
        return FilterOutput(keep, reason)
    return DynamicFilterOutput(keep=keep, reason=reason)


class FilterOutput(NamedTuple):
    """slime's DynamicFilterOutput where slime is not installed."""

    keep: bool
    reason: str | None


def post_process(args: Any, samples: Sequence[Any], **_: Any) -> tuple[list[float], list[float]]:
    """For --custom-reward-post-process-path: (raw rewards, advantages by `optgap_advantage`). All samples of a rollout
    are here, so groups are whole; they are slime's own (`group_index`). Groups of other data get slime's own form."""
    flat = _flat(samples)
    raw = [float(one.get_reward_value(args)) for one in flat]
    groups = [one.group_index for one in flat]
    if None in groups:
        raise refuse("group_index", "a sample has none, so its group is not known; use a data source that sets it")
    ours = [row for row, one in enumerate(flat) if _KEPT in (one.metadata or {})]
    others = [row for row in range(len(flat)) if _KEPT not in (flat[row].metadata or {})]
    values = [0.0] * len(flat)
    if ours:
        kept = [flat[row].metadata[_KEPT] for row in ours]
        evaluation = Evaluation(
            [each["row"] for each in kept],
            *([each[name] for each in kept] for name in ("objective", "optimal", "task", "maximise")),
            {at: tuple(each["pair"]) for at, each in enumerate(kept) if "pair" in each},
            {at: each["objectives"] for at, each in enumerate(kept) if "objectives" in each},
        )
        lengths = [flat[row].response_length for row in ours]
        found = advantages(evaluation, [groups[row] for row in ours], option(args, "optgap_advantage"), lengths)
        for row, value in zip(ours, found):
            values[row] = value
    if others:
        found = group_advantages([raw[row] for row in others], [groups[row] for row in others], "grpo_slime")
        for row, value in zip(others, found):
            values[row] = value
    source = _observe(args, flat)
    if source is not None:
        source.step()
    return raw, values


def _observe(args: Any, samples: Sequence[Any]) -> DataSource | None:
    """Hands the outcomes of whole groups to the run's curriculum; its data source, None where the run has none."""
    source = current(args)
    if source is not None:
        ours = [one for one in samples if _KEPT in (one.metadata or {})]
        ends = [_ENDS.get(str(getattr(one.status, "value", "")), "unknown") for one in ours]
        source.observe(ours, [one.metadata[_KEPT]["row"] for one in ours], ends)
    return source


class Stops(NamedTuple):
    """What slime lets SGLang stop on, beside the tokenizer's own end: the checkpoint's generation_config.json and the
    run's --rollout-stop-token-ids and --rollout-stop."""

    checkpoint: str | None
    tokens: tuple[int, ...]
    texts: tuple[str, ...]


def _stops(args: Any) -> Stops:
    tokens, texts = (getattr(args, name, None) or () for name in ("rollout_stop_token_ids", "rollout_stop"))
    return Stops(
        getattr(args, "hf_checkpoint", None), tuple(tokens), (texts,) if isinstance(texts, str) else tuple(texts)
    )


_known_ends: dict[Stops, tuple[str, ...]] = {}


async def _ends(stops: Stops) -> tuple[str, ...]:
    """What may stand at the end of a response. Loading a tokenizer takes a while, and not the event loop's."""
    if stops not in _known_ends:
        _known_ends[stops] = await asyncio.to_thread(_last_texts, stops)
    return _known_ends[stops]


@functools.lru_cache(maxsize=8)
def _last_texts(stops: Stops) -> tuple[str, ...]:
    """slime runs the checkpoint's own tokenizer code, so it is run here."""
    tokenizer = tokenizer_of(stops.checkpoint, trust_remote_code=True)
    if tokenizer is None:
        return stops.texts
    decoded = (tokenizer.decode([token], skip_special_tokens=False) for token in stops.tokens)
    more = (text for text in (*decoded, *stops.texts) if text.strip())
    return (*last_texts(tokenizer, generation_config_of(stops.checkpoint)), *more)


def _response(sample: Any, last: tuple[str, ...]) -> Any:
    """slime keeps the end of the turn in the text (`no_stop_trim`)."""
    return without_end(sample.response, last) if isinstance(sample.response, str) else sample.response


def _finish(args: Any, sample: Any, response: Any) -> str:
    """How the sample ended. One that used up its tokens and has no end of a turn was cut off, whatever its status."""
    how = _FINISH.get(str(getattr(sample.status, "value", "")), "unknown")
    limit = getattr(args, "rollout_max_response_len", None)
    used_up = isinstance(limit, int) and 0 < limit <= int(sample.response_length)
    return "length" if how != "abort" and used_up and response == sample.response else how


async def _reward(args: Any, sample: Any) -> Any:
    if not is_ours(sample.label):
        return await _foreign(args, sample)
    spec = reward_of(args)
    response = _response(sample, await _ends(_stops(args)))
    found = await evaluate_one(
        response,
        sample.label,
        finish=_finish(args, sample, response),
        length=int(sample.response_length) if reads_lengths(spec) else None,
        reward=spec,
        group=getattr(sample, "group_index", None),
    )
    (row,), (objective,), (optimal,) = map(with_a_reward, found.rows), found.objective, found.optimal
    row["fingerprint"] = args.optgap_fingerprint
    if sample.metadata is None:
        sample.metadata = {}
    sample.metadata[_KEPT] = {
        "row": row, "objective": objective, "optimal": optimal, "task": found.tasks[0], "maximise": found.maximise[0],
    }  # fmt: skip
    for name, columns in (("pair", found.pairs), ("objectives", found.matrix)):
        if 0 in columns:
            sample.metadata[_KEPT][name] = list(columns[0])
    return row if getattr(args, "reward_key", None) else row["score"]


async def _foreign(args: Any, sample: Any) -> Any:
    """What the fallback says of a sample of other data, under our keys where a key is asked for."""
    name = option(args, "optgap_fallback")
    if not name:
        raise refuse("label", "is not optgap's; a run with other data needs optgap_fallback: my_project.rm")
    module, _, function = name.rpartition(".")
    result = await getattr(importlib.import_module(module), function)(args, sample)
    key = getattr(args, "reward_key", None)
    if not key:
        return result
    score = float(result[key] if isinstance(result, Mapping) else result)
    row = blank_row(score, "other", fingerprint_of(args))
    row["acc"] = float(result.get("acc", row["score"]) if isinstance(result, Mapping) else result)
    return row


def _flat(samples: Sequence[Any]) -> list[Any]:
    """slime hands over lists of lists where one rollout gave several samples."""
    return [one for each in samples for one in (_flat(each) if isinstance(each, list) else [each])]
