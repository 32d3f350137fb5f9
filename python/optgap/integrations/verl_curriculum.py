"""verl: the run's one curriculum, held by a named Ray actor. The data set (`verl_data`) draws from it, the reward workers
report to it."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from optgap.arguments import Spec
from optgap.integrations.evaluation import refuse
from optgap.integrations.stream import CurriculumRows, Row, key_of

NAME = "optgap_curriculum"
"""The actor's, in the run's own namespace."""

_LATE = 16
"""Batches after which a problem without an outcome is taken for lost."""

_READ = ("code", "feasible", "quality", "truncated", "data_source")
"""What a curriculum reads of an evaluated row."""

_VERSION = 1


class CurriculumOwner:
    """The actor's class. A step is `batch` problems drawn: the first draw after them ends it, with the outcomes that have
    arrived by then. Outcomes are counted at that end, in an order of their own, so the state depends on which came in a
    step and not on when. In verl's synchronous trainer all of a batch's have come, because a reward is given to the
    trainer after it was reported here; in the asynchronous ones the rest counts in a later step.
    """

    def __init__(
        self,
        policy: Spec,
        tasks: str | Sequence[str] | Mapping[str, int],
        seed: int,
        batch: int,
        format: str = "forge",
        style: int = 0,
        prompt_chars: Mapping[str, Mapping[str, int]] | None = None,
    ) -> None:
        self._rows = CurriculumRows(policy, tasks, seed, format=format, style=style, prompt_chars=prompt_chars)
        self._batch = batch
        self._drawn = 0
        self._outcomes: list[list[Any]] = []
        """[ground truth, finish, values of _READ] each, of this step."""

    def rows(self, count: int) -> list[Row]:
        """The next `count` problems."""
        self._end_full_step()
        self._drawn += count
        return self._rows.rows(count)

    def report(self, ground_truths: Sequence[str], rows: Sequence[Sequence[Any]], finish: Sequence[str]) -> None:
        """Takes evaluated rollouts, as values of _READ. Those of other data, validation among them, are left out."""
        known = set(self._rows.pending)
        self._outcomes += [
            [truth, how, list(values)] for truth, how, values in zip(ground_truths, finish, rows) if key_of(truth) in known
        ]

    def state_dict(self) -> str:
        """The curriculum, what was drawn without an outcome, and outcomes of an unfinished step, as JSON."""
        self._end_full_step()
        state = {
            NAME: _VERSION,
            "batch": self._batch,
            "drawn": self._drawn,
            "outcomes": sorted(self._outcomes),
            "rows": json.loads(self._rows.state_dict()),
        }
        return json.dumps(state, separators=(",", ":"), ensure_ascii=False)

    def load_state_dict(self, state: str) -> None:
        """Continues from state_dict's text; Error, and no change, where it is of another run."""
        try:
            given = json.loads(state)
        except (TypeError, ValueError) as broken:
            raise refuse("data.pt", f"holds no state of a curriculum: {broken}") from None
        if not isinstance(given, dict) or given.get(NAME) != _VERSION:
            raise refuse("data.pt", f"holds no state of {NAME}, version {_VERSION}")
        if given["batch"] != self._batch:
            raise refuse(
                "data.train_batch_size", f"was {given['batch']} in the checkpoint and is {self._batch}: a step is a batch"
            )
        self._rows.load_state_dict(json.dumps(given["rows"], ensure_ascii=False))
        # What was under way is verl's to start again (its TransferQueue) or lost.
        self._rows.held(self._rows.pending)
        self._drawn, self._outcomes = given["drawn"], given["outcomes"]

    def _end_full_step(self) -> None:
        if self._drawn < self._batch:
            return
        self._outcomes.sort()
        truths = [truth for truth, _, _ in self._outcomes]
        rows = [dict(zip(_READ, values)) for _, _, values in self._outcomes]
        self._rows.observe(truths, rows, truths, [how for _, how, _ in self._outcomes])
        self._rows.drop(self._rows.pending[: -_LATE * self._batch])
        self._rows.merge(self._rows.delta())
        self._rows.step()
        self._drawn, self._outcomes = 0, []


def report(ground_truths: Sequence[Any], rows: Sequence[Mapping[str, Any]], finish: Sequence[str]) -> None:
    """Tells the run's curriculum what rollouts earned; nothing happens in a run without one. Returns once it has them."""
    owner = _owner()
    if owner is None:
        return
    mine = [row for row, truth in enumerate(ground_truths) if isinstance(truth, str) and ":train:" in truth]
    if mine:
        values = [[rows[row][name] for name in _READ] for row in mine]
        sys.modules["ray"].get(owner.report.remote([ground_truths[row] for row in mine], values, [finish[row] for row in mine]))


def _owner() -> Any:
    ray = sys.modules.get("ray")
    if ray is None or not ray.is_initialized():
        return None
    return _owner_of(ray.get_runtime_context().get_job_id())


@functools.lru_cache(maxsize=4)
def _owner_of(job: str) -> Any:
    """The actor of a job, None where it has none: verl makes its data set before it scores anything."""
    try:
        return sys.modules["ray"].get_actor(NAME)
    except ValueError:
        return None
