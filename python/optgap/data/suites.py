"""Suites: lists of tasks with levels and counts under a name (docs/suites.md).

from optgap.data import suites

suites.names()                                        # ["default", "rlve_c1", ...]
held_out = suites.load("rlve_ood")
suites.refuse("rlve_ood", ["tsp", "futoshiki"])       # Error: task futoshiki is held out ...
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .. import _native
from ..core import arguments


@dataclass(frozen=True)
class Entry:
    """One task of a suite."""

    task: str
    """"tsp", or with a slash what is from outside: "rlve/Sorting"."""
    task_class: str | None
    levels: tuple[str, ...]
    counts: tuple[int, ...]
    """Different instances, per level."""
    seed: int
    split: str
    place: str
    """"native", "external" or "missing" in this build."""
    native: str | None
    """The task of this build that poses it."""
    version: int | None
    family: str | None
    known: tuple[str, ...]
    """All names under which a run might train on it."""
    reason: str | None
    """Why it is not native, or what must be there to run it."""


@dataclass(frozen=True)
class Suite:
    """A list as its file has it, and what this build makes of it."""

    name: str
    title: str
    source: str
    role: str
    """"test", "train" or "problems"."""
    training: str
    """What its tasks are to a run that keeps to it: "held out", "seen", or "problems held out"."""
    list_hash: str
    """The same in every build."""
    hash: str
    """Over the same with the tasks and versions that pose it here."""
    entries: tuple[Entry, ...]

    @property
    def native(self) -> tuple[Entry, ...]:
        """Those that this build poses."""
        return tuple(entry for entry in self.entries if entry.place == "native")


def names() -> list[str]:
    """The suites that this build carries."""
    return list(_native.suite_names())


def load(suite: str) -> Suite:
    """A suite by name, by NAME#DIGITS of its hash, or from a file whose name ends in .json. Raises Error that names the place
    and what was expected."""
    found = json.loads(_native.suite(arguments.name(suite, "suite")))
    return Suite(name=found.pop("suite"), entries=tuple(map(_entry, found.pop("entries"))), **found)


def refuse(held_out: str | Sequence[str], tasks: Sequence[str], where: str = "tasks") -> None:
    """Raises Error that names task and suite where one of the tasks that a run trains on is in one of the suites."""
    _native.refuse_held_out([held_out] if isinstance(held_out, str) else list(held_out), list(tasks), where)


def _entry(row: dict[str, Any]) -> Entry:
    row["task_class"] = row.pop("class")
    row.pop("count")
    fields: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
    return Entry(**fields)
