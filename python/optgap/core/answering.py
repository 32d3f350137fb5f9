"""Answers: those the engine makes, those it is given in any form, and completions that hold some."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _native
from . import arguments
from .arguments import Spec, Text
from .columns import by_name
from .errors import misuse
from .results import Answers, Baselines, Instances


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
    there = np.ones(len(instances), np.bool_)
    if not isinstance(start, Answers):
        there = np.array([one is not None for one in start], np.bool_)
    for row in np.flatnonzero(there & (given.code != 0)):
        raise misuse("start", f"row {row} is no answer: {given.codes[row]}")
    lengths = np.diff(given.offsets)
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths * there)])
    return given.words[np.repeat(there, lengths)], offsets


def made_answers(task: npt.NDArray[np.int32], words: npt.NDArray[np.int32], offsets: npt.NDArray[np.int64]) -> Answers:
    """Answers of the engine's own making: nothing is wrong with them."""
    rows = len(task)
    return Answers(task, np.zeros(rows, np.int32), np.full(rows, -1, np.int32), words, offsets)


def with_answers(columns: dict[str, Any], task: npt.NDArray[np.int32]) -> dict[str, Any]:
    """The native module's columns with `words` and `offsets` put together as `answers`."""
    answers = made_answers(task, columns.pop("words"), columns.pop("offsets"))
    return {**columns, "answers": answers}


def rollout_columns(
    instances: Instances,
    texts: Sequence[Text],
    baselines: Baselines,
    instance_of: npt.ArrayLike | None,
    finish: Sequence[str] | npt.ArrayLike | None,
    length: npt.ArrayLike | None,
    format: Spec | Sequence[Spec],
    reward: Spec,
) -> dict[str, Any]:
    """Arguments as `Engine.score` takes them, checked, as the native verbs' columns."""
    rows = arguments.rows_of(texts, "texts")
    return {
        "task": instances.task,
        "words": instances.words,
        "offsets": instances.offsets,
        "baselines": by_name(baselines),
        "texts": texts,
        "instance_of": arguments.instance_rows(instance_of, len(instances), rows),
        "length": arguments.optional(length, np.int32, "length", rows),
        "finish": arguments.finish_rows(finish, rows),
        "format_of": arguments.format_rows(format, rows),
        "reward": arguments.spec(reward, "reward"),
    }
