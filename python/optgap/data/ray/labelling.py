"""Baselines as a column of Ray Data's batches."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core.errors import misuse


class Labeller:
    """Solves the instances of a data set's rows, for `map_batches`:

        data.map_batches(optgap.data.ray.Labeller, fn_constructor_kwargs={"budget": 2000}, num_cpus=4, concurrency=8)

    Nothing is stored: what a job has not written when it ends is solved again. `recompute` keeps what is done.

    Args:
        column: Column of the instances' keys, "tsp@1:train:hard:42".
        budget: Steps per instance, counted by the task; -1 is the task's default.
        threads: Of each worker's engine; as many as Ray gives it cores.
    """

    def __init__(self, column: str = "key", budget: int = -1, threads: int = 1) -> None:
        from ...core.engine import Engine  # not on a node that launches alone

        self._column, self._budget = column, budget
        self._engine = Engine(device="cpu", threads=threads)

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        """The batch, columns of equal length, with `objective`, `bound`, `floor`, `greedy` and `steps` (int64;
        NO_OBJECTIVE where there is none), `proven` (bool) and `answer` (JSON)."""
        if self._column not in batch:
            raise misuse("column", f"the batch has no column '{self._column}': expected one of the instances' keys")
        found = self._engine.solve(self._engine.instances([str(key) for key in batch[self._column]]), self._budget)
        columns = {
            name: np.asarray(getattr(found, name))
            for name in ("objective", "bound", "floor", "greedy", "steps", "proven")
        }
        assert found.answers is not None  # as of every solving
        answers = [json.dumps(answer) for answer in found.answers.tolist()]
        return {**batch, **columns, "answer": np.asarray(answers, dtype=np.object_)}
