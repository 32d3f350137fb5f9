"""Worker processes that a hanging, crashing or leaking environment cannot outlive its row in."""

from __future__ import annotations

import atexit
import collections
import enum
import os
import select
import threading
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from .process import Broken, Worker
from .settings import Settings, from_environment, to_environment

START_SECONDS = 120.0
"""For a worker to begin and import an environment, which may import a great deal."""

PATIENCE = 16
"""Calls of one task that may end in a killed worker, one after another, before a batch gives up on the task."""

_GLANCE = 0.1
"""Seconds between looks at whether a silent worker still lives."""


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
    """generate, verify or gold."""
    arguments: tuple[Any, ...]


class Outcome(NamedTuple):
    """What came of it."""

    code: Code
    """OK, TIMEOUT, MEMORY, CRASH or ERROR."""
    value: Any
    message: str
    """What went wrong, in a sentence."""
    seconds: float


class _Turn:
    """A worker's present call."""

    def __init__(self, row: int, call: Call, loading: bool) -> None:
        self.row, self.call, self.loading, self.began = row, call, loading, time.monotonic()


class Pool:
    """Workers of one process. `run` may be called from any thread; one batch runs at a time."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.described: dict[str, dict[str, str]] = {}
        """What each task said of itself when it was loaded: version, form."""
        self.killed: collections.Counter[tuple[str, str]] = collections.Counter()
        """Rows by task and code that a worker was killed for, or that raised."""
        self._idle: list[Worker] = []
        self._lock = threading.Lock()
        self._owner = os.getpid()

    def run(self, calls: Sequence[Call]) -> list[Outcome]:
        """One outcome per call, in their order. Raises Error only for a name that is no task, or for code that is neither
        trusted nor can be confined."""
        for name in {call.task for call in calls}:
            self.settings.source(name)
        with self._lock:
            batch = _Batch(self, calls)
            try:
                return batch.run()
            finally:
                batch.close()

    def describe(self, task: str) -> dict[str, str]:
        """Version and answer form of a task. Raises Error where it cannot be loaded."""
        if task not in self.described:
            (outcome,) = self.run([Call(task, "load", ())])
            if outcome.code is not Code.OK:
                from ..errors import misuse

                raise misuse("task", f"{task} cannot be used: {outcome.message}")
        return self.described[task]

    def close(self) -> None:
        """Ends all workers."""
        with self._lock:
            while self._idle:
                worker = self._idle.pop()
                worker.stop() if os.getpid() == self._owner else worker.abandon()

    def _take_idle(self) -> Worker | None:
        """One that did nothing since its last reply: a row does not pay for what another left behind."""
        while self._idle:
            worker = self._idle.pop()
            if worker.is_quiet():
                return worker
            worker.stop()
        return None

    def _seconds(self, call: Call) -> float:
        return self.settings.generate_seconds if call.method == "generate" else self.settings.verify_seconds


class _Batch:
    """One run: calls that wait, workers at work, outcomes so far."""

    def __init__(self, pool: Pool, calls: Sequence[Call]) -> None:
        self._pool = pool
        self._waiting = collections.deque(enumerate(calls))
        self._turns: dict[Worker, _Turn] = {}
        self._outcomes: list[Outcome | None] = [None] * len(calls)
        self._failures: collections.Counter[str] = collections.Counter()
        """Killed workers per task since its last call that went well."""
        self._last: dict[str, Code] = {}
        """Why a task's last worker was killed."""

    def run(self) -> list[Outcome]:
        while self._waiting or self._turns:
            self._begin()
            self._watch()
        return [outcome for outcome in self._outcomes if outcome is not None]

    def close(self) -> None:
        """Where `run` was left by an exception, nobody waits for the replies any more."""
        for worker in self._turns:
            worker.stop()

    def _begin(self) -> None:
        while self._waiting and len(self._turns) < self._pool.settings.workers:
            row, call = self._waiting.popleft()
            if self._failures[call.task] >= PATIENCE:
                message = f"not tried: {PATIENCE} calls of {call.task}, one after another, ended in a killed worker"
                self._note(row, call, Outcome(self._last[call.task], None, message, 0.0))
                continue
            settings = self._pool.settings
            worker = self._pool._take_idle() or Worker(settings.trusted, settings.memory_mib)
            loading = call.task not in worker.loaded
            self._turns[worker] = _Turn(row, call, loading)
            if loading:
                worker.ask("load", [call.task, *settings.source(call.task)], START_SECONDS)
            else:
                self._ask(worker, call)

    def _ask(self, worker: Worker, call: Call) -> None:
        worker.ask(call.method, [call.task, *call.arguments], self._pool._seconds(call))

    def _watch(self) -> None:
        """Waits for a reply, the nearest deadline, or the time for a glance."""
        if not self._turns:
            return
        now = time.monotonic()
        wait = min(_GLANCE, max(0.0, min(worker.deadline for worker in self._turns) - now))
        poller = select.poll()
        of = {}
        for worker in self._turns:
            of[worker.fileno()] = worker
            poller.register(worker, select.POLLIN | (select.POLLOUT if worker.unsent else 0))
        ready = dict(poller.poll(wait * 1000))
        now = time.monotonic()
        for descriptor, worker in of.items():
            try:
                events = ready.get(descriptor, 0)
                if events & select.POLLOUT:
                    worker.write()
                reply = worker.read() if events & ~select.POLLOUT else None
                if reply is not None:
                    self._take(worker, reply)
                elif now >= worker.deadline:
                    turn = self._turns[worker]
                    what = "could not be loaded" if turn.loading else f"{turn.call.method} gave no result"
                    self._kill(worker, Code.TIMEOUT, f"{what} within {worker.deadline - turn.began:.3g} s")
                elif not events and worker.is_dead():
                    worker.read()
                    raise Broken("ended and left a child of its own behind")
            except Broken as broken:
                self._kill(worker, Code.CRASH, f"its process {broken}")

    def _take(self, worker: Worker, reply: dict[str, Any]) -> None:
        turn = self._turns[worker]
        if "failed" in reply:
            code = Code.MEMORY if reply["failed"] == "memory" else Code.ERROR
            message = str(reply.get("message"))[:400]
            if code is Code.MEMORY or turn.loading:
                self._kill(worker, code, message)  # what filled it stays in it; a half-loaded module, too
            else:
                self._end(worker, Outcome(code, None, message, time.monotonic() - turn.began))
            return
        if turn.loading:
            value = reply.get("value")
            said = value if isinstance(value, dict) else {}
            worker.loaded.add(turn.call.task)
            self._pool.described[turn.call.task] = {name: str(said.get(name))[:200] for name in ("version", "form")}
            if turn.call.method != "load":
                turn.loading, turn.began = False, time.monotonic()
                self._ask(worker, turn.call)
                return
        self._failures[turn.call.task] = 0
        outcome = Outcome(Code.OK, reply.get("value"), "", time.monotonic() - turn.began)
        resident = reply.get("resident")
        grown = isinstance(resident, int) and resident > self._pool.settings.memory_mib << 19
        self._end(worker, outcome, retire=grown)

    def _end(self, worker: Worker, outcome: Outcome, retire: bool = False) -> None:
        """`retire`: it holds half of what it may, and the next row, perhaps another's, should not pay for that."""
        turn = self._turns.pop(worker)
        worker.stop() if retire else self._pool._idle.append(worker)
        self._note(turn.row, turn.call, outcome)

    def _kill(self, worker: Worker, code: Code, message: str) -> None:
        turn = self._turns.pop(worker)
        worker.stop()
        self._failures[turn.call.task] += 1
        self._last[turn.call.task] = code
        self._note(turn.row, turn.call, Outcome(code, None, message, time.monotonic() - turn.began))

    def _note(self, row: int, call: Call, outcome: Outcome) -> None:
        self._outcomes[row] = outcome
        if outcome.code is not Code.OK:
            self._pool.killed[call.task, outcome.code.label] += 1


_lock = threading.Lock()
_pool: Pool | None = None


def pool() -> Pool:
    """This process's, with what `configure` or the environment said."""
    global _pool
    with _lock:
        if _pool is None:
            _pool = Pool(from_environment())
        return _pool


def configure(**settings: Any) -> None:
    """Sets which environments this process and those that it starts know, and how their workers are kept.

    Args:
        tasks: Name to import path: {"mine/toy": "my_module:Toy"}.
        trusted: Run them as this user, with network and files. Else bubblewrap confines them.
        workers: Worker processes, default 2.
        generate_seconds, verify_seconds: Deadlines of a call, default 10 and 2.
        memory_mib: Address space of a worker, default 4096.
    """
    from .settings import checked

    global _pool
    given = checked(settings, "configure")
    with _lock:
        before, _pool = _pool, Pool(given)
    to_environment(given)
    if before is not None:
        before.close()


def _close() -> None:
    if _pool is not None:
        _pool.close()


def _renew() -> None:
    """A fork has no business with its parent's workers, nor with a lock that somebody held."""
    global _pool, _lock
    _lock = threading.Lock()
    if _pool is not None:
        for worker in _pool._idle:
            worker.abandon()
        _pool = Pool(_pool.settings)


atexit.register(_close)
os.register_at_fork(after_in_child=_renew)
