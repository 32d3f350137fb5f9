"""slime: reward model, group reward model, reward post-processing, dynamic-sampling filter and data source.

    --custom-rm-path optgap.integrations.slime.rm --reward-key score
    --custom-reward-post-process-path optgap.integrations.slime.post_process
    --dynamic-sampling-filter-path optgap.integrations.slime.keep_group
    --data-source-path optgap.integrations.slime.DataSource
    --custom-config-path optgap.yaml        # optgap_reward, optgap_advantage, optgap_tasks, …: see OPTIONS
"""

from __future__ import annotations

import asyncio
import functools
import importlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from optgap.integrations.evaluation import (
    NOT_EVALUATED,
    Evaluation,
    advantages,
    blank_row,
    evaluate_one,
    excludes_truncated,
    fingerprint,
    group_advantages,
    reads_lengths,
    refuse,
    spec_text,
)
from optgap.integrations import shadow
from optgap.integrations.ground_truth import is_ours, problems
from optgap.integrations.turns import generation_config_of, last_texts, tokenizer_of, without_end

OPTIONS = {
    "optgap_reward": "forge",
    "optgap_advantage": "decoupled",
    "optgap_fallback": None,
    "optgap_tasks": ("tsp", "knapsack"),
    "optgap_levels": ("easy",),
    "optgap_format": "forge",
    "optgap_seed": 0,
}
"""Attributes of slime's `args`, which --custom-config-path adds, and what they are when absent. `optgap_fallback` is
the dotted name of another `async rm(args, sample)`, for the samples of other data."""

_KEPT = "optgap"
_FINISH = {"completed": "stop", "truncated": "length", "aborted": "abort"}


def _option(args: Any, name: str) -> Any:
    value = getattr(args, name, None)
    return OPTIONS[name] if value is None else value


async def rm(args: Any, sample: Any, **_: Any) -> Any:
    """For --custom-rm-path, with and without --group-rm: of one sample its reward, of a list a list. A dict of fixed
    keys when --reward-key is set, else a float. What the post-processing needs is kept in the sample's metadata, with the
    run's fingerprint, which `args` gets as well (`optgap_fingerprint`)."""
    args.optgap_fingerprint = _fingerprint(args)
    if isinstance(sample, (list, tuple)):
        return await asyncio.gather(*(_reward(args, one) for one in sample))
    return await _reward(args, sample)


def keep_group(args: Any, samples: Sequence[Any], **_: Any) -> Any:
    """For --dynamic-sampling-filter-path: keeps a group whose rewards are not all equal."""
    rewards = [one.get_reward_value(args) for one in _flat(samples)]
    keep = min(rewards) < max(rewards)
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
        truths = problems([flat[row].label for row in ours])
        kept = [flat[row].metadata[_KEPT] for row in ours]
        evaluation = Evaluation(
            [each["row"] for each in kept],
            [None if each["row"]["code"] == NOT_EVALUATED else known for each, known in zip(kept, truths)],
            [each["objective"] for each in kept],
            [each["optimal"] for each in kept],
        )
        lengths = [flat[row].response_length for row in ours]
        found = advantages(evaluation, [groups[row] for row in ours], _option(args, "optgap_advantage"), lengths)
        for row, value in zip(ours, found):
            values[row] = value
    if others:
        found = group_advantages([raw[row] for row in others], [groups[row] for row in others], "grpo_slime")
        for row, value in zip(others, found):
            values[row] = value
    return raw, values


class DataSource:
    """For --data-source-path: fresh instances of `optgap_tasks` and `optgap_levels` in turn, never one twice. Groups
    that slime returns go out again first. The state is one integer and the groups that came back."""

    def __init__(self, args: Any) -> None:
        self.args = args
        args.optgap_fingerprint = _fingerprint(args)
        self.metadata: dict[str, Any] = {}
        self._next = 0
        self._returned: list[list[Any]] = []
        self._tokenizer: Any = None

    def __len__(self) -> int:
        return 2**31 - 1

    def get_samples(self, num_samples: int) -> list[list[Any]]:
        groups = self._returned[:num_samples]
        del self._returned[:num_samples]
        return groups + [self._group(self._draw()) for _ in range(num_samples - len(groups))]

    def add_samples(self, samples: list[list[Any]]) -> None:
        self._returned.extend(samples)

    def save(self, rollout_id: int) -> None:
        path = self._path(self.args.save, rollout_id)
        path.parent.mkdir(parents=True, exist_ok=True)
        returned = [[sample.to_dict() for sample in group] for group in self._returned]
        path.write_text(json.dumps({"next": self._next, "metadata": self.metadata, "returned": returned}))

    def load(self, rollout_id: int | None = None) -> None:
        if getattr(self.args, "load", None) is None or rollout_id is None:
            return
        path = self._path(self.args.load, rollout_id)
        if path.exists():
            state = json.loads(path.read_text())
            self._next, self.metadata = state["next"], state["metadata"]
            from slime.utils.types import Sample

            self._returned = [[Sample.from_dict(one) for one in group] for group in state.get("returned", [])]

    def update_metadata(self, metadata: dict[str, Any]) -> None:
        self.metadata.update(metadata)

    def get_metadata(self) -> dict[str, Any]:
        return self.metadata

    def get_buffer_length(self) -> int:
        return len(self._returned)

    @staticmethod
    def _path(folder: str, rollout_id: int) -> Path:
        return Path(folder) / "rollout" / f"optgap_data_source_{rollout_id}.json"

    def _draw(self) -> int:
        self._next += 1
        return self._next - 1

    def _group(self, index: int) -> list[Any]:
        tasks, levels = _option(self.args, "optgap_tasks"), _option(self.args, "optgap_levels")
        task, level = tasks[index % len(tasks)], levels[index // len(tasks) % len(levels)]
        seed = _option(self.args, "optgap_seed") + index
        form = _option(self.args, "optgap_format")
        prompt, key = shadow.issue(task, level, seed, form)
        label = json.dumps({"key": key, "format": form})
        size = self.args.n_samples_per_prompt
        return [self._sample(self._rendered(prompt), label, index, index * size + at) for at in range(size)]

    def _rendered(self, prompt: str) -> str:
        """slime tokenizes a sample's prompt as it is."""
        if not getattr(self.args, "apply_chat_template", False):
            return prompt
        if self._tokenizer is None:
            from transformers import AutoTokenizer

            self._tokenizer = AutoTokenizer.from_pretrained(self.args.hf_checkpoint)
        options = getattr(self.args, "apply_chat_template_kwargs", None) or {}
        messages = [{"role": "user", "content": prompt}]
        return self._tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True, **options)

    @staticmethod
    def _sample(prompt: str, label: str, group_index: int, index: int) -> Any:
        from slime.utils.types import Sample

        return Sample(prompt=prompt, label=label, group_index=group_index, index=index)


class Stops(NamedTuple):
    """What slime lets SGLang stop on, beside the tokenizer's own end: the checkpoint's generation_config.json and the
    run's --rollout-stop-token-ids and --rollout-stop."""

    checkpoint: str | None
    tokens: tuple[int, ...]
    texts: tuple[str, ...]


def _stops(args: Any) -> Stops:
    tokens, texts = (getattr(args, name, None) or () for name in ("rollout_stop_token_ids", "rollout_stop"))
    return Stops(getattr(args, "hf_checkpoint", None), tuple(tokens), (texts,) if isinstance(texts, str) else tuple(texts))


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


def _fingerprint(args: Any) -> str:
    """Of the reward; of the estimator, too, where the run takes advantages from `post_process`."""
    ours = str(getattr(args, "custom_reward_post_process_path", None) or "").startswith(__name__)
    return fingerprint(_accepted(args), _option(args, "optgap_advantage") if ours else "grpo")


def _response(sample: Any, last: tuple[str, ...]) -> Any:
    """slime keeps the end of the turn in the text (`no_stop_trim`)."""
    return without_end(sample.response, last) if isinstance(sample.response, str) else sample.response


async def _reward(args: Any, sample: Any) -> Any:
    if not is_ours(sample.label):
        return await _foreign(args, sample)
    spec = _accepted(args)
    found = await evaluate_one(
        _response(sample, await _ends(_stops(args))),
        sample.label,
        finish=_FINISH.get(str(getattr(sample.status, "value", "")), "unknown"),
        length=int(sample.response_length) if reads_lengths(spec) else None,
        reward=spec,
        group=sample.group_index,
    )
    (row,), (objective,), (optimal,) = found.rows, found.objective, found.optimal
    row["fingerprint"] = args.optgap_fingerprint
    if sample.metadata is None:
        sample.metadata = {}
    sample.metadata[_KEPT] = {"row": row, "objective": objective, "optimal": optimal}
    return row if getattr(args, "reward_key", None) else row["score"]


async def _foreign(args: Any, sample: Any) -> Any:
    """What the fallback says of a sample of other data, under our keys where a key is asked for."""
    name = _option(args, "optgap_fallback")
    if not name:
        raise refuse("label", "is not optgap's; a run with other data needs optgap_fallback: my_project.rm")
    module, _, function = name.rpartition(".")
    result = await getattr(importlib.import_module(module), function)(args, sample)
    key = getattr(args, "reward_key", None)
    if not key:
        return result
    score = float(result[key] if isinstance(result, Mapping) else result)
    row = blank_row(score, "other", _fingerprint(args))
    row["acc"] = float(result.get("acc", row["score"]) if isinstance(result, Mapping) else result)
    return row


def _accepted(args: Any) -> str:
    reward = _option(args, "optgap_reward")
    if excludes_truncated(reward):
        raise refuse("truncated", "slime has no sample without a reward: take 'penalise' or 'zero', not 'exclude'")
    return spec_text(reward)


def _flat(samples: Sequence[Any]) -> list[Any]:
    """slime hands over lists of lists where one rollout gave several samples."""
    return [one for each in samples for one in (_flat(each) if isinstance(each, list) else [each])]
