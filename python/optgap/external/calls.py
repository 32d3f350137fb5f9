"""Calls of environments' methods, their outcomes, and the queue in which they wait for a worker."""

from __future__ import annotations

import collections
import enum
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple


class Code(enum.IntEnum):
    """What a row from outside has for a verdict's code; numbers of include/optgap/external.hpp."""

    OK = 0
    WRONG = 32
    TIMEOUT = 33
    MEMORY = 34
    CRASH = 35
    ERROR = 36
    VERDICT = 37

    @property
    def label(self) -> str:
        """As rows and tables have it."""
        return "ok" if self is Code.OK else f"external_{self.name.lower()}"


class Call(NamedTuple):
    """One call of an environment's method in a worker."""

    task: str
    method: str
    """generate, verify, gold or load."""
    arguments: tuple[Any, ...]


class Outcome(NamedTuple):
    """What came of it."""

    code: Code
    """OK, TIMEOUT, MEMORY, CRASH or ERROR."""
    value: Any
    message: str
    """What went wrong, in a sentence."""
    seconds: float


class Description(NamedTuple):
    """What an environment said of itself when it was loaded."""

    version: str
    form: str
    """What stands for the answer in a prompt's instructions."""
    runs_answers: bool
    """Does it run answers as code? Then each verdict has a process of its own."""
    accepts_empty: bool
    """May an empty text be a right answer?"""


class Submission:
    """Calls that one caller waits for, and the outcomes so far."""

    def __init__(self, calls: Sequence[Call]) -> None:
        self.calls = calls
        self.outcomes: list[Outcome | None] = [None] * len(calls)
        self.left = len(calls)


class Entry(NamedTuple):
    """Call `row` of a submission."""

    of: Submission
    row: int
    alone: bool = False
    """A canary is judged before and after it in the same process: it, or another row, is known to have changed a verifier."""
    again: bool = False
    """It had a verdict once, which was lost with its worker."""

    @property
    def call(self) -> Call:
        return self.of.calls[self.row]


class Waiting:
    """Entries by task, in their order."""

    def __init__(self) -> None:
        self._by_task: collections.OrderedDict[str, collections.deque[Entry]] = collections.OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._by_task)

    def add(self, entries: Iterable[Entry]) -> None:
        """At the end of their tasks' queues."""
        for entry in entries:
            self._by_task.setdefault(entry.call.task, collections.deque()).append(entry)

    def pick(self, served: Collection[str]) -> str:
        """The first task that nobody serves, else the first one."""
        return next((task for task in self._by_task if task not in served), next(iter(self._by_task)))

    def first(self, task: str) -> Entry | None:
        """The next entry of a task, which stays."""
        queue = self._by_task.get(task)
        return queue[0] if queue else None

    def take(self, task: str) -> Entry:
        """The next entry of a task that has one."""
        queue = self._by_task[task]
        entry = queue.popleft()
        if not queue:
            del self._by_task[task]
        return entry

    def forget(self, submission: Submission) -> None:
        """Its caller waits no longer."""
        for task, queue in list(self._by_task.items()):
            left = collections.deque(entry for entry in queue if entry.of is not submission)
            if left:
                self._by_task[task] = left
            else:
                del self._by_task[task]
