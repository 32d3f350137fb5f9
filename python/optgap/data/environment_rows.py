"""Rows of environments in a data set: what `optgap.data.dataset` writes of tasks that this build does not have."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..core.errors import misuse
from ..core.files.reading import rows_of
from ..rows.external import drawing
from ..rows.external.keys import is_external, parse


class Drawn(NamedTuple):
    """What one draw gave."""

    key: str
    prompt: str
    ground_truth: str


class Draws:
    """Different problems of one environment."""

    def __init__(self, task: str, level: str | int, split: str, format: str, exclude: Sequence[str]) -> None:
        self._task, self._split, self._format = task, split, format
        self._level = f"d{level}" if isinstance(level, int) else level
        self._seen: set[str] = set()
        self.failed = self.repeated = 0
        """Problems that were not made, and those that came before."""
        self.first_failure = ""
        self.overlap = dict.fromkeys(exclude, 0)
        """Problems that a file holds, too."""
        self._held = {path: _hashes(path, task) for path in exclude}

    def draw(self, first: int, count: int) -> Iterator[Drawn]:
        """The new problems of seeds `first` to `first + count - 1`."""
        seeds = list(range(first, first + count))
        made = drawing.rows_or_reasons(self._task, [self._level] * count, seeds, split=self._split, format=self._format)
        for row in made:
            if isinstance(row, str):
                self.failed += 1
                self.first_failure = self.first_failure or row
                continue
            key = _key(row.ground_truth)
            hash = parse(key).hash
            holding = [path for path, hashes in self._held.items() if hash in hashes]
            if hash in self._seen:
                self.repeated += 1
            elif holding:
                self.overlap[holding[0]] += 1
            else:
                self._seen.add(hash)
                yield Drawn(key, row.prompt, row.ground_truth)


def refuse(task: str, **without_effect: Any) -> None:
    """Raises Error for settings that only tasks of this build have."""
    for name, given in without_effect.items():
        if given:
            raise misuse(name, f"has no effect on {task}, which is an environment")


def _key(ground_truth: str) -> str:
    return str(json.loads(ground_truth)["key"])


def _hashes(path: str, task: str) -> set[str]:
    keys = [str(row.get("key", "")) for _, row in rows_of(path)]
    return {found.hash for found in map(parse, filter(is_external, keys)) if found.task == task and found.hash}
