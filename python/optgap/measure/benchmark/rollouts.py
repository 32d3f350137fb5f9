"""Rollouts on disk: one line each, written as it arrives, found again after any kind of end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from ...core.errors import misuse
from ...core.files.run_folder import Lines, replacing

Place = tuple[int, int]
"""Row of the question, and which sample of it."""


class RolloutFile:
    """The file of a run. A line is a row for `optgap eval`, with `sample`; one whose request failed has `error` in
    place of a completion.

    Args:
        path: Made when it is not there.
        names: What each question's rows say in `field`.
        samples: Of each question.
        field: "key", or "twin_of".
    """

    def __init__(self, path: str | os.PathLike[str], names: list[str], samples: int, field: str = "key") -> None:
        self.path = os.fspath(path)
        self._lines = Lines(path)
        self._names = names
        self._row_of = {name: row for row, name in enumerate(names)}
        self._samples = samples
        self._field = field
        self._where: dict[Place, tuple[int, int]] = {}

    def read(self) -> Iterator[tuple[Place, dict[str, Any]]]:
        """The answered rows. Mends the file: half a last line is cut off, failures are left out, since they are asked
        again. Raises Error for any other line that is no row of this run, and leaves the file as it is then."""
        try:
            for line in self._lines.read():
                place = self._place(line.row)
                if place is None:
                    raise self._lines.damaged(line.number, "row of this run")
                if "error" not in line.row and place not in self._where:
                    self._where[place] = (line.start, line.size)
                    yield place, line.row
        except ValueError as wrong:
            raise misuse("resume", str(wrong)) from None
        self._rewrite(sorted(self._where, key=self._where.__getitem__))

    def append(self, place: Place, row: dict[str, Any]) -> None:
        """Writes one row, whole, and hands it to the system."""
        named = {self._field: self._names[place[0]]} if self._field != "key" else {}
        self._where[place] = self._lines.append({**row, **named, "sample": place[1]})

    def order(self) -> None:
        """Puts the rows in the order of the questions: the same rows are the same lines in the same order, whenever
        they came."""
        self._rewrite(sorted(self._where))

    def close(self) -> None:
        self._lines.close()

    def _place(self, row: dict[str, Any]) -> Place | None:
        name, sample = row.get(self._field), row.get("sample")
        question = self._row_of.get(name) if isinstance(name, str) else None
        if question is None or type(sample) is not int or not 0 <= sample < self._samples:
            return None
        if "error" not in row and not (isinstance(row.get("completion"), str) and isinstance(row.get("finish"), str)):
            return None
        return question, sample

    def _rewrite(self, places: list[Place]) -> None:
        """The file with these rows alone, in this order; it is replaced when it is whole."""
        self.close()
        if not os.path.exists(self.path):
            return
        spans = [self._where[place] for place in places]
        ends = [start + size for start, size in spans]
        if [start for start, _ in spans] == [0, *ends[:-1]][: len(spans)] and os.path.getsize(self.path) == sum(
            ends[-1:]
        ):
            return
        moved: dict[Place, tuple[int, int]] = {}
        with open(self.path, "rb") as source, replacing(self.path) as target:
            for place, (start, size) in zip(places, spans):
                source.seek(start)
                moved[place] = (target.tell(), size)
                target.write(source.read(size))
        self._where = moved
