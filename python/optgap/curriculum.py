"""Which level the next instance gets; docs/curriculum.md has the rules."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native, arguments
from .arguments import Spec, column
from .engine import Engine
from .errors import misuse
from .keys import task_indices, tasks
from .results import Instances, Scores

_CUT_OFF = 2  # finish "length"


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
        policy: "static", "window", "window_public_code", "stages", "mixed", "adaptive", JSON, or a mapping.
        tasks: Names, "all", or a mapping from names to weights, 1 to 10^6.
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
        indices = task_indices(list(tasks) if isinstance(tasks, Mapping) else tasks)
        weights = list(tasks.values()) if isinstance(tasks, Mapping) else [1] * len(indices)
        names = [_names()[index] for index in indices]
        sizes = [_sizes((prompt_chars or {}).get(name, {})) for name in names]
        self._tasks = np.asarray(indices, np.int32)
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
        return f"Curriculum({self.policy['policy']}, {len(self._tasks)} tasks, {self.steps} steps)"

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
        """Has the policy "stages" all of its passes behind it?"""
        return self._native.finished

    @property
    def state(self) -> dict[str, Any]:
        """What state_dict holds, for reading: windows, totals, the step."""
        state: dict[str, Any] = json.loads(self.state_dict())
        return state

    def instances(self, engine: Engine, count: int, first: int = 0, split: str = "train", style: int = 0) -> Instances:
        """The problems first ... first + count - 1 of this step: a pure function of seed, step, index and merged state.

        Any rank draws its own share. Calling it again gives the same instances until `step`.
        """
        count = arguments.integer(count, "count", 0, 2**31 - 1)
        first = arguments.integer(first, "first", 0, 2**32 - 1)
        task, level, seed = self._native.draw(first, count)
        part = _native.split_code(arguments.name(split, "split"))
        style = arguments.integer(style, "style", 0, 2**31 - 1)
        return engine.generate_rows(
            self._tasks[task], level, np.full(count, part, np.int32), seed, np.full(count, style, np.int32)
        )

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
        place = {int(index): number for number, index in enumerate(self._tasks)}
        try:
            task = np.asarray([place[int(index)] for index in instances.task], np.int32)
        except KeyError as other:
            raise misuse("instances", f"{_names()[other.args[0]]} is no task of this curriculum") from None
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

    def delta(self, rank: int = 0) -> str:
        """What this process observed up to the first call in this step, as JSON to gather. Does not merge it."""
        return self._native.delta(arguments.integer(rank, "rank", 0, 2**31 - 1))

    def merge(self, delta: str) -> bool:
        """Adds a rank's delta of this step, in any order. False when it is there already."""
        return self._native.merge(arguments.name(delta, "delta"))

    def step(self) -> None:
        """Ends the step: decides from what was merged."""
        self._native.step()

    def state_dict(self) -> str:
        """What ranks share, as JSON; equal states are equal bytes. Outcomes that were not merged are not part of it."""
        return self._native.state_dict()

    def load_state_dict(self, state: str) -> None:
        """Continues from state_dict's text; Error, and no change, when it is of another policy, seed or tasks."""
        self._native.load_state_dict(arguments.name(state, "state"))


def _names() -> list[str]:
    return [task.name for task in tasks()]


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
