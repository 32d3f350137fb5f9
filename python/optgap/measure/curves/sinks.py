"""Where curves go beside the terminal: TensorBoard's event files, Weights & Biases."""

from __future__ import annotations

import time
from typing import Any, Protocol

from ...core.errors import misuse
from .rates import by_task, rates
from .timeline import Slot, Timeline, zeros

WRITTEN = ("sr", "qr", "normalized", "effective_prompts", "truncated", "format_errors", "level")
"""The last parts of the curves' names, beside `h`."""
LAG = 30.0
"""Seconds without a new row after which a slot is taken for whole: processes write theirs at different times."""


class Target(Protocol):
    """One of the programs."""

    def log(self, values: dict[str, float], at: int, when: float) -> None:
        """`at`: the step, or seconds since the run began; `when`: Unix seconds."""

    def close(self) -> None: ...


class Sink:
    """Writes each slot of a timeline once, when it is whole: `optgap/<task>/…` of a step, or of its seconds where no process
    knows steps. Rows that come later still are in the tables, not in these curves."""

    def __init__(self, target: Target, timeline: Timeline, split: str) -> None:
        self._target, self._timeline, self._split = target, timeline, split
        self._last, self._by_step = -1, False

    def write(self, final: bool = False) -> None:
        """`final`: all slots there are."""
        now = time.time()
        if self._timeline.by_step != self._by_step:  # a process was told a step for the first time
            self._last, self._by_step = -1, self._timeline.by_step
        for number, slot in self._timeline.ordered():
            if not final and slot.time > now - LAG:
                return
            if number > self._last:
                at = number if self._timeline.by_step else round((number + 1) * self._timeline.every)
                self._target.log(self._values(number, slot), at, slot.time)
                self._last = number

    def _values(self, number: int, slot: Slot) -> dict[str, float]:
        values: dict[str, float] = {}
        tasks = by_task(slot.cells, self._split)
        for task, cells in tasks.items():
            found = {**cells.rates(), "level": cells.mean_level()}
            values.update(_named(task, found))
        if tasks:
            values.update(_named("all", rates(sum((cells.counts for cells in tasks.values()), zeros()))))
        for task, moves in self._timeline.windows.items():
            known = [high for at, _, high, _ in moves if at <= number]
            if known:
                values[f"optgap/{task}/h"] = known[-1]
        return values

    def close(self) -> None:
        self._target.close()


def opened(where: str, timeline: Timeline, split: str = "train") -> Sink:
    """The sink that `--to` names.

    Raises:
        Error: There is no such program, or its package is not installed.
    """
    name, _, rest = where.partition(":")
    if name not in _TARGETS:
        raise misuse("to", f"{where!r} is neither tensorboard[:DIR] nor wandb[:PROJECT]")
    return Sink(_TARGETS[name](rest, timeline), timeline, split)


def _named(task: str, found: dict[str, float | None]) -> dict[str, float]:
    return {f"optgap/{task}/{name}": value for name in WRITTEN if (value := found.get(name)) is not None}


class _TensorBoard:
    def __init__(self, folder: str, timeline: Timeline) -> None:
        try:
            from tensorboard.compat.proto.event_pb2 import Event
            from tensorboard.compat.proto.summary_pb2 import Summary
            from tensorboard.summary.writer.event_file_writer import EventFileWriter
        except ImportError:
            raise misuse("to", "tensorboard needs a package that is not installed: pip install tensorboard") from None
        self._event, self._summary = Event, Summary
        self._writer = EventFileWriter(str(folder or timeline.path / "tensorboard"))

    def log(self, values: dict[str, float], at: int, when: float) -> None:
        scalars = [self._summary.Value(tag=name, simple_value=value) for name, value in values.items()]
        self._writer.add_event(self._event(wall_time=when, step=at, summary=self._summary(value=scalars)))
        self._writer.flush()

    def close(self) -> None:
        self._writer.close()


class _Wandb:
    def __init__(self, project: str, timeline: Timeline) -> None:
        try:
            import wandb
        except ImportError:
            raise misuse("to", "wandb needs a package that is not installed: pip install wandb") from None
        self._run = wandb.init(project=project or "optgap", config={"optgap_stats": str(timeline.path)})
        self._run.define_metric("optgap/*", step_metric="optgap/step")

    def log(self, values: dict[str, float], at: int, when: float) -> None:
        self._run.log({**values, "optgap/step": at, "optgap/time": when})

    def close(self) -> None:
        self._run.finish()


_TARGETS: dict[str, Any] = {"tensorboard": _TensorBoard, "wandb": _Wandb}
