"""Answers: those the engine makes, and those it is given in any form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native, arguments
from .errors import misuse
from .results import Answers, Instances


def read_answers(instances: Instances, answers: Sequence[Any], instance_of: npt.ArrayLike | None) -> Answers:
    """Answers from nested lists, arrays or texts of the answer grammar; None is no answer."""
    rows = arguments.rows_of(answers, "answers")
    task = instances.task[arguments.instance_rows(instance_of, len(instances), rows)]
    return Answers(task, **_native.read_answers(answers, task))


def answered(
    instances: Instances, answers: Answers | Sequence[Any], instance_of: npt.ArrayLike | None
) -> tuple[Answers, npt.NDArray[np.int32]]:
    """The answers as the native module takes them, and the instance of each."""
    rows = arguments.rows_of(answers, "answers")
    of = arguments.instance_rows(instance_of, len(instances), rows)
    return (answers if isinstance(answers, Answers) else read_answers(instances, answers, of)), of


def starts_of(
    instances: Instances, start: Answers | Sequence[Any] | None
) -> tuple[npt.NDArray[np.int32] | None, npt.NDArray[np.int64] | None]:
    """Words and offsets of answers for proofs to begin with, one per instance; an empty block where there is none."""
    if start is None:
        return None, None
    if arguments.rows_of(start, "start") != len(instances):
        raise misuse("start", f"expected one per instance ({len(instances)}), got {len(start)}")
    given = start if isinstance(start, Answers) else read_answers(instances, start, None)
    if not np.array_equal(given.task, instances.task):
        raise misuse("start", "its answers are of other tasks than the instances")
    for row in np.flatnonzero(given.code):
        if isinstance(start, Answers) or start[row] is not None:
            raise misuse("start", f"row {row} is no answer: {given.codes[row]}")
    return given.words, given.offsets


def made_answers(task: npt.NDArray[np.int32], words: npt.NDArray[np.int32], offsets: npt.NDArray[np.int64]) -> Answers:
    """Answers of the engine's own making: nothing is wrong with them."""
    rows = len(task)
    return Answers(task, np.zeros(rows, np.int32), np.full(rows, -1, np.int32), words, offsets)


def with_answers(columns: dict[str, Any], task: npt.NDArray[np.int32]) -> dict[str, Any]:
    """The native module's columns with `words` and `offsets` put together as `answers`."""
    answers = made_answers(task, columns.pop("words"), columns.pop("offsets"))
    return {**columns, "answers": answers}
