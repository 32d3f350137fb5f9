"""What became of every rollout: arrays of one entry per question and sample."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

MISSING, SCORED, FAILED = 0, 1, 2


class Graded(Protocol):
    """Graded completions as columns; the engine's Scores are some."""

    @property
    def feasible(self) -> npt.NDArray[Any]: ...
    @property
    def optimal(self) -> npt.NDArray[Any]: ...
    @property
    def format(self) -> npt.NDArray[Any]: ...
    @property
    def truncated(self) -> npt.NDArray[Any]: ...
    @property
    def quality(self) -> npt.NDArray[Any]: ...
    @property
    def normalized(self) -> npt.NDArray[Any]: ...
    @property
    def codes(self) -> Sequence[str]: ...


class Table:
    """Shapes are (questions, samples). Numbers are 0, and flags False, where `state` is not SCORED."""

    def __init__(self, questions: int, samples: int) -> None:
        shape = (questions, samples)
        self.state = np.zeros(shape, np.int8)
        """MISSING, SCORED, or FAILED: its request failed for good."""
        self.feasible = np.zeros(shape, np.bool_)
        self.optimal = np.zeros(shape, np.bool_)
        self.format = np.zeros(shape, np.bool_)
        self.truncated = np.zeros(shape, np.bool_)
        self.quality = np.zeros(shape, np.float32)
        """0 where infeasible."""
        self.normalized = np.zeros(shape, np.float32)
        """0 where infeasible."""
        self.code = np.full(shape, "", object)
        """"ok", or the first broken rule."""
        self.tokens = np.full(shape, -1, np.int64)
        """Of the completion, as the server counted them; -1 where it did not."""
        self.chars = np.zeros(shape, np.int64)
        """Of the completion, reasoning included."""

    @property
    def scored(self) -> npt.NDArray[np.bool_]:
        scored: npt.NDArray[np.bool_] = self.state == SCORED
        return scored

    def fill(self, rows: Sequence[int], samples: Sequence[int], scores: Graded) -> None:
        """Writes scored rollouts to their places."""
        at = np.asarray(rows), np.asarray(samples)
        for name in ("feasible", "optimal", "format", "truncated", "quality", "normalized"):
            getattr(self, name)[at] = getattr(scores, name)
        self.code[at] = np.asarray(scores.codes, object)
        self.state[at] = SCORED

    def note(self, row: int, sample: int, said: dict[str, Any]) -> None:
        """Lengths of one rollout, from its row on disk."""
        tokens = said.get("usage", {}).get("completion_tokens")
        self.tokens[row, sample] = tokens if type(tokens) is int else -1
        self.chars[row, sample] = len(said["completion"])
