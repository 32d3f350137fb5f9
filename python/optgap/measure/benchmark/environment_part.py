"""Questions of environments: what a model is asked of tasks that this build does not have, and how its answers are judged."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ... import _native
from ...core.arguments import Spec, format_text
from ...core.errors import misuse
from ...rows.code_table import codes
from ...rows.external.drawing import ExternalRow, rows_or_reasons
from ...rows.external.problems import ExternalProblem, read
from ...rows.external.rewarding import reward_rows
from .measures import Floats
from .sampling import Part

_CODES = {number: name for kind in ("answer", "external") for name, number in codes(kind).items()}


@dataclass(frozen=True)
class EnvironmentQuestions:
    """One prompt a row, ordered by task and level; as Questions, without instances of this build."""

    problems: list[ExternalProblem]
    prompts: list[str]
    originals: tuple[str, ...] = ()
    """None: environments have no relabelled twins."""

    def __len__(self) -> int:
        return len(self.problems)

    @property
    def keys(self) -> list[str]:
        return [str(problem.key) for problem in self.problems]

    names = keys

    @property
    def formats(self) -> list[str]:
        return [problem.format for problem in self.problems]

    @property
    def tasks(self) -> list[str]:
        return [problem.key.task for problem in self.problems]

    @property
    def levels(self) -> list[str]:
        return [f"d{problem.key.level}" for problem in self.problems]

    @property
    def digest(self) -> str:
        """16 hex digits over all that is asked and how it is read."""
        asked = json.dumps([self.keys, self.prompts, self.formats, []])
        return hashlib.sha256(asked.encode()).hexdigest()[:16]


def of_level(tasks: Sequence[str], level: str, count: int, seed: int, split: str, format: Spec) -> EnvironmentQuestions:
    """`count` different problems per task, spread evenly over the levels ("d3", "d0..d4"); seeds that repeat a problem, or
    make none, are skipped. Raises Error where there are not so many."""
    form = format_text(format)
    shares = _native.spread_levels(level, count)
    rows: list[ExternalRow] = []
    for task in sorted(set(tasks)):
        for step, some in shares:
            rows += _different(task, step, some, seed, split, form)
    return EnvironmentQuestions([read(json.loads(row.ground_truth)) for row in rows], [row.prompt for row in rows])


def _different(task: str, level: str, count: int, seed: int, split: str, form: str) -> list[ExternalRow]:
    found: dict[str, ExternalRow] = {}
    drawn, why = 0, ""
    while len(found) < count:
        if drawn > 64 + 8 * count:
            raise misuse("count", f"{task} at {level} made {len(found)} different problems of {drawn} seeds: ask for fewer"
                         + (f"; the first that it did not make: {why}" if why else ""))  # fmt: skip
        seeds = list(range(seed + drawn, seed + drawn + count - len(found)))
        drawn += len(seeds)
        for row in rows_or_reasons(task, [level] * len(seeds), seeds, split=split, format=form):
            if isinstance(row, str):
                why = why or row
            else:
                found.setdefault(json.loads(row.ground_truth)["key"].rpartition("#")[2], row)
    return list(found.values())


@dataclass(frozen=True)
class _Judged:
    """Columns of judged completions."""

    feasible: npt.NDArray[np.bool_]
    optimal: npt.NDArray[np.bool_]
    """Correct, by the environment's own word."""
    format: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]
    quality: npt.NDArray[np.float32]
    normalized: npt.NDArray[np.float32]
    codes: list[str]


class EnvironmentPart(Part):
    """As Part; environments judge in worker processes, and nothing is proven beside them."""

    questions: EnvironmentQuestions  # type: ignore[assignment]

    def _begin(self) -> None:
        pass

    @property
    def proven(self) -> npt.NDArray[np.bool_]:
        return np.zeros(len(self.questions), np.bool_)

    def anchors(self) -> dict[str, dict[str, Floats]]:
        unknown = np.full(len(self.questions), np.nan)
        return {policy: dict.fromkeys(("sr", "qr", "normalized"), unknown) for policy in ("floor", "greedy")}

    def _graded(self, rows: Sequence[int], texts: Sequence[str], finish: Sequence[str]) -> _Judged:
        found = reward_rows([self.questions.problems[row] for row in rows], texts, finish=finish)
        feasible = np.asarray([row.feasible for row in found])
        return _Judged(
            feasible=feasible,
            optimal=np.asarray([row.correct for row in found]),
            format=np.asarray([row.format for row in found]),
            truncated=np.asarray([row.truncated for row in found]),
            quality=np.where(feasible, [row.quality for row in found], 0).astype(np.float32),
            normalized=np.where(feasible, [row.normalized for row in found], 0).astype(np.float32),
            codes=[_CODES.get(row.code, str(row.code)) for row in found],
        )

    def _problem(self, question: int) -> dict[str, Any]:
        return {"problem": json.loads(self.questions.problems[question].problem)}
