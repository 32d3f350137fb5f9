"""Calls of environments' methods, their outcomes, and the queue in which they wait for a worker."""

from __future__ import annotations

import collections
import enum
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from ..code_table import codes

BATCH = 64
"""Verdicts of a worker that one canary stands for, at most."""
_BATCH_BYTES = 1 << 20
"""Of problems and answers that wait in a worker's socket, but for the last."""


def _number(name: str) -> int:
    return {**codes("answer"), **codes("external")}[name]


class Code(enum.IntEnum):
    """What a row from outside has for a verdict's code."""

    OK = _number("ok")
    WRONG = _number("external_wrong")
    TIMEOUT = _number("external_timeout")
    MEMORY = _number("external_memory")
    CRASH = _number("external_crash")
    ERROR = _number("external_error")
    VERDICT = _number("external_verdict")

    @property
    def label(self) -> str:
        """As rows and tables have it."""
        return "ok" if self is Code.OK else f"external_{self.name.lower()}"


class Call(NamedTuple):
    """One call of an environment's method in a worker."""

    task: str
    method: str
    """generate, verify, gold, original or load."""
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
    """Whether it runs answers as code; then each verdict has a process of its own."""
    accepts_empty: bool
    """Whether an empty text may be a right answer."""

    @staticmethod
    def read(value: Any) -> Description:
        """From a worker's reply, whatever it is."""
        told = value if isinstance(value, dict) else {}
        version, form = (str(told.get(name))[:200] for name in ("version", "form"))
        return Description(version, form, told.get("runs_answers") is not False, told.get("accepts_empty") is True)


def pair(value: Any) -> Any:
    """Verdict and anchors of a reply of `verify`."""
    return value[:2] if isinstance(value, list) else value


class Submission:
    """Calls that one caller waits for, and the outcomes so far."""

    def __init__(self, calls: Sequence[Call]) -> None:
        self.calls = calls
        self.outcomes: list[Outcome | None] = [None] * len(calls)
        self.left = len(calls)


class Entry(NamedTuple):
    """Call `row` of a submission."""

    submission: Submission
    row: int
    alone: bool = False
    """A canary is judged before and after it in the same process: it, or another row, is known to have changed a verifier."""
    again: bool = False
    """It had a verdict once, which was lost with its worker."""
    single: bool = False
    """It is a request of its own: a batch that it was in gave no result, and only so is it seen which row is at fault."""

    @property
    def call(self) -> Call:
        return self.submission.calls[self.row]

    def joins(self, other: Entry) -> bool:
        """May one canary stand for both verdicts? Who waits for one submission does not wait for the rows of another."""
        same = self.submission is other.submission and self.call.method == other.call.method == "verify"
        return same and not self.alone and not other.alone and self.single == other.single


def _weight(entry: Entry) -> int:
    return sum(len(part) for part in entry.call.arguments if isinstance(part, str))


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

    def add_first(self, entries: Sequence[Entry]) -> None:
        """Before all others of their one task."""
        if entries:
            task = entries[0].call.task
            self._by_task.setdefault(task, collections.deque()).extendleft(reversed(entries))
            self._by_task.move_to_end(task, last=False)

    def take(self, task: str, share: int) -> collections.deque[Entry]:
        """The next entries of a task that has some: calls of `verify` that one worker makes one after another, the `share`th
        part of what waits, or else one call."""
        queue = self._by_task[task]
        found, size = collections.deque([queue.popleft()]), len(queue)
        room = min(BATCH, -(-(size + 1) // share))
        weight = _weight(found[0])
        while queue and len(found) < room and found[0].joins(queue[0]) and weight <= _BATCH_BYTES:
            found.append(queue.popleft())
            weight += _weight(found[-1])
        if not queue:
            del self._by_task[task]
        return found

    def forget(self, submission: Submission) -> None:
        """Its caller waits no longer."""
        for task, queue in list(self._by_task.items()):
            left = collections.deque(entry for entry in queue if entry.submission is not submission)
            if left:
                self._by_task[task] = left
            else:
                del self._by_task[task]
