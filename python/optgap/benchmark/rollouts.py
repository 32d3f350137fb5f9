"""Rollouts on disk: one line each, written as it arrives, found again after any kind of end."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any, BinaryIO

from ..errors import misuse

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
        self._names = names
        self._row_of = {name: row for row, name in enumerate(names)}
        self._samples = samples
        self._field = field
        self._where: dict[Place, tuple[int, int]] = {}
        self._file: BinaryIO | None = None

    def read(self) -> Iterator[tuple[Place, dict[str, Any]]]:
        """The answered rows. Mends the file: a line that a kill tore is cut off, failures are left out, since they are
        asked again. Raises Error for a line in the middle that is no row of this run."""
        if not os.path.exists(self.path):
            return
        with open(self.path, "rb") as lines:
            start = 0
            for number, line in enumerate(lines, 1):
                whole = line.endswith(b"\n")
                row = _object(line)
                if row is None and not whole:
                    break
                place = None if row is None else self._place(row)
                if place is None or row is None:
                    raise misuse("resume", f"{self.path}, line {number} is no row of this run: mend or delete it")
                if "error" not in row and place not in self._where and whole:
                    self._where[place] = (start, len(line))
                    yield place, row
                start += len(line)
        self._rewrite(sorted(self._where, key=self._where.__getitem__))

    def append(self, place: Place, row: dict[str, Any]) -> None:
        """Writes one row, whole, and hands it to the system."""
        if self._file is None:
            self._file = open(self.path, "ab")  # noqa: SIM115  until close()
        named = {self._field: self._names[place[0]]} if self._field != "key" else {}
        line = json.dumps({**row, **named, "sample": place[1]}, ensure_ascii=False).encode()
        self._where[place] = (self._file.tell(), len(line) + 1)
        self._file.write(line + b"\n")
        self._file.flush()

    def order(self) -> None:
        """Puts the rows in the order of the questions: the same rows are the same lines in the same order, whenever
        they came."""
        self._rewrite(sorted(self._where))

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _place(self, row: dict[str, Any]) -> Place | None:
        question, sample = self._row_of.get(row.get(self._field, "")), row.get("sample")
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
        unfinished = self.path + ".unfinished"
        with open(self.path, "rb") as source, open(unfinished, "wb") as target:
            for place, (start, size) in zip(places, spans):
                source.seek(start)
                moved[place] = (target.tell(), size)
                target.write(source.read(size))
            target.flush()
            os.fsync(target.fileno())
        os.replace(unfinished, self.path)
        self._where = moved


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None
