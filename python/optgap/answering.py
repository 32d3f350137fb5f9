"""The engine's answers: those it makes, and those it is given in any form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import arguments
from .results import Answers, Instances

if TYPE_CHECKING:
    from .engine import Engine


def answered(
    engine: Engine, instances: Instances, answers: Answers | Sequence[Any], instance_of: npt.ArrayLike | None
) -> tuple[Answers, npt.NDArray[np.int32]]:
    """The answers as the native module takes them, and the instance of each."""
    rows = arguments.rows_of(answers, "answers")
    of = arguments.instance_rows(instance_of, len(instances), rows)
    return (answers if isinstance(answers, Answers) else engine.answers(instances, answers, of)), of


def made_answers(task: npt.NDArray[np.int32], words: npt.NDArray[np.int32], offsets: npt.NDArray[np.int64]) -> Answers:
    """Answers of the engine's own making: nothing is wrong with them."""
    rows = len(task)
    return Answers(task, np.zeros(rows, np.int32), np.full(rows, -1, np.int32), words, offsets)
