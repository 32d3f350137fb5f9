"""Estimators of advantages and reward shapes of your own, in Python (docs/kinds.md).

A package names them in its kind.json. Each method gets the columns of many rows as NumPy arrays, and is called once for all of
them:

    class Softened(Estimator):
        def advantages(self, groups):
            mean = groups.mean(groups.rewards)
            off = groups.rewards - groups.spread(mean)
            return off / groups.spread(groups.deviation(groups.rewards) + self.parameters["softness"])

    class Knee(Shape):
        def values(self, answers):
            return answers.quality / 2 + (answers.quality >= self.parameters["at"]) / 2
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

__all__ = ["Answers", "Estimator", "Groups", "Shape"]

_Float64 = npt.NDArray[np.float64]
_Int64 = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Groups:
    """The groups of a batch that have a signal to give: R rows in G groups, the rows of a group side by side.

    Rows without a reward are not among them, nor are groups of one row unless `of_one` is "as_is".

    Attributes:
        rewards: [R] float64.
        begin: [G + 1] int64. Group g has the rows from begin[g] up to begin[g + 1].
        lengths: [R] int64, tokens; empty unless `reads` of kind.json names it.
        components: By name ("format", "feasible", "quality", "normalized", "optimal"), [R] float64 each; NaN where a row has
            none. Empty unless `reads` names it.
    """

    rewards: _Float64
    begin: _Int64
    lengths: _Int64 = field(default_factory=lambda: np.zeros(0, np.int64))
    components: Mapping[str, _Float64] = field(default_factory=dict)

    @property
    def sizes(self) -> _Int64:
        """[G] int64: rows of each group."""
        return np.diff(self.begin)

    @property
    def group(self) -> _Int64:
        """[R] int64: each row's group."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    def sum(self, values: _Float64) -> _Float64:
        """Sums by group, added in the order of the rows: the other groups of the batch change no bit of them.

        Args:
            values: [R] numbers.

        Returns:
            [G] float64.
        """
        return np.bincount(self.group, values, len(self.sizes)).astype(np.float64, copy=False)

    def mean(self, values: _Float64) -> _Float64:
        """Means by group, [G] float64, of [R] numbers."""
        return self.sum(values) / self.sizes

    def deviation(self, values: _Float64) -> _Float64:
        """Sample standard deviations by group, [G] float64, of [R] numbers; 0 where a group has one row, or equal values."""
        off = values - self.spread(self.mean(values))
        equal = np.maximum.reduceat(values, self.begin[:-1]) == np.minimum.reduceat(values, self.begin[:-1])
        return np.where(equal, 0.0, np.sqrt(self.sum(off * off) / np.maximum(self.sizes - 1, 1)))

    def spread(self, values: _Float64) -> _Float64:
        """[R]: each row's entry of [G] values by group."""
        return np.repeat(values, self.sizes)


class Estimator:
    """An estimator of advantages. A worker makes one for each set of parameters and keeps it.

    Attributes:
        parameters: By name, those that kind.json declares, and "epsilon".
    """

    def __init__(self, parameters: Mapping[str, float]) -> None:
        self.parameters = parameters

    def advantages(self, groups: Groups) -> npt.ArrayLike:
        """The advantages of a batch. Under the scope "group" those of a group must depend on its rows alone: how groups are cut
        into batches is not the estimator's choice.

        Args:
            groups: At least one.

        Returns:
            [R] finite numbers, in the order of `groups.rewards`.
        """
        raise NotImplementedError


@dataclass(frozen=True)
class Answers:
    """Feasible answers, N of them.

    Attributes:
        quality: [N] float64, 0 to 1: the objective beside the baseline.
        optimal: [N] bool: proven optimal.
        floor: [N] float64: the quality of the constant policy's answer to the same instance; 0 where it has none.
        baseline: [N] float64: the baseline's objective; NaN where there is none, the quality is then 1.
        maximise: [N] bool: a larger objective is better.
    """

    quality: _Float64
    optimal: npt.NDArray[np.bool_]
    floor: _Float64
    baseline: _Float64
    maximise: npt.NDArray[np.bool_]


class Shape:
    """A reward shape. A worker makes one for each set of parameters and keeps it.

    Attributes:
        parameters: By name, those that kind.json declares.
    """

    def __init__(self, parameters: Mapping[str, float]) -> None:
        self.parameters = parameters

    def values(self, answers: Answers) -> npt.ArrayLike:
        """What feasible answers earn, before bonus, length penalty, range and grid (docs/rewards.md). An answer's value must depend
        on this answer alone.

        Args:
            answers: At least one.

        Returns:
            [N] numbers within `range` of kind.json.
        """
        raise NotImplementedError
