"""What all processes counted, added up along a run's steps, or its seconds where no process knows steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..stats_lines import BINS, COUNTERS
from .folder import Folder, Line, Mark, Read

Counts = npt.NDArray[np.int64]
"""COLUMNS, then BINS of quality."""
Place = tuple[str, str]
"""Task and level."""

COLUMNS = (*COUNTERS, "groups", "kept_groups", "zero_variance_groups")
GROUP_GAP = 300.0
"""Seconds between two rollouts of one ground truth from which they are of two groups, where the trainer names none."""

_AT = {name: place for place, name in enumerate(COLUMNS)}
_FORGET = 7200.0  # seconds after its last rollout


@dataclass
class _Group:
    slot: int
    cell: Place
    last: float
    rewards: int = 0
    low: float = np.inf
    high: float = -np.inf

    def kind(self) -> str | None:
        if self.rewards < 2:
            return None
        return "zero_variance_groups" if self.low == self.high else "kept_groups"


@dataclass
class Slot:
    """A stretch of the run: one step, or `every` seconds."""

    time: float
    """Unix seconds of the last line in it."""
    cells: dict[Place, Counts] = field(default_factory=dict)


class Timeline:
    """A folder's counters by slot; `update` takes in what processes have written since.

    Args:
        path: The folder.
        every: Seconds of a slot where steps are not known.
        group_gap: See GROUP_GAP.
    """

    def __init__(self, path: str | Path, every: float = 10.0, group_gap: float = GROUP_GAP) -> None:
        self.path, self.every, self.group_gap = Path(path), every, group_gap
        self._start_over()

    def _start_over(self) -> None:
        self.folder = Folder(self.path)
        self.by_step = False
        """Slots are steps, not seconds."""
        self.began: float | None = None
        self.slots: dict[int, Slot] = {}
        self.windows: dict[str, list[tuple[int, int, int, str | None]]] = {}
        """Per task of a curriculum: (slot, low, high, status) at every move."""
        self.not_evaluated = 0
        self._step = 0
        self._newest = 0.0
        self._marks: list[Mark] = []
        self._groups: dict[str, _Group] = {}

    def update(self) -> set[int]:
        """Reads on; returns the slots that changed."""
        new = self.folder.new()
        by_step = self.by_step or any("step" in one.line for one in new)
        if self.began is not None and (by_step != self.by_step or any("rewound" in one.line for one in new)):
            # What was counted by seconds is counted again by steps, and without what a mark takes out.
            self._start_over()
            new = self.folder.new()
        self.by_step = by_step
        self._marks += [
            Mark(float(one.line["time"]), int(one.line["rewound"]), one.path, one.place)
            for one in new
            if "rewound" in one.line
        ]
        changed = {slot for one in new if (slot := self._take(one)) is not None}
        for name in [name for name, group in self._groups.items() if group.last < self._newest - _FORGET]:
            del self._groups[name]
        return changed

    def ordered(self) -> list[tuple[int, Slot]]:
        return sorted(self.slots.items())

    def total(self, since: float = 0.0) -> dict[Place, Counts]:
        """Cells over the slots whose last line is not before `since` (Unix seconds)."""
        return added(slot.cells for slot in self.slots.values() if slot.time >= since)

    def _take(self, one: Read) -> int | None:
        """The slot that it is of; None where nothing of it counts."""
        line, now = one.line, float(one.line["time"])
        self._newest = max(self._newest, now)
        if self.began is None:
            self.began = float(one.header["time"])
        if "rewound" in line:
            self._step = int(line["rewound"])
            return None
        is_note = "curriculum" in line
        if is_note and any(mark.path == one.path and mark.voids_note(one) for mark in self._marks):
            return None
        number = self._slot_of(line, now)
        if is_note and any(mark.voids_note(one) for mark in self._marks):
            return None
        cells = line.get("cells", [])
        void = [any(mark.voids_rows(one, number, cell["level"]) for mark in self._marks) for cell in cells]
        if all(void) and void:
            return None
        slot = self.slots.setdefault(number, Slot(now))
        slot.time = max(slot.time, now)
        places: list[Place] = []
        for cell, left_out in zip(cells, void):
            places.append((cell["task"], cell["level"]))
            if left_out:
                continue
            counts = slot.cells.setdefault(places[-1], zeros())
            for name in COUNTERS:
                counts[_AT[name]] += cell.get(name, 0)
            for place, count in cell.get("quality_histogram", {}).items():
                counts[len(COLUMNS) + int(place)] += count
        for known, gap in (("groups", np.inf), ("keys", self.group_gap)):
            for name, cell, rewards in line.get(known, []):
                if not void[cell]:
                    self._regroup(name, number, places[cell], now, gap, rewards)
        self.not_evaluated += line.get("not_evaluated", 0)
        for task, (low, high, status) in line.get("curriculum", {}).items():
            moves = self.windows.setdefault(task, [])
            if not moves or moves[-1][1:] != (low, high, status):  # all ranks may note the same
                moves.append((number, low, high, status))
        return number

    def _slot_of(self, line: Line, now: float) -> int:
        if not self.by_step:
            assert self.began is not None
            return max(0, int((now - self.began) // self.every))
        if "step" in line:
            self._step = int(line["step"])
            return self._step
        return self._step  # of a process that is told no steps: the run's last one at that time

    def _regroup(self, name: str, slot: int, cell: Place, now: float, gap: float, rewards: list[float | None]) -> None:
        group = self._groups.get(name)
        if group is None or now - group.last > gap:
            group = self._groups[name] = _Group(slot, cell, now)
            self.slots[slot].cells[cell][_AT["groups"]] += 1
        counts = self.slots[group.slot].cells[group.cell]
        before = group.kind()
        known = [reward for reward in rewards if reward is not None]
        group.rewards += len(known)
        group.low, group.high = min([group.low, *known]), max([group.high, *known])
        group.last = now
        after = group.kind()
        if before != after:
            if before is not None:
                counts[_AT[before]] -= 1
            counts[_AT[str(after)]] += 1


def zeros() -> Counts:
    return np.zeros(len(COLUMNS) + BINS, np.int64)


def added(parts: Iterable[Mapping[Place, Counts]]) -> dict[Place, Counts]:
    """The sum of several slots' cells."""
    total: dict[Place, Counts] = {}
    for cells in parts:
        for place, counts in cells.items():
            if place in total:
                total[place] += counts
            else:
                total[place] = counts.copy()
    return total


def named(counts: Counts) -> dict[str, Any]:
    """A cell's counters by their names in Statistics."""
    return {name: int(count) for name, count in zip(COLUMNS, counts)}
