"""OPTGAP_STATS=DIR: every process that evaluates rows appends what it counted to a file of its own in DIR.

The adapters call `record` and `record_curriculum`; `optgap.measure.curves` reads the folder (docs/statistics.md has both sides). A file
is JSONL: a header with the run's settings, then what came since the line before, every OPTGAP_STATS_EVERY seconds (10) and at
exit. A process that is killed loses that long at most. Nothing that goes wrong here costs a reward: it is said once.
"""

from __future__ import annotations

import atexit
import json
import logging
import math
import multiprocessing.util
import os
import re
import socket
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.files.run_folder import append_whole
from .stats_lines import CORRECT_FROM, Table

logger = logging.getLogger("optgap")

BACKLOG = 16 << 20
"""Bytes that are kept for a folder that cannot be written at the moment."""

Run = tuple[str, int, str]
"""A reward's spec as text, the budget of baselines, and the content hash of the snapshot they come from, or nothing."""


def record(
    rows: Sequence[Mapping[str, Any]],
    optimal: Sequence[bool],
    ground_truths: Sequence[object],
    run: Run,
    groups: Sequence[object] | None = None,
    step: int | None = None,
) -> None:
    """Counts evaluated rows, one entry of each argument per row; returns at once without OPTGAP_STATS.

    Args:
        rows: As `evaluation.evaluate` makes them.
        optimal: Proven optimal.
        ground_truths: Each row's; rows of one ground truth are one group.
        run: What the rows' numbers depend on.
        groups: The trainer's own names of the groups where it has some: unique in a run, the same in all processes.
        step: The trainer's, which tells groups of one ground truth apart. Where this process has a curriculum, rows count at
            the curriculum's own step. Who gives it has a batch, which is written at once: the trainer may save next.
    """
    folder = os.environ.get("OPTGAP_STATS")
    if folder and rows:
        try:
            if step is not None:
                _process.meet(folder, step)
            _process.counted = True
            _process.writer(folder, run).count(rows, optimal, ground_truths, groups, step, _process.step)
            if step is not None:
                flush()
        except Exception as broken:  # noqa: BLE001  a trainer goes on without its curves
            _process.say(f"rows are not counted: {broken!r}")


def record_curriculum(step: int, state: str) -> None:
    """Notes where a curriculum stands after `step` steps, of `Curriculum.state_dict`'s text; one process calls it, or all with
    the same state. Rows counted here from now on are of this step."""
    folder = os.environ.get("OPTGAP_STATS")
    if folder:
        _process.step = step
        try:
            _process.writer(folder, None).note(step, state)
        except Exception as broken:  # noqa: BLE001
            _process.say(f"a curriculum's state is not noted: {broken!r}")


def record_rewound(step: int) -> None:
    """Notes that this run goes on from a checkpoint of `step`: what was counted of later steps before is counted again. All is
    kept; readers leave it out."""
    folder = os.environ.get("OPTGAP_STATS")
    if folder:
        try:
            _process.rewound(folder, step)
            _process.step = step
        except Exception as broken:  # noqa: BLE001
            _process.say(f"that the run was rewound is not noted: {broken!r}")


def flush() -> None:
    """Writes what was counted now: every few seconds, and with each checkpoint of a curriculum, so that a kill loses nothing
    that the checkpoint builds on."""
    _process.flush()


class _Writer:
    """The file of one process, folder and run (None: of a curriculum). `_lock` is held for counting, never for writing."""

    def __init__(self, folder: str, run: Run | None) -> None:
        self._folder, self._run, self._began = Path(folder), run, _now()
        self._lock, self._writing = threading.Lock(), threading.Lock()
        self._tables: dict[int | None, Table] = {}
        self._marks: list[dict[str, Any]] = []
        self._windows: dict[str, list[Any]] = {}
        self._file: int | None = None
        self._size = 0
        self._unwritten = b""

    def count(
        self,
        rows: Sequence[Mapping[str, Any]],
        optimal: Sequence[bool],
        ground_truths: Sequence[object],
        groups: Sequence[object] | None,
        step: int | None,
        last_step: int | None,
    ) -> None:
        at_step = step if last_step is None else last_step
        with self._lock:
            table = self._tables.get(at_step)
            if table is None:
                table = self._tables[at_step] = Table()
            table.count(
                rows, optimal, ground_truths, [step] * len(rows) if groups is None and step is not None else groups
            )

    def note(self, step: int, state: str) -> None:
        tasks = json.loads(state)["tasks"]
        windows = {task["name"]: [task["low"], task["high"], task.get("status")] for task in tasks if "high" in task}
        with self._lock:
            new = {name: window for name, window in windows.items() if self._windows.get(name) != window}
            self._windows.update(new)
            self._marks.append({"time": _now(), "step": step, "curriculum": new})

    def rewound(self, step: int, now: float) -> None:
        with self._lock:
            self._windows = {}
            self._marks.append({"time": now, "rewound": step})

    def flush(self) -> None:
        with self._writing:
            with self._lock:
                tables, self._tables = self._tables, {}
                marks, self._marks = self._marks, []
            now = _now()
            lines = marks + [table.line(now, step) for step, table in tables.items()]
            if not lines and not self._unwritten:
                return
            try:
                text = "".join(json.dumps(line, separators=(",", ":"), allow_nan=False) + "\n" for line in lines)
                self._unwritten += text.encode()
                self._write()
            except Exception as failed:  # noqa: BLE001  a trainer goes on without its curves
                _process.say(f"{self._folder}: {failed}; up to {BACKLOG >> 20} MB wait for it")
                if len(self._unwritten) > BACKLOG:
                    self._start_over()

    def _write(self) -> None:
        if self._file is None:
            self._file = self._opened()
        append_whole(self._file, self._unwritten, self._size)
        self._size += len(self._unwritten)
        self._unwritten = b""

    def _opened(self) -> int:
        self._folder.mkdir(parents=True, exist_ok=True)
        host = re.sub(r"[^\w.-]", "_", socket.gethostname())
        path = self._folder / f"{host}-{os.getpid()}-{time.time_ns():x}.jsonl"
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o644)
        header: dict[str, Any] = {"optgap_stats": 1, "time": self._began, "host": host, "pid": os.getpid()}
        if self._run is not None:
            header.update(correct_from=CORRECT_FROM, run=_run_record(*self._run))
        self._unwritten = json.dumps(header).encode() + b"\n" + self._unwritten
        return file

    def _start_over(self) -> None:
        """Gives up what waits, with the header if that is part of it."""
        self._unwritten = b""
        if self._size == 0 and self._file is not None:
            os.close(self._file)
            self._file = None


class _Process:
    """The writers of one process: a fork starts with none, what its parent counted is the parent's."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._writers: dict[tuple[str, Run | None], _Writer] = {}
        self._said: set[str] = set()
        self._began = _now()
        self._met = 0
        """The trainer's step that was said last."""
        self.counted = False
        self.step: int | None = None

    def say(self, sentence: str) -> None:
        """Once."""
        if sentence not in self._said and len(self._said) < 10:
            self._said.add(sentence)
            logger.warning("OPTGAP_STATS: %s", sentence)

    def writer(self, folder: str, run: Run | None) -> _Writer:
        found = self._writers.get((folder, run))
        if found is not None:
            return found
        with self._lock:
            if not self._writers:
                threading.Thread(target=self._keep_writing, args=(_every(),), name="optgap-stats", daemon=True).start()
                # A child of multiprocessing ends without atexit.
                multiprocessing.util.Finalize(self, self.flush, exitpriority=0)
            return self._writers.setdefault((folder, run), _Writer(folder, run))

    def meet(self, folder: str, step: int) -> None:
        """A trainer is at this step. One that begins behind others' steps, or goes back, was resumed; a curriculum says so
        itself."""
        before, self._met = self._met, step
        if self.step is None and step > 0 and (step < before or (before == 0 and not self.counted)):
            self.rewound(folder, step)

    def rewound(self, folder: str, step: int) -> None:
        """All ranks of a run began before one of them counted a row: the mark of one takes nothing of another's."""
        self.flush()
        self.writer(folder, None).rewound(step, _now() if self.counted else self._began)
        self.flush()

    def flush(self) -> None:
        for writer in list(self._writers.values()):
            writer.flush()

    def _keep_writing(self, every: float) -> None:
        while True:
            time.sleep(every)
            self.flush()


def _every() -> float:
    text = os.environ.get("OPTGAP_STATS_EVERY", "10")
    try:
        seconds = float(text)
        if seconds > 0 and math.isfinite(seconds):
            return seconds
    except ValueError:
        pass
    logger.warning("OPTGAP_STATS_EVERY: %r is no number of seconds above 0; 10 is taken", text)
    return 10.0


def _run_record(reward: str, budget: int, snapshot: str) -> Any:
    """What tells tables apart that do not add up. Of a trainer's own estimator nothing is known: the default stands for it."""
    from .statistics import Statistics

    return json.loads(
        Statistics(reward=reward, budget=budget, correct_from=CORRECT_FROM, baselines=snapshot or None).to_json()
    )["run"]


_last = 0.0
_clock = threading.Lock()


def _now() -> float:
    """Unix seconds, never the same twice in a process: what stands before a mark is earlier than it."""
    global _last
    with _clock:
        now = round(time.time(), 3)
        if now <= _last < now + 1:  # else the clock was set
            now = round(_last + 0.001, 3)
        _last = now
        return now


_process = _Process()


def _renew() -> None:
    global _process
    _process = _Process()


os.register_at_fork(after_in_child=_renew)
atexit.register(flush)
