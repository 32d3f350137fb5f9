"""Rows whose answers are programs, in the adapters' form, and what rankings read of them: a column an instance."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from optgap.integrations.ground_truth import budget, threads
from optgap.programs.ground_truths import CODES, FIRST_CODE, ProgramPaid, ProgramProblem, Rejected

Program = tuple[dict[str, Any], list[float | None], bool] | Rejected
"""A row without its fingerprint, its objectives, whether every one is proven optimal."""


def paid_by_programs(
    texts: Sequence[str | bytes], asked: Sequence[ProgramProblem], finish: Sequence[str] | None,
    lengths: Sequence[int] | None, reward: str,
) -> list[Program]:  # fmt: skip
    """A row per text. Blocks while the programs run. Raises Error where nothing here holds programs."""
    from optgap.programs.paying import pay_alone, submit

    if not texts:
        return []
    if len(texts) == 1:
        alone = pay_alone(
            asked[0], texts[0], finish="unknown" if finish is None else finish[0], length=None if lengths is None else lengths[0],
            reward=reward, budget=budget(), threads=threads(),
        )  # fmt: skip
        return [program_row(asked[0], alone)]
    found = submit(
        asked, texts, finish=finish, lengths=lengths, reward=reward, budget=budget(), threads=threads()
    ).result()  # fmt: skip
    return [program_row(problem, paid) for problem, paid in zip(asked, found)]


async def program_of(asked: ProgramProblem, text: str | bytes, finish: str, length: int | None, reward: str) -> Program:
    """The row of one completion, for an event loop, which goes on meanwhile. Cancelling the awaiting task kills the program."""
    from optgap.programs.paying import pay_one

    paid = await pay_one(asked, text, finish=finish, length=length, reward=reward, budget=budget(), threads=threads())
    return program_row(asked, paid)


def program_row(problem: ProgramProblem, paid: ProgramPaid | Rejected) -> Program:
    """One row under the adapters' keys."""
    if isinstance(paid, Rejected):
        return paid
    row = {
        "score": paid.reward,
        "acc": float(paid.valid == 1 and paid.raw_ratio >= 1),
        "format": paid.format,
        "feasible": paid.feasible,
        "quality": paid.quality,
        "normalized": paid.normalized,
        "gap": 1.0 - paid.quality,
        "violation": paid.violation,
        "truncated": int(paid.truncated),
        "code": _codes(problem.task)[paid.code],
        "length_penalty": paid.length_penalty,
        "data_source": problem.data_source,
        "baseline_kind": paid.baseline_kind,
    }
    return row, paid.scores, paid.optimal == 1


@functools.lru_cache(maxsize=512)
def _codes(task: str) -> Mapping[str, int]:
    """Numbers of a task's verdicts by name, the shared ones among them."""
    from optgap import _native
    from optgap.errors import Error

    number, known = np.array([_native.task_index(task)], np.int32), dict(zip(CODES, range(FIRST_CODE, 128)))
    for code in range(128):
        try:
            (name,) = _native.code_names(number, np.array([code], np.int32))
        except Error:
            continue
        known.setdefault(name, code)
    return known


def ranks(spec: str) -> bool:
    """Does this estimator read objectives?"""
    from optgap import keys

    try:
        return "scores" in keys.estimator_of(spec)["reads"]
    except KeyError:  # of a role's alone
        return False


def ranked_by_instance(
    groups: Sequence[object], matrix: Mapping[int, Sequence[float | None]], scores: np.ndarray, counted: Sequence[bool],
    call: Callable[[list[int], np.ndarray], list[float]],
) -> list[float]:  # fmt: skip
    """Advantages of groups whose rows have different numbers of objectives: one call for each number. `matrix`: those of
    programs, per row; other rows have the one of `scores`. `counted`: has the row a reward? Raises Error for a group that
    mixes them. `call` takes rows and their table."""
    from optgap.errors import misuse

    width_of: dict[object, int] = {}
    for row, group in enumerate(groups):
        if counted[row]:
            mine = len(matrix.get(row, (None,)))
            if width_of.setdefault(group, mine) != mine:
                raise misuse(
                    "advantage",
                    f"ranks the rollouts of a group instance by instance, and group {group!r} has rows of {width_of[group]} "
                    f"and of {mine} instances",
                )
    values = [0.0] * len(groups)
    for width in sorted(set(width_of.values())):
        rows = [row for row, group in enumerate(groups) if width_of.get(group) == width]
        table = np.full((len(rows), width), math.nan)
        for place, row in enumerate(rows):
            if counted[row]:
                mine = matrix.get(row)
                table[place] = scores[row] if mine is None else [math.nan if one is None else one for one in mine]
        for row, value in zip(rows, call(rows, table)):
            values[row] = value
    return values
