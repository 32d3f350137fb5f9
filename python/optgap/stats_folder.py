"""OPTGAP_STATS=DIR: every process that evaluates rows appends what it counted to a file of its own in DIR.

The adapters call `record` and `record_curriculum`; `optgap.curves` reads the folder (docs/statistics.md has both sides). A file
is JSONL: a header with the run's settings, then what came since the line before, every OPTGAP_STATS_EVERY seconds (10) and at
exit. A process that is killed loses that long at most. Nothing that goes wrong here costs a reward: it is said once.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
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

logger = logging.getLogger("optgap")

COUNTERS = ("rows", "feasible", "correct", "optimal", "truncated", "format_broken", "quality_sum_2p32",
            "normalized_sum_2p32")  # fmt: skip
"""Of a cell, beside its histogram: those of Statistics, and `normalized`, which may be negative."""
UNIT = 2.0**32
CORRECT_FROM = 1.0
BINS = 64
BACKLOG = 16 << 20
"""Bytes that are kept for a folder that cannot be written at the moment."""

Run = tuple[str, int]
"""A reward's spec as text, and the budget of baselines."""

_PREFIX = "optgap/"
_SPLIT = re.compile(r"@[\w.+-]+:(\w+):")


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
        step: The trainer's, which tells groups of one ground truth apart; None: that of the curriculum here, if any.
    """
    folder = os.environ.get("OPTGAP_STATS")
    if folder and rows:
        writer = _process.writer(folder, run)
        try:
            writer.count(rows, optimal, ground_truths, groups, step, _process.step)
        except Exception as broken:  # noqa: BLE001  a trainer goes on without its curves
            writer.say(f"rows are not counted: {broken!r}")


def record_curriculum(step: int, state: str) -> None:
    """Notes where a curriculum stands after `step` steps, of `Curriculum.state_dict`'s text; one process calls it, or all with
    the same state. Rows counted here from now on are of this step, where the trainer does not say another."""
    folder = os.environ.get("OPTGAP_STATS")
    if folder:
        _process.step = step
        _process.writer(folder, None).note(step, state)


def flush() -> None:
    """Writes what was counted now."""
    _process.flush()


class _Table:
    """What was counted since the last line, of one step."""

    def __init__(self) -> None:
        self.cells: dict[tuple[str, str], tuple[list[int], dict[int, int]]] = {}
        self.groups: dict[str, tuple[tuple[str, str], list[float | None]]] = {}
        self.keys: dict[str, tuple[tuple[str, str], list[float | None]]] = {}
        self.not_evaluated = 0

    def line(self, now: float, step: int | None) -> dict[str, Any]:
        place = {cell: index for index, cell in enumerate(self.cells)}
        line: dict[str, Any] = {"time": now}
        if step is not None:
            line["step"] = step
        line["cells"] = [
            {"task": task, "level": level, **{name: count for name, count in zip(COUNTERS, counts) if count},
             **({"quality_histogram": bins} if bins else {})}
            for (task, level), (counts, bins) in self.cells.items()
        ]  # fmt: skip
        for name, known in (("groups", self.groups), ("keys", self.keys)):
            if known:
                line[name] = [[group, place[cell], rewards] for group, (cell, rewards) in known.items()]
        if self.not_evaluated:
            line["not_evaluated"] = self.not_evaluated
        return line


class _Writer:
    """The file of one process, folder and run (None: of a curriculum). `_lock` is held for counting, never for writing."""

    def __init__(self, folder: str, run: Run | None) -> None:
        self._folder, self._run = Path(folder), run
        self._lock, self._writing = threading.Lock(), threading.Lock()
        self._tables: dict[int | None, _Table] = {}
        self._marks: list[dict[str, Any]] = []
        self._windows: dict[str, list[Any]] = {}
        self._file: int | None = None
        self._size = 0
        self._unwritten = b""
        self._said = False

    def count(
        self,
        rows: Sequence[Mapping[str, Any]],
        optimal: Sequence[bool],
        ground_truths: Sequence[object],
        groups: Sequence[object] | None,
        step: int | None,
        last_step: int | None,
    ) -> None:
        apart = step is not None or groups is not None
        with self._lock:
            at_step = last_step if step is None else step
            table = self._tables.get(at_step)
            if table is None:
                table = self._tables[at_step] = _Table()
            named = table.groups if apart else table.keys
            for at, row in enumerate(rows):
                if row["code"] == -1:
                    table.not_evaluated += 1
                    continue
                split, name = _of(_text(ground_truths[at]))
                cell = _cell(row["data_source"], split)
                known = table.cells.get(cell)
                if known is None:
                    known = table.cells[cell] = ([0] * len(COUNTERS), {})
                _add(known, row, optimal[at])
                if apart:
                    name = _named(name, step if groups is None else groups[at])
                group = named.get(name)
                if group is None:
                    group = named[name] = (cell, [])
                score = row["score"]
                group[1].append(None if math.isnan(score) else score)

    def note(self, step: int, state: str) -> None:
        try:
            tasks = json.loads(state)["tasks"]
            windows = {task["name"]: [task["low"], task["high"], task.get("status")] for task in tasks if "high" in task}
        except (ValueError, KeyError, TypeError) as broken:
            self.say(f"a curriculum's state cannot be read: {broken!r}")
            return
        with self._lock:
            new = {name: window for name, window in windows.items() if self._windows.get(name) != window}
            self._windows.update(new)
            self._marks.append({"time": _now(), "step": step, "curriculum": new})

    def flush(self) -> None:
        with self._writing:
            with self._lock:
                tables, self._tables = self._tables, {}
                marks, self._marks = self._marks, []
            now = _now()
            lines = marks + [table.line(now, step) for step, table in tables.items()]
            if not lines and not self._unwritten:
                return
            text = "".join(json.dumps(line, separators=(",", ":"), allow_nan=False) + "\n" for line in lines)
            self._unwritten += text.encode()
            try:
                self._write()
            except Exception as failed:  # noqa: BLE001  a trainer goes on without its curves
                self.say(f"{self._folder}: {failed}; nothing is lost while it stays below {BACKLOG >> 20} MB")
                if len(self._unwritten) > BACKLOG:
                    self._unwritten = b""

    def _write(self) -> None:
        if self._file is None:
            self._file = self._opened()
        try:
            left = memoryview(self._unwritten)
            while left:
                left = left[os.write(self._file, left) :]
        except OSError:
            with contextlib.suppress(OSError):  # so that no half line stands before the next
                os.ftruncate(self._file, self._size)
            raise
        self._size += len(self._unwritten)
        self._unwritten = b""

    def _opened(self) -> int:
        self._folder.mkdir(parents=True, exist_ok=True)
        host = re.sub(r"[^\w.-]", "_", socket.gethostname())
        path = self._folder / f"{host}-{os.getpid()}-{time.time_ns():x}.jsonl"
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o644)
        header: dict[str, Any] = {"optgap_stats": 1, "time": _now(), "host": host, "pid": os.getpid()}
        if self._run is not None:
            header.update(correct_from=CORRECT_FROM, run=_run_record(*self._run))
        self._unwritten = json.dumps(header).encode() + b"\n" + self._unwritten
        return file

    def say(self, sentence: str) -> None:
        if not self._said:
            self._said = True
            logger.warning("OPTGAP_STATS: %s", sentence)


class _Process:
    """The writers of one process: a fork starts with none, what its parent counted is the parent's."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._writers: dict[tuple[str, Run | None], _Writer] = {}
        self.step: int | None = None

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


def _add(cell: tuple[list[int], dict[int, int]], row: Mapping[str, Any], optimal: bool) -> None:
    """As cell_statistics::add of host/report/statistics.cpp."""
    counts, bins = cell
    counts[0] += 1
    if row["feasible"] > 0:
        quality = min(max(row["quality"], 0.0), 1.0)
        counts[1] += 1
        counts[2] += row["quality"] >= CORRECT_FROM
        counts[3] += bool(optimal)
        counts[6] += round(quality * UNIT)
        place = int(quality * (BINS - 1))
        bins[place] = bins.get(place, 0) + 1
    counts[4] += row["truncated"] != 0
    counts[5] += not row["format"] > 0
    counts[7] += round(row["normalized"] * UNIT)


@functools.lru_cache(maxsize=4096)
def _cell(data_source: str, split: str) -> tuple[str, str]:
    """Task and level. A level of another split than training's is `split:level`, and a user's own instance has the level
    `explicit`, as in Statistics."""
    task, _, level = data_source.removeprefix(_PREFIX).rpartition("/")
    level = "explicit" if level == "x" else level
    return task, level if split in ("", "train") else f"{split}:{level}"


@functools.lru_cache(maxsize=8192)
def _of(ground_truth: str) -> tuple[str, str]:
    """Its split, empty where it says none, and the name of its group."""
    split = _SPLIT.search(ground_truth[:400])
    return split[1] if split else "", _digest(ground_truth)


@functools.lru_cache(maxsize=8192)
def _named(name: str, group: object) -> str:
    return _digest(f"{name} {group}")


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _text(ground_truth: object) -> str:
    if isinstance(ground_truth, str):
        return ground_truth
    if isinstance(ground_truth, bytes):
        return ground_truth.decode("utf-8", "replace")
    return json.dumps(ground_truth, sort_keys=True, default=str)


def _run_record(reward: str, budget: int) -> Any:
    """What tells tables apart that do not add up. Of a trainer's own estimator nothing is known: the default stands for it."""
    from .statistics import Statistics

    return json.loads(Statistics(reward=reward, budget=budget, correct_from=CORRECT_FROM).to_json())["run"]


def _now() -> float:
    return round(time.time(), 3)


_process = _Process()


def _renew() -> None:
    global _process
    _process = _Process()


os.register_at_fork(after_in_child=_renew)
atexit.register(flush)
