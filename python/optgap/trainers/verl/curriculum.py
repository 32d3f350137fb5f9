"""verl: the run's one curriculum, held by a named Ray actor. The data set (`verl_data`) draws from it, the reward workers
report to it."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from optgap.core.arguments import Spec
from optgap.trainers.common.evaluation import refuse
from optgap.trainers.common.stream import CurriculumRows, Row, key_of

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
        style: int | str = 0,
        prompt_chars: Mapping[str, Mapping[str, int]] | None = None,
    ) -> None:
        self._rows = CurriculumRows(policy, tasks, seed, format=format, style=style, prompt_chars=prompt_chars)
        self._batch = batch
        self._drawn = 0
        self._outcomes: list[list[Any]] = []
        """[ground truth, finish, values of _READ] each, of this step."""
        self._known: set[str] = set()
        """Keys that may still have an outcome."""

    def rows(self, count: int) -> list[Row]:
        """The next `count` problems."""
        self._end_full_step()
        self._drawn += count
        rows = self._rows.rows(count)
        self._known.update(key_of(row["ground_truth"]) for row in rows)
        return rows

    def report(self, ground_truth: str, row: Sequence[Any], finish: str) -> None:
        """Takes an evaluated rollout, as values of _READ. One of other data is left out."""
        if key_of(ground_truth) in self._known:
            self._outcomes.append([ground_truth, finish, list(row)])

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
                "data.train_batch_size",
                f"was {given['batch']} in the checkpoint and is {self._batch}: a step is a batch",
            )
        self._rows.load_state_dict(json.dumps(given["rows"], ensure_ascii=False))
        # What was under way is verl's to start again (its TransferQueue) or lost.
        self._rows.held(self._rows.pending)
        self._drawn, self._outcomes = given["drawn"], given["outcomes"]
        self._known = set(self._rows.pending)

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
        self._known = set(self._rows.pending)


async def report(ground_truth: object, row: Mapping[str, Any], finish: str) -> None:
    """Tells the run's curriculum what a rollout earned; nothing happens in a run without one. Returns once it knows."""
    sent = _sent(ground_truth, row, finish)
    if sent is not None:
        await sent


def report_and_wait(ground_truth: object, row: Mapping[str, Any], finish: str) -> None:
    """The same outside of an event loop."""
    sent = _sent(ground_truth, row, finish)
    if sent is not None:
        sys.modules["ray"].get(sent)


def _sent(ground_truth: object, row: Mapping[str, Any], finish: str) -> Any:
    """The answer to come; None where no one waits for it, as of rows for validation."""
    if not isinstance(ground_truth, str) or ":train:" not in ground_truth:
        return None
    told = owner(NAME)
    return None if told is None else told.report.remote(ground_truth, [row[name] for name in _READ], finish)


def owner(name: str) -> Any:
    """The run's actor of this name; None where it has none."""
    ray = sys.modules.get("ray")
    if ray is None or not ray.is_initialized():
        return None
    return _owner_of(ray.get_runtime_context().get_job_id(), name)


@functools.lru_cache(maxsize=4)
def _owner_of(job: str, name: str) -> Any:
    """Of a job: verl makes its data set before it scores anything."""
    try:
        return sys.modules["ray"].get_actor(name)
    except ValueError:
        return None
