"""slime's data source: instances without a file, at fixed levels in turn or at those that a curriculum chooses."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optgap.trainers.common import overlapped
from optgap.trainers.common.evaluation import refuse
from optgap.trainers.common.ground_truth import PREFIX
from optgap.trainers.slime import state as slime_state
from optgap.trainers.slime.options import HOOKS, fingerprint_of, is_given, names_hook, option

if TYPE_CHECKING:  # at run time it loads the native library, which the hooks' import does not
    from optgap.trainers.common.stream import CurriculumRows, Row

logger = logging.getLogger("optgap")

_FINISHES_ITSELF = (None, "slime.rollout.sglang_rollout.generate_rollout")
"""Values of --rollout-function-path under which a rollout ends with nothing in flight: what has neither come to
`post_process` nor back through `add_samples` is lost."""

_IN_FLIGHT = 4096
"""Groups that other rollout functions may have under way at once; older ones are taken for lost."""

_current: DataSource | None = None
"""The source of this process's curriculum. slime makes the source and calls the hooks in one process, its
RolloutManager; `args` is no place for it, since slime sends them on to its engines."""


def current(args: Any) -> DataSource | None:
    """The source that outcomes go to; None where the run has no curriculum. Refused where they cannot reach it."""
    if not is_given(args, "optgap_curriculum"):
        return None
    if _current is None:
        raise refuse(
            "optgap_curriculum",
            f"has no data source in this process: give --data-source-path {HOOKS}.DataSource; a source in another process "
            "than the hooks sees no outcomes",
        )
    return _current


class DataSource:
    """For --data-source-path: fresh instances, never one twice. Groups that slime returns go out again first.

    `optgap_tasks` and `optgap_levels` in turn, or `optgap_tasks` at the levels of `optgap_curriculum`. Then `post_process`
    is the place where outcomes come back, a rollout is a step, and `keep_group` the only filter, for groups that a filter
    drops never come to `post_process`. The state holds all of that and the groups that came back.
    """

    def __init__(self, args: Any) -> None:
        global _current
        self.args = args
        args.optgap_fingerprint = fingerprint_of(args)
        self.metadata: dict[str, Any] = {}
        self._next = 0
        self._returned: list[list[Any]] = []
        self._tokenizer: Any = None
        self._lock = threading.Lock()
        """Some rollout functions draw on a thread of their own."""
        self._rows = _curriculum(args)
        self._is_observed = False
        if self._rows is not None:
            _current = self

    def __len__(self) -> int:
        return 2**31 - 1

    def get_samples(self, num_samples: int) -> list[list[Any]]:
        with self._lock:
            groups = self._returned[:num_samples]
            del self._returned[:num_samples]
            return groups + [self._group(row) for row in self._fresh(num_samples - len(groups))]

    def add_samples(self, samples: list[list[Any]]) -> None:
        with self._lock:
            self._returned.extend(samples)

    def observe(self, samples: Sequence[Any], rows: Sequence[dict[str, Any]], finish: Sequence[str]) -> None:
        """Counts scored samples of whole groups for this rollout's step; groups are slime's own."""
        assert self._rows is not None
        with self._lock:
            labels = [str(one.label) for one in samples]
            self._rows.observe(labels, rows, [one.group_index for one in samples], finish)

    def step(self) -> None:
        """Ends a rollout: the curriculum decides."""
        assert self._rows is not None
        with self._lock:
            self._is_observed = True
            known = self._rows.pending
            if getattr(self.args, "rollout_function_path", None) in _FINISHES_ITSELF:
                held = self._held()
                lost = [key for key in known if key not in held]
            else:
                lost = known[:-_IN_FLIGHT]
            self._rows.drop(lost)
            self._rows.merge(self._rows.delta())
            self._rows.step()

    def save(self, rollout_id: int) -> None:
        with self._lock:
            if self._rows is not None and self._next and not self._is_observed:
                raise refuse(
                    "optgap_curriculum",
                    f"drew {self._next} groups and saw no outcome: slime has not called {HOOKS}.post_process in this process",
                )
            slime_state.write(
                self._path(self.args.save, rollout_id),
                self._next,
                self.metadata,
                self._returned,
                None if self._rows is None else self._rows.state_dict(),
            )

    def load(self, rollout_id: int | None = None) -> None:
        if getattr(self.args, "load", None) is None or rollout_id is None:
            return
        path = self._path(self.args.load, rollout_id)
        if not path.exists():
            if rollout_id >= 0:
                logger.warning("%s is not there: instances begin anew", path)
            return
        state = slime_state.read(path)
        with self._lock:
            if (state.curriculum is None) != (self._rows is None):
                there = "without" if state.curriculum is None else "with"
                raise refuse(f"{path}: curriculum", f"is of a run {there} optgap_curriculum")
            if self._rows is not None and state.curriculum is not None:
                try:
                    self._rows.load_state_dict(state.curriculum)
                except Exception as broken:
                    raise refuse(f"{path}: curriculum", str(broken)) from None
            self._next, self.metadata, self._returned = state.next, state.metadata, state.returned
            self._is_observed = True
            if self._rows is not None:
                self._rows.held(self._held())

    def update_metadata(self, metadata: dict[str, Any]) -> None:
        self.metadata.update(metadata)

    def get_metadata(self) -> dict[str, Any]:
        return self.metadata

    def get_buffer_length(self) -> int:
        return len(self._returned)

    @staticmethod
    def _path(folder: str, rollout_id: int) -> Path:
        return Path(folder) / "rollout" / f"optgap_data_source_{rollout_id}.json"

    def _held(self) -> set[str]:
        """Keys of the groups that came back."""
        from optgap.trainers.common.stream import key_of

        return {key_of(group[0].label) for group in self._returned if group}

    def _fresh(self, count: int) -> list[Row]:
        if self._rows is not None:
            return self._rows.rows(count)
        return [self._in_turn(self._next + place) for place in range(count)]

    def _in_turn(self, index: int) -> Row:
        tasks, levels = option(self.args, "optgap_tasks"), option(self.args, "optgap_levels")
        task, level = tasks[index % len(tasks)], levels[index // len(tasks) % len(levels)]
        seed, form = option(self.args, "optgap_seed") + index, option(self.args, "optgap_format")
        prompt, key = overlapped.issue(task, level, seed, form)
        truth = json.dumps({"key": key, "format": form})
        return {"prompt": prompt, "data_source": f"{PREFIX}{task}/{level}", "ground_truth": truth}

    def _group(self, row: Row) -> list[Any]:
        from slime.utils.types import Sample

        index, size = self._next, self.args.n_samples_per_prompt
        self._next += 1
        prompt = self._rendered(row["prompt"])
        return [
            Sample(prompt=prompt, label=row["ground_truth"], group_index=index, index=index * size + place)
            for place in range(size)
        ]

    def _rendered(self, prompt: str) -> str:
        """slime tokenizes a sample's prompt as it is."""
        if not getattr(self.args, "apply_chat_template", False):
            return prompt
        if self._tokenizer is None:
            from transformers import AutoTokenizer

            self._tokenizer = AutoTokenizer.from_pretrained(self.args.hf_checkpoint)
        options = getattr(self.args, "apply_chat_template_kwargs", None) or {}
        messages = [{"role": "user", "content": prompt}]
        rendered: str = self._tokenizer.apply_chat_template(
            messages, tokenize=False, add_generation_prompt=True, **options
        )
        return rendered


def _curriculum(args: Any) -> CurriculumRows | None:
    if not is_given(args, "optgap_curriculum"):
        if is_given(args, "optgap_prompt_chars"):
            raise refuse("optgap_prompt_chars", "has no effect without optgap_curriculum")
        return None
    if is_given(args, "optgap_levels"):
        raise refuse("optgap_levels", "has no effect beside optgap_curriculum, which chooses the levels")
    for name, reason in _UNREACHABLE.items():
        if getattr(args, name, None):
            raise refuse("optgap_curriculum", f"sees no outcomes under --{name.replace('_', '-')}: {reason}")
    if not getattr(args, "custom_reward_post_process_path", None):
        raise refuse(
            "optgap_curriculum",
            f"sees outcomes in --custom-reward-post-process-path {HOOKS}.post_process, which is not set",
        )
    chosen = getattr(args, "dynamic_sampling_filter_path", None)
    if chosen is not None and not names_hook(chosen, "keep_group"):
        raise refuse(
            "optgap_curriculum",
            f"would miss the groups that --dynamic-sampling-filter-path {chosen} drops, which never come to post_process; "
            f"take {HOOKS}.keep_group",
        )
    from optgap.trainers.common.stream import CurriculumRows

    tasks, policy = option(args, "optgap_tasks"), option(args, "optgap_curriculum")
    return CurriculumRows(
        policy if isinstance(policy, str) else dict(policy),
        tasks if isinstance(tasks, str) else dict(tasks) if hasattr(tasks, "keys") else list(tasks),
        option(args, "optgap_seed"),
        format=option(args, "optgap_format"),
        prompt_chars=option(args, "optgap_prompt_chars"),
    )


_UNREACHABLE = {
    "debug_rollout_only": "slime then does not post-process rewards",
    "load_debug_rollout_data": "its samples come from a dump, not from the data source",
    "custom_convert_samples_to_train_data_path": "slime then does not post-process rewards",
}
