"""Completions that hold programs, run and rewarded within this process: an engine, a sandbox beside it, arrays out."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, TypeVar

import numpy as np

from optgap import _native
from optgap.core import arguments
from optgap.core.arguments import Spec, Text
from optgap.core.engine import Engine
from optgap.core.errors import misuse
from optgap.core.results import Baselines, Bool, Float32, Int32, Int64
from optgap.rows.programs.settings import ISOLATION_LEVELS, check_dedupe

Problem = Mapping[str, Any] | str | _native.ProgramProblem
"""A row of `optgap.problems`, a ground truth as a mapping or as JSON text, or what `ProgramRunner.read` made of one."""

_Scores = TypeVar("_Scores", bound="ProgramScores")


@dataclass(frozen=True, repr=False, eq=False)
class ProgramScores:
    """R rows, one a completion, of at most K hidden instances."""

    reward: Float32
    """[R] The mean over instances of what each answer earns by itself; NaN where masked."""
    advantage: Float32
    """[R] 0 where masked."""
    valid: np.ndarray
    """[R] float64: share of valid answers."""
    masked: Bool
    """[R] A run was lost to the machine: no reward for the program, nor against it."""
    code: Int32
    """[R] The first code of the row that is not ok."""
    format: Float32
    feasible: Float32
    quality: Float32
    raw_ratio: Float32
    normalized: Float32
    optimal: Float32
    length_penalty: Float32
    truncated: Int32
    violation: Int64
    task: Int32
    """[R] Index into optgap.tasks()."""
    instances: Int32
    """[R] Hidden instances of the row's problem."""
    begin: Int64
    """[R] Where the program's source begins in the completion, in bytes of UTF-8."""
    end: Int64
    codes: Int32
    """[R, K] A code for every instance; -1 behind a row's last."""
    objectives: Int64
    """[R, K] NO_OBJECTIVE where the answer is invalid, or where none exists."""
    baselines: Baselines
    """What answers were measured against: a row for every instance of every completion, one after another."""
    baseline_kind: list[str]
    """[R] "proven", "bounded" or "unknown": that of the least known instance."""
    hash: list[str]
    """[R] Of the program's source; empty where there is none."""
    isolation: list[str]
    """[R] The isolation level that held it."""
    trouble: list[str]
    """[R] The compiler's first complaint, or what the machine lost; else empty."""
    counts: dict[str, float]
    """Programs, runs, what was compiled, copied, left out, masked or tried again, and core_seconds of runs."""

    def __len__(self) -> int:
        return len(self.reward)

    def __repr__(self) -> str:
        rows, width = self.codes.shape
        return f"ProgramScores: {rows} rows of at most {width} instances, {int(self.masked.sum())} masked"

    @property
    def reached(self) -> Bool:
        """[R] Every answer is valid, and together they are as good as their baselines."""
        found: Bool = (self.valid == 1) & (self.raw_ratio >= 1)
        return found

    @property
    def code_names(self) -> list[list[str]]:
        """The names of `codes`, a list a row, as long as the row has instances."""
        return [
            [code_name(task, code) for code in row[:width]]
            for task, width, row in zip(self.task.tolist(), self.instances.tolist(), self.codes.tolist())
        ]

    def scores(self) -> np.ndarray:
        """[R, K] float64: the objectives as ranking estimators read them, NaN where invalid, 0 for a right claim that no
        answer exists."""
        known = np.where(self.objectives == _native.no_objective, 0, self.objectives).astype(np.float64)
        return np.where(self.codes == 0, known, np.nan)


class ProgramRunner:
    """Runs the programs of completions under an isolation level (docs/sandbox.md), beside this process and never in it.

    Thread-safe: calls that overlap share the slots and the compiled programs; the GIL is released while they run. An
    interrupt of the main thread ends its call. After os.fork the child makes a runner of its own.

    Args:
        engine: Generates, verifies and solves. Baselines that problems do not bring come from its snapshot, if it has one
            and they are there.
        isolation: "auto" or an isolation level of `optgap sandbox`.
        slots: Programs at once, of all calls together; None: the processors less a quarter.
        languages: Held from the beginning; others are opened by the first call that needs them.
        server: The socket of this node's daemon (`optgap serve`), whose slots then run them; "off" for none. None: what
            OPTGAP_SERVER names. `slots` are then the most that this runner has of them.

    Raises:
        Error: With status "sandbox_unavailable" where nothing here holds a language: what each isolation level lacks.
    """

    def __init__(
        self, engine: Engine, isolation: str = "auto", slots: int | None = None, *,
        languages: Sequence[str] = ("python", "cpp"), server: str | os.PathLike[str] | None = None,
    ) -> None:  # fmt: skip
        if isolation not in ISOLATION_LEVELS:
            raise misuse("isolation", f"is {isolation!r}, expected one of {', '.join(ISOLATION_LEVELS)}")
        number = 0 if slots is None else arguments.integer(slots, "slots", 0, 4096)
        path = "" if server is None else arguments.path(server, "server")
        self._engine, self._isolation = engine, isolation
        self._native = engine._native.program_runner(
            isolation=isolation, slots=number, languages=list(languages), server=path,
            baselines=engine._source.native,
        )  # fmt: skip

    @property
    def engine(self) -> Engine:
        """That it was made with."""
        return self._engine

    @property
    def slots(self) -> int:
        """Programs at once; 0 before a language is held, where none were asked for."""
        return int(self._native.slots)

    @property
    def counts(self) -> dict[str, float]:
        """Of all calls: programs, runs, core_seconds, masked rows and the rest of `ProgramScores.counts`."""
        return dict(self._native.counts())

    def isolation(self, language: str) -> str:
        """The isolation level that holds a language; opens it where it is not held yet."""
        return str(self._native.isolation(language))

    @staticmethod
    def read(problem: Problem) -> _native.ProgramProblem:
        """A problem, its instances generated or checked: once for any number of calls. Raises Error that names the field."""
        if isinstance(problem, _native.ProgramProblem):
            return problem
        return _native.ProgramProblem(problem if isinstance(problem, str) else json.dumps(dict(problem)))

    def run(
        self,
        problems: Sequence[Problem],
        completions: Sequence[Text],
        group: Sequence[int] | None = None,
        *,
        problem_of: Sequence[int] | None = None,
        finish: Sequence[str] | None = None,
        length: Sequence[int] | None = None,
        reward: Spec = "forge",
        advantage: Spec = "grpo",
        budget: int = -1,
        fail_fast: bool = False,
        dedupe: str = "deterministic",
    ) -> ProgramScores:
        """Compiles and runs every completion's program on its problem's hidden instances, verifies what it prints, rewards it.

        Args:
            problems: One for each completion, or with `problem_of` any number.
            completions: str or bytes.
            group: An int a completion: who is compared with whom. None: completions of the same instances.
            problem_of: An index into `problems` a completion.
            finish: "stop", "length", "abort" or "unknown" a completion.
            length: Tokens a completion, for penalties and estimators that read them.
            reward: Its name or spec.
            advantage: An estimator's name or spec; those that rank compare objectives instance by instance.
            budget: Steps to solve an instance whose problem has no baseline; -1 is the task's default.
            fail_fast: A program that is invalid on its first three instances is not run on the rest.
            dedupe: "deterministic": equal programs run once where the isolation level gives the same every time; "always".

        Returns:
            Arrays: codes int32 [R, K], objectives int64 [R, K], valid float64 [R], reward and advantage float32 [R],
            masked bool [R] and more. A candidate's fault is a code; the machine's masks its row.

        Raises:
            Error: For wrong arguments, a group that is ranked and mixes numbers of instances, a language that nothing here
                holds (status "sandbox_unavailable"), and a runner that is closed.
        """
        check_dedupe(dedupe)
        if isinstance(completions, (str, bytes)):
            raise misuse("completions", "is one text, expected a sequence of them")
        rows = len(completions)
        for name, values in (("group", group), ("problem_of", problem_of), ("finish", finish), ("length", length)):
            if values is not None and len(values) != rows:
                raise misuse(name, f"has {len(values)} entries, expected one per completion ({rows})")
        if problem_of is None and len(problems) != rows:
            raise misuse("problems", f"are {len(problems)}, expected one per completion ({rows}), or problem_of")
        for number, how in enumerate(finish or ()):
            if how not in arguments.FINISHES:
                raise misuse(f"finish[{number}]", f"is {how!r}, expected one of {', '.join(arguments.FINISHES)}")
        read: dict[int, _native.ProgramProblem] = {}
        made = [read.get(id(one)) or read.setdefault(id(one), self.read(one)) for one in problems]
        found = self._native.run(
            problems=made,
            texts=completions,
            problem_of=list(range(rows)) if problem_of is None else [int(one) for one in problem_of],
            group=[] if group is None else [int(one) for one in group],
            finish=[] if finish is None else [arguments.FINISHES[how] for how in finish],
            length=[] if length is None else [int(one) for one in length],
            reward=arguments.spec(reward, "reward"),
            advantage=arguments.spec(advantage, "advantage"),
            budget=budget,
            fail_fast=fail_fast,
            dedupe_always=dedupe == "always",
        )
        return program_scores(ProgramScores, found)

    def close(self) -> None:
        """Ends what runs and returns when no call is under way; their rows are masked, and later calls raise Error."""
        self._native.close()

    def __enter__(self) -> ProgramRunner:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def program_scores(kind: type[_Scores], found: Mapping[str, Any]) -> _Scores:
    """What the native calls return, as arrays."""
    rows, width = len(found["reward"]), found["width"]
    shaped = {name: found[name].reshape(rows, width) for name in ("codes", "objectives")}
    columns = {name: value for name, value in found.items() if name != "width"}
    return kind(**{**columns, **shaped, "baselines": Baselines(**found["baselines"])})


@functools.lru_cache(maxsize=4096)
def code_name(task: int, code: int) -> str:
    """Of a program's row or one of its cells. Raises Error for a number that is none."""
    return str(_native.code_names(np.array([task], np.int32), np.array([code], np.int32))[0])
