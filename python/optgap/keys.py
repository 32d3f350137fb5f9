"""Tasks, formats and instance keys."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from . import _native
from .arguments import name, rows_of


@dataclass(frozen=True)
class Task:
    """What this build knows of a task."""

    name: str
    version: int
    sense: str
    """"minimise" or "maximise"."""
    title: str
    summary: str
    category: str
    objective: str
    answer_form: str
    styles: int
    """Prompt styles; the last is kept for evaluation."""
    default_budget: int
    codes: tuple[str, ...]
    bound_kinds: tuple[str, ...]
    words: tuple[str, ...]
    """Accepted instead of a list."""
    file_extensions: tuple[str, ...]


@functools.cache
def tasks() -> tuple[Task, ...]:
    """The tasks of this build; a task's index is its place."""
    found = []
    for row in _native.tasks():
        fields: dict[str, Any] = {field: tuple(of) if isinstance(of, list) else of for field, of in row.items()}
        found.append(Task(**fields))
    return tuple(found)


def task_indices(task: str | Sequence[str]) -> list[int]:
    """Indices of one task or several, named as NAME or NAME@VERSION; "all" is every one."""
    if isinstance(task, str):
        names = [task]
    else:
        rows_of(task, "task")
        names = list(task)
    return list(range(len(tasks()))) if names == ["all"] else [_native.task_index(name(one, "task")) for one in names]


def formats() -> tuple[str, ...]:
    """Names of the answer formats; the first is the default."""
    return tuple(_native.format_names())


@dataclass(frozen=True)
class Key:
    """The name of an instance, `tsp@1:train:hard:42:s3#9f3a1c2e`, taken apart. str(key) is the text."""

    task: str
    version: int
    split: str
    """"train", "val", "test", or "x" for a user's own instance."""
    level: str = ""
    seed: int = 0
    style: int = 0
    hash: str = ""
    """8 hex digits, 32 for a user's own instance; may be empty."""

    @classmethod
    def parse(cls, text: str) -> Key:
        """Raises Error that says which part is wrong and what was expected."""
        return cls(*_native.parse_key(name(text, "key")))

    def __str__(self) -> str:
        return _native.format_key((self.task, self.version, self.split, self.level, self.seed, self.style, self.hash))
