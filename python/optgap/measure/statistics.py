"""What a run did per task and level, in counters that add up; and which groups have something to learn from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _native
from ..core import arguments
from ..core.arguments import Spec, column
from ..core.results import Bool, Instances, Scores


@dataclass(frozen=True, eq=False)
class GroupFilter:
    """The groups of a batch. Shares are NaN where there is nothing to count."""

    keep: Bool
    """Per row: it has a reward, and its group's rewards before the length penalty are not all equal (DAPO's dynamic
    sampling)."""
    groups: int
    kept: int
    """Groups whose rewards are not all equal."""
    collapsed: int
    """Groups of two or more rewards that are all equal."""
    effective_prompt_ratio: float
    """kept / groups."""
    collapsed_share: float
    pair_collision: float
    """Chance that two rollouts of one group get the same reward."""
    feedback_resolution: float
    """Mean of -ln(sum p^G) / (G - 1): 0 when a group's rewards are equal, ln G when no two are."""


def filter_groups(
    rewards: npt.ArrayLike, group: npt.ArrayLike | Sequence[Any], length_penalty: npt.ArrayLike | None = None
) -> GroupFilter:
    """Which rows still give a gradient. A NaN reward takes no part. `group` as in Engine.score. `length_penalty`, the column of
    that name: a group whose rewards differ by it alone (within 1/4096) is a zero-variance group."""
    given = column(rewards, np.float32, "rewards")
    lost = np.zeros(0, np.float32)
    if length_penalty is not None:
        lost = column(length_penalty, np.float32, "length_penalty", len(given))
    return GroupFilter(**_native.filter_groups(given, arguments.group_rows(group, len(given)), lost))


class Statistics:
    """Counters per task and level, the same table as `optgap score --stats` writes and `optgap stats` merges and shows.

    Args:
        format, reward, advantage, budget: As given to score; they tell runs apart, which do not add up.
        correct_from: Quality from which a feasible answer counts as correct.
        baselines: Hash of the snapshot that baselines came from (Engine.snapshot.hash); it tells runs apart as well.
    """

    def __init__(
        self,
        format: str = "forge",
        reward: Spec = "forge",
        advantage: Spec = "grpo",
        budget: int = -1,
        correct_from: float = 1.0,
        baselines: str | None = None,
    ) -> None:
        self._native = _native.Statistics(
            float(correct_from),
            arguments.name(format, "format"),
            arguments.spec(reward, "reward"),
            arguments.spec(advantage, "advantage"),
            arguments.integer(budget, "budget", -1, 2**63 - 1),
            "" if baselines is None else arguments.name(baselines, "baselines"),
        )

    @classmethod
    def from_json(cls, text: str) -> Statistics:
        """Reads what to_json wrote."""
        table = cls.__new__(cls)
        table._native = _native.Statistics(arguments.name(text, "text"))
        return table

    def __reduce__(self) -> tuple[Any, ...]:
        return Statistics.from_json, (self.to_json(),)

    def __repr__(self) -> str:
        total = json.loads(self.to_json())["total"]
        return f"Statistics({total['rows']} rows, {total['groups']} groups)"

    def add(
        self,
        instances: Instances,
        scores: Scores,
        instance_of: npt.ArrayLike | None = None,
        group: npt.ArrayLike | Sequence[Any] | None = None,
    ) -> None:
        """Counts a scored batch; `instance_of` and `group` as given to score. A group belongs into one batch."""
        rows = len(scores)
        of = arguments.instance_rows(instance_of, len(instances), rows)
        level = np.where(instances.split < 0, np.int32(_native.explicit_level), instances.level)
        flags = (column(getattr(scores, name), np.bool_, name) for name in ("format", "feasible"))
        self._native.add(
            scores.task,
            column(level[of], np.int32, "instances"),
            *flags,
            column(scores.quality, np.float32, "scores"),
            column(scores.optimal, np.bool_, "scores"),
            column(scores.truncated, np.bool_, "scores"),
            column(scores.reward, np.float32, "scores"),
            column(scores.length_penalty, np.float32, "scores"),
            of if group is None else arguments.group_rows(group, rows),
        )

    def merge(self, other: Statistics) -> None:
        """Adds another process's counters, in any order. Error that names the part in which the runs differ."""
        self._native.merge(other._native)

    def to_json(self) -> str:
        """One object: the run, and per task and level the counters and the rates made from them."""
        return self._native.to_json()
