"""The engine: batch verbs over flat arrays."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _native
from . import arguments
from .answering import answered, made_answers, read_answers, rollout_columns, starts_of, with_answers
from .arguments import Spec, Text, column
from .errors import misuse
from .keys import Key, Task, spec_rows, tasks
from .problem import Frozen, Source, of_keys, of_users
from .results import Answers, Baselines, Improvements, Instances, Scores, Verdicts
from .scheduler import Scheduler, by_own_scheduler
from .twins import Twins, twins_of

_INT32, _INT64, _UINT64 = 2**31 - 1, 2**63 - 1, 2**64 - 1


class Engine:
    """The batch verbs, on the CPU or a GPU with the same bytes.

    Thread-safe; the GIL is released during work. Inputs are borrowed for the call, results own their memory. Misuse and
    device faults raise Error; a bad answer is a row with a code. After os.fork the child makes its own engine on first use (on the
    CPU; device "cuda" raises Error with status "device_unavailable"). Pickling keeps the options; the copy makes its own engine.

    Args:
        device: "auto" (a GPU, where there is one and this build has GPU code, for the batches that gain by it),
            "cpu", or "cuda" (every batch on the GPU; raises Error when it cannot start). Which GPU, of those that the
            process sees: "cuda:1" or "auto:1" say it as torch does. Without a number it is torch's current one where
            torch has started CUDA, else LOCAL_RANK's, as launchers number the processes of a node (not where
            CUDA_VISIBLE_DEVICES shows this process fewer GPUs), else CUDA's current one, which is 0.
        threads: None for all that this process may use (cgroup quota, affinity).
        memory_limit: Bytes of the GPU's arena, allocated once; None for 256 MB. The CPU has no limit.
        server: The socket of this node's daemon (`optgap serve`), or "off". None: with device "auto" what OPTGAP_SERVER
            says, else the daemon at the default path if one listens there; with another device "off". An engine with a
            daemon starts no GPU of its own unless device is "cuda". What is not served there is computed here.
        baselines: A snapshot of a store (`optgap store snapshot`, docs/scale.md), or "served": the one that the node's
            daemon was started with (`optgap serve --baselines`). score, baselines and the scheduler take from it what
            rows do not bring, and solve the rest; solve does not read it. Rows of another version of the engine are
            skipped. Error for a store that is no snapshot and for "served" without it.
    """

    def __init__(
        self,
        device: str = "auto",
        threads: int | None = None,
        memory_limit: int | None = None,
        server: str | os.PathLike[str] | None = None,
        baselines: str | os.PathLike[str] | None = None,
    ) -> None:
        path = None if server is None else arguments.path(server, "server")
        named = None if baselines is None else arguments.path(baselines, "baselines")
        named = named if named in (None, "served") else os.path.abspath(named)
        self._options = (device, threads, memory_limit, path, named)
        pool = 0 if threads is None else arguments.integer(threads, "threads", 1, _INT32)
        arena = 0 if memory_limit is None else arguments.integer(memory_limit, "memory_limit", 1, _INT64)
        where = arguments.device(device)
        place, content = _native.Engine.find_snapshot(named or "", where, path or "")
        self._native = _native.Engine(where, pool, arena, path or "", content)
        self._schedulers: dict[int, Scheduler] = {}  # by process
        self._source = Source(self._native, place)

    def __reduce__(self) -> tuple[type[Engine], tuple[str, int | None, int | None, str | None, str | None]]:
        return Engine, self._options

    def __repr__(self) -> str:
        return f"Engine({self.device_name}, {self.threads} threads, {len(self.tasks)} tasks)"

    @property
    def device(self) -> str:
        """The device it works on: "cpu" or "cuda"."""
        return self._native.device

    @property
    def device_name(self) -> str:
        """A sentence on the device."""
        return self._native.device_name

    @property
    def threads(self) -> int:
        """Threads of the CPU pool, the caller's among them."""
        return self._native.threads

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The tasks of this build; a task's index is its place."""
        return tasks()

    @property
    def snapshot(self) -> Frozen | None:
        """The snapshot that baselines come from: its `hash`, which tells runs apart (Statistics), and `status()`."""
        return self._source.frozen

    def device_status(self) -> dict[str, Any]:
        """The GPU's record: state ("cpu", "ready", "released", "unavailable", "failed", "forked"), device,
        policy (which batches go there), counters of calls, fallbacks and faults since the start, last_reason."""
        return dict(json.loads(self._native.device_status()))

    def server_status(self) -> dict[str, Any]:
        """The record of the node's daemon: state ("off", "idle", "connected", "unreachable", "refused"), path, calls
        and rows that it served, small (calls made here because a round trip costs more), fallbacks (made here because
        it could not), refused (of them, those it turned away), reconnects, last_reason."""
        return dict(json.loads(self._native.server_status()))

    def release(self) -> None:
        """Gives the GPU's memory back once calls under way have ended. Calls run on the CPU, with the same bytes, until
        resume. Nothing to do without a GPU."""
        self._native.release()

    def resume(self) -> None:
        """Takes the GPU's memory again. When it cannot, calls stay on the CPU and device_status says why."""
        self._native.resume()

    # A step (the scheduler's verbs)

    @property
    def scheduler(self) -> Scheduler:
        """The Scheduler behind issue, submit, collect and score_async, made on first use; a forked child makes its own.
        Tickets are the process's own."""
        known = self._schedulers.get(os.getpid())
        if known is None:
            made = Scheduler(self)
            known = self._schedulers.setdefault(os.getpid(), made)
            if known is not made:  # another thread was quicker
                made.shutdown()
        return known

    issue = by_own_scheduler(Scheduler.issue)
    issue_instances = by_own_scheduler(Scheduler.issue_instances)
    submit = by_own_scheduler(Scheduler.submit)
    collect = by_own_scheduler(Scheduler.collect)
    score_async = by_own_scheduler(Scheduler.score_async)

    # Instances

    def generate(
        self,
        task: str | Sequence[str],
        level: str | int = "easy",
        count: int = 1,
        seed: int = 0,
        split: str = "train",
        style: int | str = 0,
    ) -> Instances:
        """Instances of seeds seed ... seed + count - 1, task after task.

        Args:
            task: A name, `NAME@VERSION`, several, or "all".
            level: "easy", "medium", "hard", "benchmark", "dN", or a step of the tasks' difficulty scale as an int.
            count: Instances per task.
            seed: The first seed, 64 bits.
            split: "train", "val" or "test"; splits never share random keys.
            style: Prompt style of their keys and prompts, or "drawn": of each row by its key, of all but the task's last.
        """
        return self.generate_rows(*spec_rows(task, level, count, seed, split, style))

    def generate_rows(
        self,
        task: npt.ArrayLike,
        level: npt.ArrayLike,
        split: npt.ArrayLike,
        seed: npt.ArrayLike,
        style: npt.ArrayLike,
    ) -> Instances:
        """An instance per row, in the codes that Instances' columns have."""
        tasks = column(task, np.int32, "task")
        rows = len(tasks)
        levels, splits, styles = (
            column(values, np.int32, field, rows)
            for values, field in ((level, "level"), (split, "split"), (style, "style"))
        )
        seeds = column(seed, np.uint64, "seed", rows)
        made, words, offsets = self._native.generate(tasks, levels, splits, seeds)
        return Instances(made, levels, splits, seeds, styles, words, offsets)

    def instances(self, keys: Sequence[str | Key]) -> Instances:
        """The instances that keys name; Error when a key's hash differs or its task or version is unknown."""
        return of_keys(self.generate_rows, keys)

    def from_json(self, task: str, instances: str | Mapping[str, Any] | Sequence[str | Mapping[str, Any]]) -> Instances:
        """A user's own instances: one object or JSON text, or several. Error names the field and the rule broken."""
        return of_users(task, instances)

    def relabel(self, instances: Instances, seed: int = 0) -> Twins:
        """A twin of each instance: the same problem under other labels, which `seed` (64 bits) and the instance's hash
        draw. Error for tasks without axes (Task.axes). Experimental."""
        return twins_of(instances, arguments.integer(seed, "seed", 0, _UINT64))

    def prompts(self, instances: Instances, format: Spec = "forge", style: int | None = None) -> list[str]:
        """The prompt of each instance: the task's rules in the row's style, or in `style`, and how to answer."""
        given = None if style is None else arguments.integer(style, "style", 0, _INT32)
        styles = instances.style if given is None else np.full(len(instances), given, np.int32)
        text = arguments.format_text(format)
        return self._native.prompts(instances.task, instances.words, instances.offsets, styles, text)

    # Answers

    def parse(
        self,
        texts: Sequence[Text],
        instances: Instances | str,
        format: Spec | Sequence[Spec] = "forge",
        instance_of: npt.ArrayLike | None = None,
        finish: Sequence[str] | npt.ArrayLike | None = None,
    ) -> Answers:
        """Finds and reads the answers in completions.

        Args:
            texts: One completion a row.
            instances: What they answer, or the name of their task.
            format, finish: As in score: a text that was cut off is read strictly.
            instance_of: Row of `instances` for each text; see score.
        """
        rows = arguments.rows_of(texts, "texts")
        if isinstance(instances, Instances):
            task = instances.task[arguments.instance_rows(instance_of, len(instances), rows)]
        else:
            task = np.full(rows, _native.task_index(arguments.name(instances, "task")), np.int32)
        how, of = arguments.finish_rows(finish, rows), arguments.format_rows(format, rows)
        return Answers(task, **self._native.parse(texts, task, of, how))

    def answers(
        self, instances: Instances, answers: Sequence[Any], instance_of: npt.ArrayLike | None = None
    ) -> Answers:
        """Answers from nested lists, arrays or texts of the answer grammar; None is no answer."""
        return read_answers(instances, answers, instance_of)

    def verify(
        self, instances: Instances, answers: Answers | Sequence[Any], instance_of: npt.ArrayLike | None = None
    ) -> Verdicts:
        """Checks answers against instances; `answers` as in `Engine.answers`, `instance_of` as in `score`."""
        given, of = answered(instances, answers, instance_of)
        found = self._native.verify(
            instances.task, instances.words, instances.offsets, given.words, given.offsets, given.code, given.where, of
        )
        return Verdicts(given.task, **found)

    def greedy(self, instances: Instances) -> Answers:
        """Greedy answers."""
        return made_answers(instances.task, *self._native.greedy(instances.task, instances.words, instances.offsets))

    def noisy_greedy(self, instances: Instances, group: int, seed: int = 0) -> Answers:
        """`group` answers of a noisy greedy policy per instance, in consecutive rows: a weak model without a model."""
        group = arguments.integer(group, "group", 0, _INT32)
        seed = arguments.integer(seed, "seed", 0, _UINT64)
        found = self._native.noisy_greedy(instances.task, instances.words, instances.offsets, group, seed)
        return made_answers(np.repeat(instances.task, group), *found)

    def improve(
        self,
        instances: Instances,
        answers: Answers | Sequence[Any],
        steps: int,
        seed: int = 0,
        instance_of: npt.ArrayLike | None = None,
    ) -> Improvements:
        """Local search from given answers. More steps are never worse."""
        given, of = answered(instances, answers, instance_of)
        steps = arguments.integer(steps, "steps", 0, _INT64)
        seed = arguments.integer(seed, "seed", 0, _UINT64)
        found = self._native.improve(
            instances.task, instances.words, instances.offsets, given.words, given.offsets, steps, seed, of
        )
        return Improvements(**with_answers(found, given.task))

    # Baselines

    def solve(self, instances: Instances, budget: int = -1, start: Answers | Sequence[Any] | None = None) -> Baselines:
        """Best answers with proofs, on the CPU. `budget` in steps; -1 is each task's default, 0 the greedy answer or the
        start. `start`: answers to begin with, one per instance or None, as in `Engine.answers`; each is verified first,
        Error for one that is not feasible. Instances with a key begin with what their generator knows, if anything."""
        budget = arguments.integer(budget, "budget", -1, _INT64)
        blocks = starts_of(instances, start)
        row = (instances.task, instances.words, instances.offsets)
        columns, answers = self._native.solve(*row, budget, instances.level, instances.split, instances.seed, *blocks)
        return Baselines(**columns, answers=made_answers(instances.task, *answers))

    def baselines(
        self, instances: Instances, records: Sequence[Mapping[str, Any] | None], budget: int = -1
    ) -> Baselines:
        """Baselines from records {objective, bound, proven[, floor, greedy]}; rows that say nothing come from the engine's
        snapshot, if it has one and they are there, else they are solved, once for this process."""
        columns, known = _native.baselines_from_records(list(records))
        if len(known) != len(instances):
            raise misuse("baselines", f"expected {len(instances)} records, got {len(known)}")
        if not known.all():
            self._source.fill(instances, columns, known, arguments.integer(budget, "budget", -1, _INT64))
        return Baselines(**columns)

    # Rewards

    def score(
        self,
        instances: Instances,
        texts: Sequence[Text],
        baselines: Baselines | Sequence[Mapping[str, Any] | None] | None = None,
        *,
        instance_of: npt.ArrayLike | None = None,
        group: npt.ArrayLike | Sequence[Any] | None = None,
        finish: Sequence[str] | npt.ArrayLike | None = None,
        length: npt.ArrayLike | None = None,
        cohort: npt.ArrayLike | None = None,
        format: Spec | Sequence[Spec] = "forge",
        reward: Spec = "forge",
        advantage: Spec = "grpo",
        budget: int = -1,
    ) -> Scores:
        """Parse, verify, reward, advantage.

        Args:
            instances: The instances, each once.
            texts: Completions, str or bytes, read from their own buffers.
            baselines: Of the instances; None: from the snapshot, or solved now. Records as in `Engine.baselines`.
            instance_of: Row of `instances` for each text. None: as many consecutive texts for each instance.
            group: Whose advantages are relative to each other: ints, or any values that compare; None: by instance.
            finish: "stop", "length", "abort" or "unknown" a row.
            length: Tokens a row, for estimators that weigh by them.
            cohort: Ids for whitening by task or role; None: the task.
            format: One for all, or one a row.
            reward: A shape's name, JSON, or a mapping.
            advantage: An estimator's or trainer's name, JSON, or a mapping.
            budget: Steps for instances without a baseline.
        """
        known = self._known(instances, baselines, budget)
        columns = rollout_columns(instances, texts, known, instance_of, finish, length, format, reward)
        rows = len(columns["instance_of"])
        found = self._native.score(
            **columns,
            group=None if group is None else arguments.group_rows(group, rows),
            cohort=arguments.optional(cohort, np.int32, "cohort", rows),
            advantage=arguments.spec(advantage, "advantage"),
        )
        return Scores(**with_answers(found, found["task"]), baselines=known)

    def feedback(
        self,
        instances: Instances,
        texts: Sequence[Text],
        baselines: Baselines | Sequence[Mapping[str, Any] | None] | None = None,
        *,
        level: str = "rule",
        instance_of: npt.ArrayLike | None = None,
        finish: Sequence[str] | npt.ArrayLike | None = None,
        format: Spec | Sequence[Spec] = "forge",
        budget: int = -1,
    ) -> list[str]:
        """The part of each completion's explanation that a model may see: never the optimum, a bound or the baseline (docs/feedback.md).
        A text per completion, on one line of at most 1000 bytes, printable whatever the completion holds.

        Args:
            level: "verdict", "rule" or "place", as Scorer.feedback takes them. All others: as in `score`.
        """
        known = self._known(instances, baselines, budget)
        columns = rollout_columns(instances, texts, known, instance_of, finish, None, format, "forge")
        columns.update(group=None, cohort=None, advantage="grpo")
        return self._native.feedback(arguments.name(level, "level"), **columns)

    def _known(self, instances: Instances, given: Any, budget: int) -> Baselines:
        """Baselines as `score` takes them: given, else the snapshot's or solved now."""
        if given is None and not self.snapshot:
            return self.solve(instances, budget)
        rows = [None] * len(instances) if given is None else given
        return given if isinstance(given, Baselines) else self.baselines(instances, rows, budget)

    def advantages(
        self,
        rewards: npt.ArrayLike,
        group: npt.ArrayLike | Sequence[Any],
        advantage: Spec = "grpo",
        *,
        cohort: npt.ArrayLike | None = None,
        length: npt.ArrayLike | None = None,
        components: Sequence[npt.ArrayLike] | None = None,
        scores: npt.ArrayLike | None = None,
        maximise: npt.ArrayLike | None = None,
    ) -> npt.NDArray[np.float32]:
        """Group-relative advantages of any numbers, in groups of any order. A NaN reward takes no part and gets 0.

        Args:
            rewards: One a row.
            group: Ints, or any values that compare.
            advantage: An estimator's or trainer's name, JSON, or a mapping.
            cohort: task_reinforce_pp: task or role ids.
            length: Tokens a row, for estimators that weigh by them.
            components: decoupled, gdpo: format, feasible, quality, normalized, optimal, one entry a row each.
            scores: Ranking estimators: (rows,) or (rows, k), NaN for invalid; None: the rewards.
            maximise: Ranking estimators: is more better, per row; None: yes.
        """
        return self._native.advantages(
            *arguments.advantage_columns(rewards, group, advantage, cohort, length, components, scores, maximise)
        )
