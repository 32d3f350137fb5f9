"""A curriculum of which a share comes from a pool, and what a proposer is asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ... import _native
from ...core import arguments
from ...core.arguments import Spec
from ...core.curriculum import Curriculum
from ...core.engine import Engine
from ...core.errors import Error, misuse
from ...core.results import Baselines, Instances, Scores
from . import Pool


@dataclass(frozen=True, repr=False, eq=False)
class MixedDraws:
    """Problems of difficulty scales and of a pool, one a row."""

    entry: npt.NDArray[np.int64]
    """The pool's entry that the row is a draw of; -1: it is the inner curriculum's."""
    instances: Instances
    """Of an entry under labels of its draw, without a level."""
    records: list[dict[str, Any] | None]
    """The entries' proven baselines; None for the inner curriculum's, which an engine solves: Engine.baselines."""

    def __len__(self) -> int:
        return len(self.entry)

    def __repr__(self) -> str:
        return f"MixedDraws({len(self)} rows, {int((self.entry >= 0).sum())} of a pool)"

    def baselines(self, engine: Engine) -> Baselines:
        """Of all rows; what no record says is solved."""
        return engine.baselines(self.instances, self.records)


class PoolCurriculum:
    """Draws a share of a step's problems from difficulty scales and the others from a pool, and moves both by what is answered.

        plan = optgap.PoolCurriculum({"policy": "pool", "scale": 0.5, "inner": "adaptive"}, pool, ["tsp"], seed=run_seed)
        draws = plan.draw(engine, count, first=rank * count)
        scores = engine.score(draws.instances, completions, draws.baselines(engine))
        plan.observe(draws, scores)
        for delta in all_gather(plan.delta(rank)):
            plan.merge(delta)
        plan.step()

    Which row is whose is a function of seed, step and index; while the pool is empty, all are the difficulty scales'. With ranks
    one process writes the pool's file, and only it takes the deltas' parts for the pool; the others `refresh` after it.

    Args:
        policy: "pool", JSON or a mapping: `scale`, the share of the inner curriculum (0.5), and `inner`, its policy.
        pool: Where the others come from. Its seed draws them.
        tasks: As of Curriculum.
        seed: The run's, 64 bits; the same on all ranks.
    """

    def __init__(
        self, policy: Spec, pool: Pool, tasks: str | Sequence[str] | Mapping[str, int] = "all", seed: int = 0
    ) -> None:
        self._spec, inner = _native.pool_mix(arguments.spec(policy, "policy"))
        self._seed = arguments.integer(seed, "seed", 0, 2**64 - 1)
        self.pool = pool
        self.inner = Curriculum(inner, tasks, seed)

    def __repr__(self) -> str:
        return f"PoolCurriculum({self.policy['scale']:g} of {self.inner!r}, else {self.pool!r})"

    @property
    def policy(self) -> dict[str, Any]:
        """The policy with all its constants."""
        spec: dict[str, Any] = json.loads(self._spec)
        return spec

    def draw(
        self, engine: Engine, count: int, first: int = 0, split: str = "train", style: int | str = 0
    ) -> MixedDraws:
        """The problems first ... first + count - 1 of this step, the difficulty scales' generated in `split` and `style`.

        Calling it again gives the same until `step`.
        """
        count = arguments.integer(count, "count", 0, 2**31 - 1)
        first = arguments.integer(first, "first", 0, 2**31 - 1)
        scale = np.ones(count, np.bool_)
        if len(self.pool):
            scale = _native.from_scale(self._spec, self._seed, self.inner.steps, first, count)
        entry = np.full(count, -1, np.int64)
        records: list[dict[str, Any] | None] = [None] * count
        parts, places = [], []
        if scale.any():
            parts.append(self.inner.instances(engine, count, first, split, style)[scale])
            places.append(np.flatnonzero(scale))
        if not scale.all():
            drawn = self.pool.draw(count, first)
            entry[~scale] = drawn.entry[~scale]
            known = drawn.baselines.records()
            for row in np.flatnonzero(~scale).tolist():
                records[row] = known[row]
            parts.append(drawn.instances[~scale])
            places.append(np.flatnonzero(~scale))
        if not parts:
            return MixedDraws(entry, self.inner.instances(engine, 0, first, split, style), records)
        order = np.argsort(np.concatenate(places), kind="stable")
        return MixedDraws(entry, Instances.concat(parts)[order], records)

    def observe(
        self,
        draws: MixedDraws,
        scores: Scores,
        instance_of: npt.ArrayLike | None = None,
        finish: Sequence[str] | npt.ArrayLike | None = None,
    ) -> None:
        """Counts scored rollouts for this step: of entries for the pool, of the others for the inner curriculum.

        Args:
            draws: From `draw`, of this step.
            scores: From Engine.score with the draws' instances and baselines.
            instance_of: As it was given to score.
            finish: As it was given to score; None takes truncated rows for cut off by length. Those of entries that did
                not end count nothing.
        """
        rows = len(scores)
        of = arguments.instance_rows(instance_of, len(draws), rows)
        given = arguments.finish_rows(finish, rows)
        how = np.where(scores.truncated, _CUT_OFF, 0) if given is None else given
        scale = draws.entry[of] < 0
        names = draws.instances.task
        if scale.any():
            chosen = of[scale]
            known = {index: _task_names()[index] for index in np.unique(names[chosen]).tolist()}
            levels = draws.instances.level
            spelt = {code: _native.level_name(code) for code in np.unique(levels[chosen]).tolist()}
            self.inner.observe_rows(
                [known[index] for index in names[chosen].tolist()],
                [spelt[code] for code in levels[chosen].tolist()],
                chosen,
                scores.feasible[scale],
                scores.quality[scale],
                how[scale],
            )
        ended = ~scale & (how != _CUT_OFF) & (how != _ABORTED)
        if ended.any():
            self.pool.observe_rows(draws.entry[of][ended], scores.normalized[ended], scores.optimal[ended])

    def delta(self, rank: int = 0) -> str:
        """What this process saw in this step, as text to gather; later calls repeat it. Does not merge it."""
        return json.dumps({"curriculum": self.inner.delta(rank), "pool": self.pool.delta(rank)})

    def merge(self, delta: str, pool: bool = True) -> bool:
        """Adds a rank's delta of this step, in any order. False when it is there already.

        Args:
            delta: Of any rank.
            pool: False on ranks that do not write the pool's file.
        """
        try:
            said = json.loads(arguments.name(delta, "delta"))
            own, of_pool = said["curriculum"], said["pool"]
        except (ValueError, KeyError, TypeError):
            raise misuse("delta", "expected the text of PoolCurriculum.delta") from None
        if pool:
            self.pool.merge(of_pool)
        return self.inner.merge(own)

    def step(self, pool: bool = True) -> None:
        """Ends the step of both; with `pool` false the pool is refreshed, after the process that writes has ended its step."""
        if pool:
            self.pool.step()
        else:
            self.pool.refresh()
        self.inner.step()

    def state_dict(self) -> str:
        """What a run continues from, as JSON: the inner curriculum's state, and the step and hash of the pool, whose file is
        its own state."""
        state = {"policy": self.policy, "seed": self._seed, "curriculum": json.loads(self.inner.state_dict()),
                 "pool": self.pool.hash, "pool_step": self.pool.steps}  # fmt: skip
        return json.dumps(state)

    def load_state_dict(self, state: str) -> None:
        """Continues from state_dict's text, with the pool rewound to its step; where another process writes it, refreshed
        behind that one. Error, and no change, when it is of another policy, seed, tasks or pool."""
        try:
            said = json.loads(arguments.name(state, "state"))
            policy, seed, inner, digits = said["policy"], said["seed"], said["curriculum"], said["pool"]
            step = said.get("pool_step", self.pool.steps)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise misuse("state", "expected the text of PoolCurriculum.state_dict") from None
        if policy != self.policy or seed != self._seed:
            raise misuse(
                "state",
                f"is of policy {json.dumps(policy)} and seed {seed}, this one has {self._spec} and {self._seed}",
            )
        before = self.inner.state_dict()
        self.inner.load_state_dict(json.dumps(inner))
        try:
            self.pool.go_to(step, digits)
        except Error as broken:
            self.inner.load_state_dict(before)
            raise misuse("state", f"is of a pool with hash {digits} at step {step}: {broken}") from None


def proposer_prompt(task: str, references: Instances | None = None, target: tuple[int, int] | None = None) -> str:
    """What a model is asked that is to pose a problem, as `optgap propose-prompt` writes it.

    Args:
        task: Its name.
        references: Instances of the task that are shown, without answers: of Pool.draw.
        target: Percents, low and high, of the way from the floor to the optimum that greed should miss.
    """
    low, high = (-1, -1) if target is None else target
    index = _native.task_index(arguments.name(task, "task"))
    if references is not None and (references.task != index).any():
        raise misuse("references", f"expected instances of {task} alone")
    shown = [] if references is None else references.json
    return _native.proposer_prompt(
        index, shown, arguments.integer(low, "target", -1, 100), arguments.integer(high, "target", -1, 100)
    )


_CUT_OFF, _ABORTED = 2, 3  # of finish


def _task_names() -> list[str]:
    from ...core.keys import tasks

    return [task.name for task in tasks()]
