"""Problems that a model proposes, kept with their proofs and drawn by what is learned from them (docs/coevolution.md)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from optgap import _native
from optgap.core import arguments
from optgap.core.columns import by_name
from optgap.core.errors import misuse
from optgap.core.results import Baselines, Instances, Scores

_CODES = ("ok", "duplicate", "unproven", "low_quality")
_ORIGINS = ("seed", "spec", "instance", "edit", "constrain")
_WITH_PARENT = ("edit", "constrain")


@dataclass(frozen=True, repr=False, eq=False)
class PoolDraws:
    """Entries that a pool drew, one a row."""

    entry: npt.NDArray[np.int64]
    """Number of the entry, for Pool.observe."""
    instances: Instances
    """The problems under labels of their draw: explicit instances of prompt style 0."""
    baselines: Baselines
    """The proven optima. Floor and greedy depend on labels and are NO_OBJECTIVE: Engine.score computes them."""

    def __len__(self) -> int:
        return len(self.entry)

    def __repr__(self) -> str:
        return f"PoolDraws({len(self)} rows)"


@dataclass(frozen=True, repr=False, eq=False)
class PoolReceived:
    """What became of instances that were brought to a pool, one a row."""

    code: list[str]
    """"ok", "duplicate" or "unproven"."""
    canonical: list[str]
    """The problem's key under all its labels, `TASK@VERSION:c:HASH32`."""
    coarse: npt.NDArray[np.bool_]
    """Another problem may have this key."""
    duplicate_of: npt.NDArray[np.int64]
    """The entry that has it already; -1 for none, and where an earlier row of this step has it."""
    baselines: Baselines
    """Of the rows that are no duplicates; status 0 for the others."""

    def __len__(self) -> int:
        return len(self.code)

    def __repr__(self) -> str:
        return f"PoolReceived({', '.join(f'{self.code.count(code)} {code}' for code in _CODES)})"


@dataclass(frozen=True, repr=False, eq=False)
class PoolQuestions:
    """Questions in free text that a pool has, one a row."""

    entry: npt.NDArray[np.int64]
    """Number of the entry, for Pool.observe_rows."""
    question: list[str]
    reference: list[str]
    """A known answer; empty: none."""

    def __len__(self) -> int:
        return len(self.entry)

    def __repr__(self) -> str:
        return f"PoolQuestions({len(self)} rows)"


class PoolQuestionsReceived(NamedTuple):
    """What became of questions that were brought to a pool, one a row."""

    code: list[str]
    """"ok", "duplicate" or "low_quality"."""
    canonical: list[str]
    """Equal for questions of equal words, `question@1:c:HASH32`."""
    duplicate_of: npt.NDArray[np.int64]
    """The entry that has it already; -1 for none, and where an earlier row of this step has it."""


class PoolStep(NamedTuple):
    """What a step brought."""

    added: int
    """Entries that are new."""
    repeated: int
    """Entries of problems that the pool had, or that several ranks brought."""
    outcomes: int
    """Entries of which rollouts were observed."""
    gone: int
    """Entries that left a full pool."""


class PoolRewound(NamedTuple):
    """What a rewind dropped."""

    steps: int
    """0: the pool was at that step already."""
    entries: int
    outcomes: int
    """Entries of which rollouts were observed, added up over the steps."""
    gone: int
    """Entries that had left a full pool, and are drawn again."""
    kept: str
    """The file that has the dropped steps as a delta each, for `optgap pool merge`; empty where there are none."""


class Pool:
    """Proven problems in a file, each once under all its labels; what a step brings comes in at its end.

        pool = optgap.Pool("pool.db", seed=run_seed)
        pool.add(engine.generate("tsp", level="d3", count=64))
        pool.step()
        draws = pool.draw(count)
        scores = engine.score(draws.instances, completions, draws.baselines)
        pool.observe(draws, scores)

    With ranks, one of them writes and the others read the same file:

        for delta in all_gather(pool.delta(rank)):
            if rank == 0:
                pool.merge(delta)
        ...                                  # rank 0: pool.step(); then, all others: pool.refresh()

    A draw is a function of the pool's content, its seed, its step and the draw's index. `hash` is the same for any
    order of deltas, any number of ranks and any kills. Opening verifies hashes and all answers and proves a few entries
    again. Work is done on the calling thread. Not to be shared by threads.

    Args:
        path: The file; made where there is none and `writes` is true.
        seed: Of the draws, 64 bits, 0 by default; a file keeps its own, and Error says so of another.
        policy: "uniform", "step", "max_new", "half_new", "signal" (the default), "regret", "band" or "frontier";
            kept as the seed is.
        window: How many newest steps are new to "max_new" and "half_new", 8 by default; kept as the seed is.
        capacity: Most entries of a task, 0 (all stay) by default; beyond, those of the policy's lowest weight leave, of
            equal ones the oldest. They are known as duplicates still. Kept as the seed is.
        writes: Whether this process ends steps; one does at a time, and Error names who holds the file.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        seed: int | None = None,
        policy: str | None = None,
        window: int | None = None,
        capacity: int | None = None,
        writes: bool = True,
    ) -> None:
        self.path = arguments.path(path, "path")
        self._writes = bool(writes)
        self._native = _native.Pool(
            self.path,
            None if seed is None else arguments.integer(seed, "seed", 0, 2**64 - 1),
            None if policy is None else arguments.name(policy, "policy"),
            None if window is None else arguments.integer(window, "window", 1, 2**31 - 1),
            None if capacity is None else arguments.integer(capacity, "capacity", 0, 2**31 - 1),
            self._writes,
        )

    def __len__(self) -> int:
        """How many entries have come in, those that are gone among them."""
        return self._native.entries

    def __repr__(self) -> str:
        return f"Pool({self.path}, {len(self)} entries, {self.steps} steps, {self.policy})"

    @property
    def hash(self) -> str:
        """Of all that has come in, 32 hex digits."""
        return self._native.hash

    @property
    def steps(self) -> int:
        """Steps that have ended."""
        return self._native.steps

    @property
    def seed(self) -> int:
        """Of the draws."""
        return self._native.seed

    @property
    def policy(self) -> str:
        """Of draws that do not say another."""
        return self._native.policy

    def add(
        self,
        instances: Instances,
        origin: str | Sequence[str] = "seed",
        parent: Sequence[str | None] | None = None,
        budget: int = -1,
        known: Baselines | None = None,
    ) -> PoolReceived:
        """Proves instances that are no duplicates; those that are proven are part of this step.

        Args:
            instances: Of any tasks.
            origin: "seed", "spec", "instance", "edit" or "constrain", one for all or one a row.
            parent: Canonical key of each row's parent; for "edit" and "constrain", None for the others.
            budget: Steps of each proof, counted by the task; -1: its own.
            known: Proofs of all rows, with their answers, that this process made with this budget: of `Gates` or
                Engine.solve. They are not made again; the answers are verified. None: all are made.
        """
        rows = len(instances)
        origins = [origin] * rows if isinstance(origin, str) else list(origin)
        parents = [None] * rows if parent is None else list(parent)
        if len(origins) != rows or len(parents) != rows:
            raise misuse("origin" if len(origins) != rows else "parent", f"expected {rows} entries")
        return PoolReceived(*self._added(instances, origins, parents, budget, known))

    def _added(
        self,
        instances: Instances,
        origins: list[str],
        parents: Sequence[str | None],
        budget: int,
        known: Baselines | None,
    ) -> Any:
        hashes = []
        for row, (origin, parent) in enumerate(zip(origins, parents)):
            if origin not in _ORIGINS:
                raise misuse("origin", f"row {row} is {origin!r}, expected {', '.join(_ORIGINS)}")
            if (origin in _WITH_PARENT) != (parent is not None):
                raise misuse(
                    "parent", f"row {row}: {'expected one for' if parent is None else 'none is expected for'} {origin}"
                )
            hashes.append("" if parent is None else parent.rpartition(":c:")[2])
        proofs: tuple[Any, Any, Any] = (None, None, None)
        if known is not None:
            if known.answers is None:
                raise misuse("known", "has no answers: expected what Gates or Engine.solve gave")
            proofs = by_name(known), known.answers.words, known.answers.offsets
        code, canonical, coarse, duplicate_of, found = self._native.add(
            instances.task, instances.words, instances.offsets, [_ORIGINS.index(origin) for origin in origins], hashes,
            arguments.integer(budget, "budget", -1, 2**62), *proofs,
        )  # fmt: skip
        return [_CODES[of] for of in code], canonical, coarse, duplicate_of, Baselines(**found)

    def add_questions(
        self,
        questions: Sequence[str],
        references: Sequence[str] | None = None,
        quality: Sequence[float] | None = None,
        *,
        seeds: bool = True,
        enough: float = 0.7,
    ) -> PoolQuestionsReceived:
        """Brings questions in free text; those whose words are new, and that are good enough, are part of this step. Error, and
        none is taken, for a text that is no question: empty, of more than 16,384 bytes, with hidden characters or with marks
        that chat templates and parsers of roles read.

        Args:
            questions: Texts.
            references: A known answer to each, "" for none.
            quality: What judges make of each, 0 to 1; NaN: nothing, and it is good enough. None: all NaN.
            seeds: Whether no proposer posed them.
            enough: Least quality.
        """
        rows = len(questions)
        known = [""] * rows if references is None else list(references)
        said = np.full(rows, np.nan) if quality is None else np.ascontiguousarray(quality, np.float64)
        if isinstance(questions, str) or len(known) != rows or said.shape != (rows,):
            raise misuse("questions", f"expected {rows} texts, references and qualities")
        for name, texts in (("questions", questions), ("references", known)):
            for row, text in enumerate(texts):
                if not isinstance(text, str):
                    raise misuse(name, f"row {row} is {text!r}, expected a str")
        code, canonical, duplicate_of = self._native.add_questions(
            [text.encode(errors="surrogatepass") for text in questions],
            [text.encode(errors="surrogatepass") for text in known],
            said, bool(seeds), float(enough),
        )  # fmt: skip
        return PoolQuestionsReceived([_CODES[of] for of in code], canonical, duplicate_of)

    def draw_questions(self, count: int, first: int = 0, policy: str | None = None) -> PoolQuestions:
        """The draws first ... first + count - 1 of this step among questions, as `draw` is among problems of tasks. Error for a
        pool without questions."""
        return PoolQuestions(*self._native.draw_questions(
            arguments.integer(first, "first", 0, 2**31 - 1), arguments.integer(count, "count", 0, 2**31 - 1),
            None if policy is None else arguments.name(policy, "policy"),
        ))  # fmt: skip

    def questions(self, first: int = 0) -> PoolQuestions:
        """All questions that have come in, from entry `first` on, those that are gone among them."""
        return PoolQuestions(*self._native.questions(arguments.integer(first, "first", 0, 2**62)))

    @property
    def has_questions(self) -> bool:
        """Whether `draw_questions` has something to draw."""
        return self._native.holds_questions()

    def observe(self, draws: PoolDraws, scores: Scores, instance_of: npt.ArrayLike | None = None) -> None:
        """Counts scored rollouts of draws for this step.

        Args:
            draws: From `draw`, of this step or an earlier one.
            scores: From Engine.score with the draws' instances and baselines.
            instance_of: As it was given to score.
        """
        of = arguments.instance_rows(instance_of, len(draws), len(scores))
        self.observe_rows(draws.entry[of], scores.normalized, scores.optimal)

    def observe_rows(self, entry: npt.ArrayLike, normalized: npt.ArrayLike, optimal: npt.ArrayLike) -> None:
        """Counts rollouts, one a row; a wrong row leaves all as it was.

        Args:
            entry: The entry that each is of, int64.
            normalized: Its normalized quality, -1 to 1, float64; below 0 counts as 0.
            optimal: Whether its answer is a proven optimum.
        """
        entries = arguments.column(entry, np.int64, "entry")
        quality = np.ascontiguousarray(normalized, np.float64)
        right = np.ascontiguousarray(np.asarray(optimal) != 0)
        if quality.shape != entries.shape or right.shape != entries.shape:
            raise misuse("normalized", f"expected {len(entries)} entries in each column")
        self._native.observe(entries, quality, right)

    def delta(self, rank: int = 0) -> str:
        """What this process added and observed up to the first call in this step, as text to gather; later calls repeat
        it, and what comes later goes into the next step's. Does not merge it."""
        return self._native.delta(arguments.integer(rank, "rank", 0, 2**31 - 1))

    def merge(self, delta: str, proofs: int = 4) -> bool:
        """Verifies a rank's delta of this step, and proves `proofs` of its entries again (-1: all). False when it is
        there already. Error, and no change, for one of another step or pool, or with a wrong entry."""
        return self._native.merge(arguments.name(delta, "delta"), arguments.integer(proofs, "proofs", -1, 2**62))

    def step(self) -> PoolStep:
        """Ends the step with what was merged, or, where nothing was, with this process's delta; one transaction."""
        return PoolStep(*self._native.step())

    def rewind(self, step: int, hash: str | None = None) -> PoolRewound:
        """Goes back to the pool as it was when `step` steps had ended, for a run that goes on from a checkpoint; one
        transaction. Later steps, which are written to a file first, and what was brought to this one are dropped. Other
        processes `refresh` after it.

        Args:
            step: As `steps` was. Error for one that is to come.
            hash: As `hash` was then. Error, and no change, where the pool's was another: it is another run's.
        """
        return PoolRewound(*self._native.rewind(
            arguments.integer(step, "step", 0, 2**62), None if hash is None else arguments.name(hash, "hash")
        ))  # fmt: skip

    def go_to(self, step: int, hash: str) -> None:
        """On any rank of a run that goes on from a checkpoint: `rewind` where this process writes the file; else `refresh`, after
        the process that writes, and Error where the pool is not at that step with that hash then."""
        if self._writes:
            self.rewind(step, hash)
            return
        self.refresh()
        if (self.steps, self.hash) != (step, hash):
            raise misuse("pool", f"{self.path} is at step {self.steps} with hash {self.hash}, expected step {step} with hash "
                         f"{hash}: the process that writes rewinds it first")  # fmt: skip

    def refresh(self) -> bool:
        """Takes in the steps that another process has ended. False where it has rewound the pool meanwhile: then numbers of
        entries may mean others, and what this process brought to its step is dropped."""
        return self._native.refresh()

    def draw(self, count: int, first: int = 0, policy: str | None = None) -> PoolDraws:
        """The draws first ... first + count - 1 of this step, by the pool's policy or another. Error for an empty pool."""
        entry, task, (words, offsets), known = self._native.draw(
            arguments.integer(first, "first", 0, 2**31 - 1), arguments.integer(count, "count", 0, 2**31 - 1),
            None if policy is None else arguments.name(policy, "policy"),
        )  # fmt: skip
        rows = len(entry)
        instances = Instances(
            task=task,
            level=np.zeros(rows, np.int32),
            split=np.full(rows, -1, np.int32),
            seed=np.zeros(rows, np.uint64),
            style=np.zeros(rows, np.int32),
            words=words,
            offsets=offsets,
        )
        return PoolDraws(entry, instances, Baselines(**known))

    def weights(self, policy: str | None = None) -> npt.NDArray[np.uint64]:
        """One weight an entry: what draws of this step are in proportion to."""
        return self._native.weights(None if policy is None else arguments.name(policy, "policy"))

    def verify(self, proofs: int = -1) -> list[str]:
        """What is wrong with entries, a sentence each, of the first 20; none is right. Verifies all, and proves `proofs` of
        them again (-1: all)."""
        return self._native.verify(arguments.integer(proofs, "proofs", -1, 2**62))
