"""The files of a folder, read line by line while processes go on writing them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ...core.errors import misuse
from ..stats_lines import BINS, COUNTERS

Line = dict[str, Any]


class _File:
    """How far one file was read."""

    def __init__(self) -> None:
        self.at = 0
        self.header: Line | None = None


class Read(NamedTuple):
    """One line, its file's header, and where it stands."""

    line: Line
    header: Line
    path: Path
    place: int


class Mark(NamedTuple):
    """A run went on from a checkpoint (stats_folder.record_rewound)."""

    time: float
    step: int
    path: Path
    place: int

    def voids_note(self, note: Read) -> bool:
        """Where a curriculum stood: after the checkpoint's step, or in the resumed process before it took its state."""
        before = float(note.line["time"]) <= self.time and int(note.line["step"]) > self.step
        return before or (note.path == self.path and note.place < self.place)

    def voids_rows(self, note: Read, step: int, level: str) -> bool:
        """Rows of training's at the checkpoint's step come again. Of another split it had those of that step behind it: a
        trainer evaluates, and then saves."""
        at = self.step if level.rpartition(":")[0] in ("", "train") else self.step + 1
        return float(note.line["time"]) <= self.time and step >= at


class Folder:
    """Reads what is new since the last call. A half-written last line waits for its rest; whatever else cannot be read is
    passed over and said in `notes`.

    Raises:
        Error: There is no such folder.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if not self.path.is_dir():
            raise misuse("folder", f"{path} is no folder; a run writes one when OPTGAP_STATS names it")
        self._files: dict[Path, _File] = {}
        self._broken: dict[str, str] = {}

    @property
    def files(self) -> int:
        """Files with a header."""
        return sum(file.header is not None for file in self._files.values())

    @property
    def notes(self) -> list[str]:
        """What was passed over, with its place."""
        cut = [
            f"{path.name}: the last line is not whole; its process writes it now, or was killed"
            for path, file in sorted(self._files.items())
            if path.exists() and path.stat().st_size > file.at
        ]
        return [*self._broken.values(), *cut]

    @property
    def runs(self) -> list[Line]:
        """The settings of the rewards in this folder, each once; more than one are different runs, or rewards."""
        found: list[Line] = []
        for file in self._files.values():
            run = (file.header or {}).get("run")
            if run is not None and run not in found:
                found.append(run)
        return found

    def new(self) -> list[Read]:
        """The lines since the last call, by their time."""
        found = [one for path in sorted(self.path.glob("*.jsonl")) for one in self._new(path)]
        return sorted(found, key=lambda one: float(one.line["time"]))

    def _new(self, path: Path) -> Iterator[Read]:
        file = self._files.setdefault(path, _File())
        with path.open("rb") as stream:
            stream.seek(file.at)
            for text in stream:
                if not text.endswith(b"\n"):
                    return
                place, file.at = file.at, file.at + len(text)
                line = _parsed(text)
                if line is not None and file.header is None and line.get("optgap_stats") == 1:
                    file.header = line
                elif line is None or file.header is None:
                    self._broken.setdefault(path.name, f"{path.name}: byte {place}: is no line of OPTGAP_STATS")
                else:
                    yield Read(line, file.header, path, place)


def _parsed(text: bytes) -> Line | None:
    """None for what has not the form of a line."""
    try:
        line = dict(json.loads(text.replace(b'"dead_groups"', b'"zero_variance_groups"')))  # the former name
        float(line["time"])
        cells = line.get("cells", [])
        whole = all(_is_cell(cell) for cell in cells) and all(
            isinstance(name, str)
            and 0 <= place < len(cells)
            and all(isinstance(one, (int, float, type(None))) for one in rewards)
            for known in ("groups", "keys")
            for name, place, rewards in line.get(known, [])
        )
        moves = all(int(low) <= int(high) for low, high, _ in line.get("curriculum", {}).values())
        return (
            line
            if whole and moves and all(int(line.get(name, 0)) >= 0 for name in ("step", "rewound", "not_evaluated"))
            else None
        )
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
        return None


def _is_cell(cell: Line) -> bool:
    bins = cell.get("quality_histogram", {})
    return (
        isinstance(cell["task"], str)
        and isinstance(cell["level"], str)
        and all(isinstance(cell.get(name, 0), int) for name in COUNTERS)
        and all(cell.get(name, 0) >= 0 for name in COUNTERS if name != "normalized_sum_2p32")
        and all(0 <= int(place) < BINS and isinstance(count, int) and count >= 0 for place, count in bins.items())
    )
