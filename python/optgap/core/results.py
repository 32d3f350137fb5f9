"""The engine's results: structs of NumPy arrays with one entry per row.

The arrays own the C++ memory behind them; nothing is copied. Texts and lists are made when they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from .. import _native
from .columns import NO_OBJECTIVE, Columns
from .errors import misuse

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
UInt64 = npt.NDArray[np.uint64]
Float32 = npt.NDArray[np.float32]
Bool = npt.NDArray[np.bool_]

__all__ = [
    "NO_OBJECTIVE",
    "Answers",
    "Baselines",
    "Improvements",
    "InstanceSet",
    "Instances",
    "Scores",
    "Verdicts",
]

_STATUSES = ("unknown", "bounded", "optimal", "infeasible")


def _rows_taken(words: Int32, offsets: Int64, rows: npt.NDArray[np.intp]) -> tuple[Int32, Int64]:
    lengths = np.diff(offsets)[rows]
    taken = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(lengths, out=taken[1:])
    source = np.repeat(offsets[rows] - taken[:-1], lengths) + np.arange(taken[-1])
    return words[source], taken


@dataclass(frozen=True, repr=False, eq=False)
class Instances(Columns):
    """Instances of any mix of tasks: row r is words[offsets[r]:offsets[r + 1]]. An Engine makes them, and trusts them.

    instances[rows] takes an index, a slice, a list of indices or a mask, in that order.
    """

    task: Int32
    """Index into optgap.tasks()."""
    level: Int32
    """-4 easy, -3 medium, -2 hard, -1 benchmark, d >= 0 step d of the task's difficulty scale."""
    split: Int32
    """0 train, 1 val, 2 test, -1 for a user's own instance."""
    seed: UInt64
    style: Int32
    """Prompt style."""
    words: Int32
    """All instances, one after another."""
    offsets: Int64
    """One more than there are rows; offsets[0] is 0."""

    columns: ClassVar[tuple[str, ...]] = ("task", "level", "split", "seed", "style")

    @property
    def keys(self) -> list[str]:
        """Their names: `tsp@1:train:hard:42#9f3a1c2e`, `tsp@1:x:HASH32` for a user's own."""
        return _native.keys(self.task, self.level, self.split, self.seed, self.style, self.words, self.offsets)

    @property
    def hashes(self) -> list[str]:
        """XXH3-128 of each instance's words, 32 hex digits."""
        return _native.hashes(self.words, self.offsets)

    @property
    def canonical(self) -> tuple[list[str], Bool]:
        """The names of the problems under all their labels, `tsp@1:c:HASH32`, and which of them are coarse: other
        problems may share those (docs/coevolution.md). Experimental."""
        return _native.canonical_keys(self.task, self.words, self.offsets)

    @property
    def json(self) -> list[str]:
        """Each instance as JSON text, in its task's form."""
        return _native.to_json(self.task, self.words, self.offsets)

    def __getitem__(self, rows: int | slice | Sequence[int] | npt.NDArray[Any]) -> Instances:
        """The rows chosen by an index, a slice, a list of indices or a mask, in that order."""
        chosen = np.atleast_1d(np.arange(len(self))[rows])
        words, offsets = _rows_taken(self.words, self.offsets, chosen)
        columns = {name: getattr(self, name)[chosen] for name in self.columns}
        return Instances(**columns, words=words, offsets=offsets)

    @classmethod
    def concat(cls, parts: Iterable[Instances]) -> Instances:
        """All rows of `parts`, one after another."""
        batches = list(parts)
        if not batches:
            raise misuse("parts", "expected at least one batch")
        starts = np.cumsum([0, *(len(batch.words) for batch in batches)])
        offsets = [batch.offsets[:-1] + start for batch, start in zip(batches, starts)]
        joined = {name: np.concatenate([getattr(b, name) for b in batches]) for name in (*cls.columns, "words")}
        return cls(**joined, offsets=np.concatenate([*offsets, starts[-1:]]).astype(np.int64))


class InstanceSet:
    """A set of instances that tells which were seen before, by their hashes: 16 bytes and a node each.

    Args:
        canonical: Instances that differ by labels alone are the same (Instances.canonical); those with a coarse key are
            told by their words.
    """

    def __init__(self, canonical: bool = False) -> None:
        self._canonical = canonical
        self._native = _native.InstanceSet()

    def rows(self, instances: Instances) -> tuple[Int32, Int64]:
        """The identity of instances: their words, or their canonical hashes, which sets of one kind may share."""
        if self._canonical:
            return _native.canonical_rows(instances.task, instances.words, instances.offsets)
        return instances.words, instances.offsets

    def add(self, instances: Instances, rows: tuple[Int32, Int64] | None = None) -> Bool:
        """Adds the rows; True for those that were new. `rows`: of `rows`, where they are at hand."""
        return self._native.add(*(self.rows(instances) if rows is None else rows))

    def contains(self, instances: Instances, rows: tuple[Int32, Int64] | None = None) -> Bool:
        """True for the rows that are in it. `rows`: as of `add`."""
        return self._native.contains(*(self.rows(instances) if rows is None else rows))

    def __len__(self) -> int:
        return len(self._native)


@dataclass(frozen=True, repr=False, eq=False)
class Answers(Columns):
    """Answers as blocks of words, row r is words[offsets[r]:offsets[r + 1]]; an empty one where there is none."""

    task: Int32
    code: Int32
    """0 where the text is an answer by the grammar, else why it is none."""
    where: Int32
    """Index of the value at which a list broke, or -1."""
    words: Int32
    """All answers, one after another."""
    offsets: Int64
    """One more than there are rows; offsets[0] is 0."""
    format_code: Int32 | None = None
    """From Engine.parse: the first broken rule of the format, 0 when there is none."""
    begin: Int64 | None = None
    """From Engine.parse: first UTF-8 byte of the answer's text in the completion. See str_span."""
    end: Int64 | None = None
    """From Engine.parse: the byte behind its last."""

    @property
    def columns(self) -> tuple[str, ...]:  # type: ignore[override]
        spans = () if self.begin is None else ("format_code", "begin", "end")
        return ("task", "code", "where", *spans)

    def tolist(self) -> list[list[int] | list[list[int]] | str | None]:
        """Nested lists; a task's word as str, None where there is no answer."""
        return _native.answer_lists(self.task, self.words, self.offsets)

    @property
    def codes(self) -> list[str]:
        """Names of `code`."""
        return _native.code_names(self.task, self.code)


@dataclass(frozen=True, repr=False, eq=False)
class Verdicts(Columns):
    """The verifier's result for each answer."""

    task: Int32
    feasible: Bool
    objective: Int64
    """NO_OBJECTIVE when infeasible."""
    code: Int32
    """0 when feasible, else the first broken rule."""
    where: Int32
    """Smallest index into the answer's values where it broke, or -1."""
    violation: Int64
    """The distance from feasibility, 0 to violation_max."""
    violation_max: Int64
    """The violation of the worst answer; the task and the instance set it."""

    columns: ClassVar[tuple[str, ...]] = (
        "feasible", "objective", "code", "where", "violation", "violation_max",
    )  # fmt: skip
    objectives: ClassVar[tuple[str, ...]] = ("objective",)

    @property
    def codes(self) -> list[str]:
        """Names of `code`."""
        return _native.code_names(self.task, self.code)


@dataclass(frozen=True, repr=False, eq=False)
class Baselines(Columns):
    """The baselines that each instance's answers are measured against. Objectives are NO_OBJECTIVE where there is none."""

    objective: Int64
    """The best known answer's objective."""
    bound: Int64
    """Nothing can be better."""
    floor: Int64
    """A constant policy's objective."""
    greedy: Int64
    """The objective of one deterministic greedy pass."""
    steps: Int64
    """Effort spent, in the task's steps."""
    status: Int32
    """0 unknown, 1 bounded, 2 optimal, 3 proven infeasible."""
    bound_kind: Int32
    """Index into the task's bound_kinds: how `bound` was proven."""
    answers: Answers | None = field(default=None)
    """From Engine.solve: the answers that reach `objective`."""

    columns: ClassVar[tuple[str, ...]] = (
        "objective", "bound", "floor", "greedy", "steps", "status", "bound_kind",
    )  # fmt: skip
    objectives: ClassVar[tuple[str, ...]] = ("objective", "bound", "floor", "greedy")

    @property
    def proven(self) -> Bool:
        """True where the optimum, or that there is none, is proven."""
        return self.status >= 2

    @property
    def statuses(self) -> list[str]:
        """Names of `status`."""
        return [_STATUSES[code] for code in self.status]

    def records(self) -> list[dict[str, Any]]:
        """{objective, bound, floor, greedy, proven} a row: what files and trainers carry and Engine.baselines reads."""
        names = ("objective", "bound", "floor", "greedy")
        values = [*(self._values(name) for name in names), self.proven.tolist()]
        return [dict(zip((*names, "proven"), row)) for row in zip(*values)]

    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """The columns, in their order."""
        return tuple(getattr(self, name) for name in self.columns)


@dataclass(frozen=True, repr=False, eq=False)
class Improvements(Columns):
    """Answers after local search."""

    start_objective: Int64
    """The given answer's objective; NO_OBJECTIVE when it is infeasible."""
    objective: Int64
    """After the search; NO_OBJECTIVE when the start is infeasible."""
    moves: Int64
    """Moves made."""
    answers: Answers
    """After the search."""
    evaluations: int
    """Moves looked at, all rows together."""

    columns: ClassVar[tuple[str, ...]] = ("start_objective", "objective", "moves")
    objectives: ClassVar[tuple[str, ...]] = ("start_objective", "objective")


@dataclass(frozen=True, repr=False, eq=False)
class Scores(Columns):
    """Rewards, advantages and components of a batch of completions. Numbers always: 0 where infeasible."""

    task: Int32
    reward: Float32
    """NaN where a truncated row is excluded."""
    advantage: Float32
    """Relative to the row's group; 0 where all rewards of a group are equal."""
    format: Bool
    """Was the format kept?"""
    feasible: Bool
    """After the format's gate."""
    quality: Float32
    """Objective over baseline or its inverse, clipped to [0, 1]."""
    raw_ratio: Float32
    """The same, not clipped: above 1 the answer beats the baseline."""
    normalized: Float32
    """Between the floor (0) and the baseline (1), clipped to [-1, 1]."""
    optimal: Bool
    """Proven optimal: its objective is the bound."""
    length_penalty: Float32
    """The part of the reward that the rollout's length took: 0 or less."""
    objective: Int64
    """NO_OBJECTIVE when infeasible."""
    violation: Int64
    """The distance from feasibility; 0 when feasible."""
    code: Int32
    """0 when feasible, else the first broken rule, the format's before the task's. `codes` are the names."""
    where: Int32
    """Smallest index into the answer's values where it broke, or -1."""
    begin: Int64
    """First UTF-8 byte of the answer's text in the completion. See str_span."""
    end: Int64
    """The byte behind its last."""
    proven: Bool
    """Whether the row's baseline is proven."""
    truncated: Bool
    """Did it finish by length or abort?"""
    answers: Answers
    """As parsed; an empty block where there is none."""
    baselines: Baselines
    """The instances' baselines, as given or as solved for this call."""
    beaten: Int64
    """Indices of the rows whose feasible answer beats its baseline."""
    seconds: dict[str, float]
    """Spent in parse, verify, reward and advantage."""

    columns: ClassVar[tuple[str, ...]] = (
        "reward", "advantage", "format", "feasible", "quality", "raw_ratio", "normalized", "optimal",
        "length_penalty", "objective", "violation", "code", "where", "begin", "end", "proven", "truncated",
    )  # fmt: skip
    objectives: ClassVar[tuple[str, ...]] = ("objective",)

    @property
    def codes(self) -> list[str]:
        """Names of `code`."""
        return _native.code_names(self.task, self.code)
