"""The task and the level of the next instance; docs/curriculum.md has the rules."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .. import _native
from . import arguments
from .arguments import Spec, column
from .engine import Engine
from .errors import Error, misuse
from .keys import style_column, tasks
from .results import Instances, Scores, UInt64

_CUT_OFF = 2  # finish "length"
_OUTSIDE = -1  # a task that no engine of this build generates
# Parts between slashes as in a file's path; `:`, `@` and `#` divide a key.
_OUTSIDE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)+")
_MOST_CHARS = 200  # of a name


class Draws(NamedTuple):
    """Problems that a curriculum drew, one per entry of each column."""

    task: list[str]
    """As the curriculum was given it, without a version."""
    level: list[str]
    """"easy", "medium", "hard", or "d0", "d1", ... for a step of the task's difficulty scale."""
    seed: UInt64


class Curriculum:
    """Draws instances at the level a model learns from, and moves the levels by what it answers.

    The state is a table of summed counters, so that data-parallel ranks agree after every step:

        plan = optgap.Curriculum("adaptive", ["tsp", "knapsack"], seed=run_seed)
        instances = plan.instances(engine, count, first=rank * count)
        plan.observe(instances, scores)
        for delta in all_gather(plan.delta(rank)):
            plan.merge(delta)
        plan.step()

    One per process; not to be shared by threads. Pickling keeps the merged state; outcomes not merged yet are lost.

    Args:
        policy: "static", "window", "window_public_code", "stages", "mixed", "adaptive", "beta", "replay", JSON, or a
            mapping.
        tasks: Names, "all" (of this build that are asked in prompts, Task.direct), or a mapping from names to weights, 1 to 10^6. A name with a slash, such as
            "rg/spell_backward", is a task from outside: `draws` gives it and `observe_rows` counts it.
        seed: The run's, 64 bits; the same on all ranks.
        prompt_chars: For a policy with max_prompt_chars: {task: {level: characters of its longest prompt}}.
    """

    def __init__(
        self,
        policy: Spec = "adaptive",
        tasks: str | Sequence[str] | Mapping[str, int] = "all",
        seed: int = 0,
        prompt_chars: Mapping[str, Mapping[str, int]] | None = None,
    ) -> None:
        self._arguments = (policy, tasks, seed, prompt_chars)
        names = [_task_name(task) for task in _listed(tasks)]
        for name, times in Counter(names).items():
            if times > 1:
                raise misuse("tasks", f"{name} is named {times} times; give it a weight instead")
        weights = list(tasks.values()) if isinstance(tasks, Mapping) else [1] * len(names)
        sizes = [_sizes((prompt_chars or {}).get(name, {})) for name in names]
        self._names = names
        self._registry = np.asarray([_OUTSIDE if "/" in name else _native.task_index(name) for name in names], np.int32)
        self._native = _native.Curriculum(
            arguments.spec(policy, "policy"),
            names,
            [arguments.integer(weight, "tasks", 1, 10**6) for weight in weights],
            sizes,
            arguments.integer(seed, "seed", 0, 2**64 - 1),
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._arguments, self.state_dict())

    def __repr__(self) -> str:
        return f"Curriculum({self.policy['policy']}, {len(self._names)} tasks, {self.steps} steps)"

    @property
    def policy(self) -> dict[str, Any]:
        """The policy with all its constants."""
        spec: dict[str, Any] = json.loads(self._native.spec)
        return spec

    @property
    def steps(self) -> int:
        """Steps that have ended."""
        return self._native.steps

    @property
    def finished(self) -> bool:
        """Whether the policy "stages" has ended all of its passes."""
        return self._native.finished

    @property
    def shares(self) -> dict[str, float]:
        """The share of this step's draws that each task gets: moved by the policy's `mixing`, else by weight."""
        shares = self._native.shares.astype(np.float64)
        return dict(zip(self._names, (shares / shares.sum()).tolist()))

    @property
    def state(self) -> dict[str, Any]:
        """The content of state_dict, for reading: windows, totals, the step."""
        state: dict[str, Any] = json.loads(self.state_dict())
        return state

    def draws(self, count: int, first: int = 0) -> Draws:
        """The problems first ... first + count - 1 of this step: a pure function of seed, step, index and merged state.

        Any rank draws its own share. Calling it again gives the same problems until `step`.
        """
        task, level, seed = self._drawn(count, first)
        names = {code: _native.level_name(code) for code in np.unique(level).tolist()}
        return Draws([self._names[number] for number in task], [names[code] for code in level.tolist()], seed)

    def instances(
        self, engine: Engine, count: int, first: int = 0, split: str = "train", style: int | str = 0
    ) -> Instances:
        """The problems that `draws` names, generated. Error where one of them is of a task from outside.

        Args:
            count: How many.
            first: Index of the first in this step.
            split: Of their keys.
            style: Prompt style, or "drawn": of each row by its key, of all but the task's last, which is kept for evaluation.
        """
        task, level, seed = self._drawn(count, first)
        outside = np.flatnonzero(self._registry[task] == _OUTSIDE)
        if len(outside):
            name = self._names[task[outside[0]]]
            raise misuse(
                "tasks", f"{name} is from outside, so the engine cannot generate it; draws() gives its problems"
            )
        part = _native.split_code(arguments.name(split, "split"))
        columns = (self._registry[task], level, np.full(count, part, np.int32), seed)
        return engine.generate_rows(*columns, style_column(style, *columns))

    def observe(
        self,
        instances: Instances,
        scores: Scores,
        instance_of: npt.ArrayLike | None = None,
        finish: Sequence[str] | npt.ArrayLike | None = None,
    ) -> None:
        """Counts scored rollouts for this step's delta; the rows of one instance are one group.

        Args:
            instances: Of this curriculum's tasks.
            scores: From Engine.score.
            instance_of: As it was given to score.
            finish: As it was given to score; None takes truncated rows for cut off by length.
        """
        place = {index: number for number, index in enumerate(self._registry.tolist()) if index != _OUTSIDE}
        try:
            task = np.asarray([place[index] for index in instances.task.tolist()], np.int32)
        except KeyError as other:
            raise misuse("instances", f"{_registry_names()[other.args[0]]} is no task of this curriculum") from None
        rows = len(scores)
        given = arguments.finish_rows(finish, rows)
        how = np.where(scores.truncated, _CUT_OFF, 0) if given is None else given
        self._native.observe(
            task,
            column(instances.level, np.int32, "instances"),
            arguments.instance_rows(instance_of, len(instances), rows),
            column(scores.feasible, np.bool_, "scores"),
            column(scores.quality, np.float32, "scores"),
            column(how, np.int32, "finish"),
        )

    def observe_rows(
        self,
        task: Sequence[str],
        level: Sequence[str],
        group: npt.ArrayLike | Sequence[Hashable],
        feasible: npt.ArrayLike,
        quality: npt.ArrayLike,
        finish: Sequence[str] | npt.ArrayLike | None = None,
        correct: npt.ArrayLike | None = None,
    ) -> None:
        """Counts rollouts whose verdicts are at hand, from an engine or from outside, for this step's delta.

        Args:
            task: The task of each row.
            level: The level of each row, as `draws` names it.
            group: An id per row; the rows of one id are the rollouts of one problem, so of one task and level.
            feasible: Is the row's answer a solution?
            quality: Of each row, 1 where the baseline is reached; not read where the row is not feasible.
            finish: "stop", "length", "abort" or "unknown" a row; None: all ended by themselves.
            correct: Does the row's environment call the answer correct? Such a row counts as correct whatever its quality;
                another one only where the policy's threshold is below 1 and its quality reaches it. None: the quality decides.
        """
        rows = arguments.rows_of(task, "task")
        if arguments.rows_of(level, "level") != rows:
            raise misuse("level", f"expected {rows} entries, got {len(level)}")
        place = {name: number for number, name in enumerate(self._names)}
        for name in task:
            if name not in place:
                raise misuse("task", f"{name!r} is no task of this curriculum")
        codes = {name: _native.level_code(arguments.name(name, "level")) for name in dict.fromkeys(level)}
        task_of = np.asarray([place[name] for name in task], np.int32)
        level_of = np.asarray([codes[name] for name in level], np.int32)
        _, first, group_of = np.unique(arguments.group_rows(group, rows), return_index=True, return_inverse=True)
        mixed = np.flatnonzero((task_of != task_of[first[group_of]]) | (level_of != level_of[first[group_of]]))
        if len(mixed):
            row, one = int(mixed[0]), int(first[group_of[mixed[0]]])
            has, expected = f"{task[row]} at {level[row]}", f"{task[one]} at {level[one]}"
            raise misuse("group", f"row {row} is {has}, but row {one} of the same group is {expected}")
        how = arguments.finish_rows(finish, rows)
        found = column(quality, np.float32, "quality", rows)
        if correct is not None:
            below = np.minimum(found, np.nextafter(np.float32(1), np.float32(0)))
            found = np.where(column(correct, np.bool_, "correct", rows), np.float32(1), below)
        self._native.observe(
            task_of[first],
            level_of[first],
            group_of.astype(np.int32),
            column(feasible, np.bool_, "feasible", rows),
            found,
            np.zeros(rows, np.int32) if how is None else how,
        )

    def delta(self, rank: int = 0) -> str:
        """The observations of this process up to the first call in this step, as JSON to gather. Does not merge them."""
        return self._native.delta(arguments.integer(rank, "rank", 0, 2**31 - 1))

    def merge(self, delta: str) -> bool:
        """Adds a rank's delta of this step, in any order. False when it is there already."""
        return self._native.merge(arguments.name(delta, "delta"))

    def step(self) -> None:
        """Ends the step: decides from what was merged."""
        self._native.step()

    def state_dict(self) -> str:
        """The state that ranks share, as JSON; equal states are equal bytes. It lacks outcomes that were not merged."""
        return self._native.state_dict()

    def load_state_dict(self, state: str) -> None:
        """Continues from state_dict's text; Error, and no change, when it is of another policy, seed or tasks."""
        self._native.load_state_dict(arguments.name(state, "state"))

    def _drawn(self, count: int, first: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], UInt64]:
        """Numbers of tasks in this curriculum, codes of levels, seeds."""
        count = arguments.integer(count, "count", 0, 2**31 - 1)
        first = arguments.integer(first, "first", 0, 2**32 - 1)
        return self._native.draw(first, count)


def _registry_names() -> list[str]:
    return [task.name for task in tasks()]


def _listed(given: str | Sequence[str] | Mapping[str, int]) -> list[str]:
    """The names in `given`, "all" written out as the direct tasks."""
    if isinstance(given, Mapping):
        return list(given)
    if not isinstance(given, str):
        arguments.rows_of(given, "tasks")
    names = [given] if isinstance(given, str) else list(given)
    return [task.name for task in tasks() if task.direct] if names == ["all"] else names


def _task_name(given: str) -> str:
    """The name of a task of this build, or of one from outside, which has a slash in it."""
    text = arguments.name(given, "tasks")
    if "/" not in text:
        try:
            return _registry_names()[_native.task_index(text)]
        except Error as unknown:
            rule = f"{unknown} A task from outside has a slash in its name, such as rg/{text[:60]}"
            raise Error(f"tasks: {rule}", unknown.status, "tasks", rule) from None
    if len(text) > _MOST_CHARS or not _OUTSIDE_NAME.fullmatch(text):
        form = f"parts of letters, digits, '.', '_' and '-' between slashes, at most {_MOST_CHARS} characters in all"
        raise misuse("tasks", f"{text[:_MOST_CHARS]!r} is no name of a task from outside: expected {form}")
    if text.startswith("optgap/"):
        raise misuse("tasks", f"{text!r} is from outside, but tasks of this build have no slash: {text[7:]!r}")
    return text


def _sizes(levels: Mapping[str, int]) -> list[tuple[int, int]]:
    sizes = []
    for level, chars in levels.items():
        code = _native.level_code(arguments.name(level, "prompt_chars"))
        sizes.append((code, arguments.integer(chars, "prompt_chars", 0, 2**63 - 1)))
    return sizes


def _restored(given: tuple[Any, ...], state: str) -> Curriculum:
    plan = Curriculum(*given)
    plan.load_state_dict(state)
    return plan
