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

from ..errors import misuse
from ..rows.code_table import codes
from .confinement import rung
from .process import Broken, Worker
from .settings import Settings, checked, from_environment, to_environment

START_SECONDS = 120.0
"""For a worker to begin and import an environment, which may import a great deal."""

PATIENCE = 16
"""Calls of one task that may end in a killed worker, one after another, before further ones end so without being tried."""
REST_SECONDS = 10.0
"""For so long; then one is tried again."""

_GLANCE = 0.1
"""Seconds between looks at whether a silent worker still lives."""


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


class _Submission:
    """The calls of one `run`, and the outcomes so far."""

    def __init__(self, calls: Sequence[Call]) -> None:
        self.calls = calls
        self.outcomes: list[Outcome | None] = [None] * len(calls)
        self.left = len(calls)


class _Turn:
    """A worker's present call: `row` of `of`."""

    def __init__(self, of: _Submission, row: int, loading: bool) -> None:
        self.of, self.row, self.loading = of, row, loading
        self.call = of.calls[row]
        self.began = time.monotonic()


class Pool:
    """Workers of one process. `run` may be called from any thread: of the threads that wait, one at a time leads and tends
    all workers, and calls of all share them."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.described: dict[str, dict[str, str]] = {}
        """What each task said of itself when it was loaded: version, form."""
        self.killed: collections.Counter[tuple[str, str]] = collections.Counter()
        """Rows by task and code for which there was no verdict."""
        self._owner = os.getpid()
        self._changed = threading.Condition()
        self._led = self._closed = False
        self._waiting: collections.deque[tuple[_Submission, int]] = collections.deque()
        self._turns: dict[Worker, _Turn] = {}
        self._idle: list[Worker] = []
        self._failures: dict[str, tuple[int, Code, float]] = {}
        """Per task: workers killed since its last call that went well, why, and when the last."""
        self._bell = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        """Rung for the leader when calls arrive."""

    def run(self, calls: Sequence[Call]) -> list[Outcome]:
        """One outcome per call, in their order. Raises Error only for a name that is no task, or for code that is neither
        trusted nor held by a rung of the sandbox."""
        for name in {call.task for call in calls}:
            self.settings.source(name)
        rung(self.settings)
        mine = _Submission(calls)
        with self._changed:
            self._waiting.extend((mine, row) for row in range(len(calls)))
        os.eventfd_write(self._bell, 1)
        try:
            while mine.left and not self._closed:
                with self._changed:
                    if self._led:
                        self._changed.wait()
                        continue
                    self._led = True
                try:
                    self._tend()
                finally:
                    with self._changed:
                        self._led = False
                        self._changed.notify_all()
        except BaseException:
            self._forget(mine)
            raise
        return [outcome or Outcome(Code.CRASH, None, "the pool was closed", 0.0) for outcome in mine.outcomes]

    def describe(self, task: str) -> dict[str, str]:
        """Version and answer form of a task. Raises Error where it cannot be loaded."""
        if task not in self.described:
            (outcome,) = self.run([Call(task, "load", ())])
            if outcome.code is not Code.OK:
                raise misuse("task", f"{task} cannot be used: {outcome.message}")
        return self.described[task]

    def close(self) -> None:
        """Ends all workers, for good. Calls under way come to nothing."""
        self._closed = True
        mine = os.getpid() == self._owner
        with self._changed:
            while self._led and mine:
                self._changed.wait()
            for worker in [*self._idle, *self._turns]:
                worker.stop() if mine else worker.abandon()
            self._idle.clear()
            self._turns.clear()

    def __del__(self) -> None:
        os.close(self._bell)

    def _forget(self, mine: _Submission) -> None:
        """Nobody waits for it any more."""
        with self._changed:
            self._waiting = collections.deque(entry for entry in self._waiting if entry[0] is not mine)

    def _tend(self) -> None:
        """What the leader does: begins calls, waits for something to happen, deals with it."""
        while self._begin():
            pass
        if self._turns:
            self._watch()

    def _begin(self) -> bool:
        """Gives one call to a worker; False when none waits or all workers have one."""
        with self._changed:
            if not self._waiting or len(self._turns) >= self.settings.workers:
                return False
            of, row = self._waiting.popleft()
        call = of.calls[row]
        failures, code, when = self._failures.get(call.task, (0, Code.OK, 0.0))
        if failures >= PATIENCE and time.monotonic() < when + REST_SECONDS:
            message = f"not tried: {failures} calls of {call.task}, one after another, ended in a killed worker"
            self._note(of, row, Outcome(code, None, message, 0.0))
            return True
        try:
            worker = self._take_idle() or Worker(self.settings)
        except OSError as why:  # no processes or no memory left
            self._note(of, row, Outcome(Code.CRASH, None, f"no worker could be started: {why}", 0.0))
            return True
        loading = call.task not in worker.loaded
        self._turns[worker] = _Turn(of, row, loading)
        if loading:
            worker.ask("load", [call.task, *self.settings.source(call.task)], START_SECONDS)
        else:
            self._ask(worker, call)
        return True

    def _take_idle(self) -> Worker | None:
        """One that did nothing since its last reply: a row does not pay for what another left behind."""
        while self._idle:
            worker = self._idle.pop()
            if worker.is_quiet():
                return worker
            worker.stop()
        return None

    def _ask(self, worker: Worker, call: Call) -> None:
        seconds = self.settings.generate_seconds if call.method == "generate" else self.settings.verify_seconds
        worker.ask(call.method, [call.task, *call.arguments], seconds)

    def _watch(self) -> None:
        """Waits for a reply, the nearest deadline, new calls, or the time for a glance."""
        nearest = min(worker.deadline for worker in self._turns) - time.monotonic()
        poller = select.poll()
        poller.register(self._bell, select.POLLIN)
        of = {worker.fileno(): worker for worker in self._turns}
        for worker in self._turns:
            poller.register(worker, select.POLLIN | (select.POLLOUT if worker.unsent else 0))
        ready = dict(poller.poll(max(0.0, min(_GLANCE, nearest)) * 1000))
        if self._bell in ready:
            os.eventfd_read(self._bell)
        now = time.monotonic()
        for descriptor, worker in of.items():
            try:
                self._look(worker, ready.get(descriptor, 0), now)
            except Broken as broken:
                self._kill(worker, Code.CRASH, f"its process {broken}")

    def _look(self, worker: Worker, events: int, now: float) -> None:
        """Deals with one worker. Raises Broken."""
        if events & select.POLLOUT:
            worker.write()
        gone = (
            not events and worker.is_dead()
        )  # perhaps since the poll: what it said, and how it ended, is still to be read
        reply = worker.read() if gone or events & ~select.POLLOUT else None
        if reply is not None:
            self._take(worker, reply)
        elif gone:
            raise Broken("ended and left a child of its own behind")
        elif now >= worker.deadline:
            turn = self._turns[worker]
            what = "could not be loaded" if turn.loading else f"{turn.call.method} gave no result"
            self._kill(worker, Code.TIMEOUT, f"{what} within {worker.deadline - turn.began:.3g} s")

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
            self.described[turn.call.task] = {name: str(said.get(name))[:200] for name in ("version", "form")}
            if turn.call.method != "load":
                turn.loading, turn.began = False, time.monotonic()
                self._ask(worker, turn.call)
                return
        self._failures.pop(turn.call.task, None)
        outcome = Outcome(Code.OK, reply.get("value"), "", time.monotonic() - turn.began)
        half = self.settings.memory_mib << 19
        grown = worker.held(reply.get("peak")) > half or worker.written > half
        self._end(worker, outcome, retire=grown)

    def _end(self, worker: Worker, outcome: Outcome, retire: bool = False) -> None:
        """`retire`: it holds, or has written, half of what it may hold; the next row, perhaps another's, should not pay for
        that."""
        turn = self._turns.pop(worker)
        worker.stop() if retire else self._idle.append(worker)
        self._note(turn.of, turn.row, outcome)

    def _kill(self, worker: Worker, code: Code, message: str) -> None:
        turn = self._turns.pop(worker)
        worker.stop()
        before = self._failures.get(turn.call.task, (0, code, 0.0))[0]
        self._failures[turn.call.task] = (before + 1, code, time.monotonic())
        self._note(turn.of, turn.row, Outcome(code, None, message, time.monotonic() - turn.began))

    def _note(self, of: _Submission, row: int, outcome: Outcome) -> None:
        of.outcomes[row] = outcome
        of.left -= 1
        if outcome.code is not Code.OK:
            self.killed[of.calls[row].task, outcome.code.label] += 1


_lock = threading.Lock()
_pool: Pool | None = None


def workers() -> Pool:
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
        trusted: Run them as this user, with network and files. Else a rung of the sandbox holds them.
        isolation: That rung, "namespaces" or "jail"; "auto", the default, is the first that passes its self-test.
        reads: Absolute paths that confined ones read beside Python, its path and shared libraries.
        workers: Worker processes, default 2.
        generate_seconds, verify_seconds: Deadlines of a call, default 10 and 2.
        memory_mib: Address space of a worker, default 4096.
    """
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
        for worker in [*_pool._idle, *_pool._turns]:
            worker.abandon()
        _pool = Pool(_pool.settings)


atexit.register(_close)
os.register_at_fork(after_in_child=_renew)
