"""Relabelled twins: the same problems under other labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _native
from .answering import answered
from .keys import tasks
from .results import Answers, Instances


@dataclass(frozen=True, repr=False, eq=False)
class Twins:
    """The relabelled copies that Engine.relabel makes: row r is the twin of the originals' row r. Experimental."""

    instances: Instances
    """The twins: explicit instances with keys of their own, in the originals' prompt styles."""
    label_words: npt.NDArray[np.int32]
    """For each axis of the row's task how many labels it has, then the new labels; row after row."""
    label_offsets: npt.NDArray[np.int64]
    """Row r is label_words[label_offsets[r]:label_offsets[r + 1]]."""

    def __len__(self) -> int:
        return len(self.instances)

    def __repr__(self) -> str:
        return f"Twins of {self.instances!r}"

    @property
    def labels(self) -> list[dict[str, npt.NDArray[np.int32]]]:
        """Per row the new labels along each axis: labels[r]["vertex"][v] is what was vertex v. A grid's values count
        from 1; on "axis", [1, 0] says that rows became columns, after their new labels were given."""
        rows = []
        for row, task in enumerate(self.instances.task):
            left = self.label_words[self.label_offsets[row] : self.label_offsets[row + 1]]
            found = {}
            for axis in tasks()[task].axes:
                found[axis], left = left[1 : 1 + left[0]], left[1 + left[0] :]
            rows.append(found)
        return rows

    def answers(self, answers: Answers | Sequence[Any], instance_of: npt.ArrayLike | None = None) -> Answers:
        """Answers to the originals as answers to their twins, of the same code, objective and violation.

        Args:
            answers: As in Engine.verify. What is no answer by the grammar stays as it is, and so do words, integers
                that are no label, and a list's order unless it has a place for each label (a colouring).
            instance_of: Row of the originals for each answer. None: as many consecutive answers for each.
        """
        return self._moved(answers, instance_of, back=False)

    def originals(self, answers: Answers | Sequence[Any], instance_of: npt.ArrayLike | None = None) -> Answers:
        """Answers to the twins as answers to the originals: undoes `answers`."""
        return self._moved(answers, instance_of, back=True)

    def _moved(self, answers: Answers | Sequence[Any], instance_of: npt.ArrayLike | None, back: bool) -> Answers:
        given, of = answered(self.instances, answers, instance_of)
        words, offsets = _native.relabel_answers(
            self.instances.task, self.label_words, self.label_offsets, given.words, given.offsets, of, back
        )
        return replace(given, words=words, offsets=offsets)


def twins_of(instances: Instances, seed: int) -> Twins:
    """The twins that the 64-bit seed draws."""
    (words, offsets), labels = _native.relabel(instances.task, instances.words, instances.offsets, seed)
    rows = len(instances)
    own = Instances(
        task=instances.task.copy(),
        level=np.zeros(rows, np.int32),
        split=np.full(rows, -1, np.int32),
        seed=np.zeros(rows, np.uint64),
        style=instances.style.copy(),
        words=words,
        offsets=offsets,
    )
    return Twins(own, *labels)
