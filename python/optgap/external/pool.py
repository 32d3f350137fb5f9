"""Worker processes that a hanging, crashing or leaking environment cannot outlive its row in."""

from __future__ import annotations

import collections
import logging
import os
import select
import threading
import time
from collections.abc import Iterable, Sequence
from typing import Any

from ..errors import misuse
from . import canary
from .calls import Call, Code, Description, Entry, Outcome, Submission, Waiting
from .confinement import rung
from .process import Broken, Worker
from .settings import Settings

logger = logging.getLogger("optgap")

START_SECONDS = 120.0
"""For a worker to begin and import an environment, which may import a great deal."""

PATIENCE = 16
"""Calls of one task that may end in a killed worker, one after another, before further ones end so without being tried."""
REST_SECONDS = 10.0
"""For so long; then one is tried again."""

BATCH = 64
"""Verdicts of a worker that one canary stands for, at most."""

_GLANCE = 0.1
"""Seconds between looks at whether a silent worker still lives."""

_CHANGED = "it changed its verifier, which accepts a wrong answer after it"


class _Turn:
    """What a worker does at present: it loads its environment, then makes a call, then perhaps judges a canary."""

    def __init__(self, entry: Entry, loading: bool) -> None:
        self.entry, self.loading = entry, loading
        self.is_canary = False
        self.began = time.monotonic()

    @property
    def call(self) -> Call:
        return self.entry.call


class Pool:
    """Workers of one process, each of one task. `run` may be called from any thread: of the threads that wait, one at a time
    leads and tends all workers, and calls of all share them."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.described: dict[str, Description] = {}
        """What each task that was loaded said of itself."""
        self.killed: collections.Counter[tuple[str, str]] = collections.Counter()
        """Rows by task and code for which there was no verdict."""
        self._owner = os.getpid()
        self._changed = threading.Condition()
        self._led = self._closed = False
        self._waiting = Waiting()
        self._turns: dict[Worker, _Turn] = {}
        self._idle: list[Worker] = []
        """In the order in which they were last used."""
        self._unguarded: set[str] = set()
        """Tasks whose canaries say nothing."""
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
        mine = Submission(calls)
        with self._changed:
            self._waiting.add(Entry(mine, row) for row in range(len(calls)))
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
            with self._changed:
                self._waiting.forget(mine)
            raise
        return [outcome or Outcome(Code.CRASH, None, "the pool was closed", 0.0) for outcome in mine.outcomes]

    def describe(self, task: str) -> Description:
        """What a task says of itself. Raises Error where it cannot be loaded."""
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
            entry = self._waiting.take(self._waiting.pick({turn.call.task for turn in self._turns.values()}))
        task = entry.call.task
        failures, code, when = self._failures.get(task, (0, Code.OK, 0.0))
        if failures >= PATIENCE and not entry.again and time.monotonic() < when + REST_SECONDS:
            message = f"not tried: {failures} calls of {task}, one after another, ended in a killed worker"
            self._note(entry, Outcome(code, None, message, 0.0))
            return True
        try:
            worker = self._take_idle(task) or self._started()
        except OSError as why:  # no processes or no memory left
            self._note(entry, Outcome(Code.CRASH, None, f"no worker could be started: {why}", 0.0))
            return True
        loading = worker.task is None and entry.call.method != "names"
        self._turns[worker], worker.task = _Turn(entry, loading), task
        if entry.call.method == "names":
            worker.ask("names", [self.settings.source(task)[0]], START_SECONDS)
        elif loading:
            worker.ask("load", [*self.settings.source(task)], START_SECONDS)
        else:
            self._ask(worker, entry)
        return True

    def _take_idle(self, task: str) -> Worker | None:
        """One of this task that did nothing since its last reply: a row does not pay for what another left behind."""
        for worker in [worker for worker in reversed(self._idle) if worker.task == task]:
            self._idle.remove(worker)
            if worker.is_quiet():
                return worker
            worker.stop()
        return None

    def _started(self) -> Worker:
        """A new one, in place of the idle one that was not used for longest where there are too many. Raises OSError."""
        while self._idle and len(self._idle) >= self.settings.kept:
            self._idle.pop(0).stop()
        return Worker(self.settings)

    def _ask(self, worker: Worker, entry: Entry) -> None:
        call = entry.call
        guarded = call.method == "verify" and self._is_alone(entry) and call.task not in self._unguarded
        arguments = [*call.arguments, canary.text()] if guarded else [*call.arguments]
        seconds = self.settings.generate_seconds if call.method == "generate" else self.settings.verify_seconds
        worker.ask(call.method, arguments, seconds)

    def _is_alone(self, entry: Entry) -> bool:
        return entry.alone or self._runs_answers(entry.call.task)

    def _runs_answers(self, task: str) -> bool:
        known = self.described.get(task)
        return known is not None and known.runs_answers

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
        """A reply of a worker, whatever it is about."""
        turn = self._turns[worker]
        if turn.loading and "failed" not in reply:
            self._loaded(turn.call.task, reply.get("value"))
            if turn.call.method != "load":
                turn.loading, turn.began = False, time.monotonic()
                self._ask(worker, turn.entry)
                return
        half = self.settings.memory_mib << 19
        worker.spent |= worker.held(reply.get("peak")) > half or worker.written > half
        if turn.is_canary:
            self._settle(worker, canary.accepted(_pair(reply.get("value"))))
        elif "failed" in reply:
            self._failed(worker, turn, reply)
        else:
            self._failures.pop(turn.call.task, None)
            self._went_well(worker, turn, reply.get("value"))

    def _loaded(self, task: str, value: Any) -> None:
        said = value if isinstance(value, dict) else {}
        version, form = (str(said.get(name))[:200] for name in ("version", "form"))
        runs_answers, accepts_empty = said.get("runs_answers") is not False, said.get("accepts_empty") is True
        self.described[task] = Description(version, form, runs_answers, accepts_empty)

    def _failed(self, worker: Worker, turn: _Turn, reply: dict[str, Any]) -> None:
        code = {"memory": Code.MEMORY, "crash": Code.CRASH}.get(reply["failed"], Code.ERROR)
        message = str(reply.get("message"))[:400]
        if turn.loading or (code is Code.MEMORY and not self._runs_answers(turn.call.task)):
            self._kill(worker, code, message)  # what filled it stays in it; a half-loaded module, too
            return
        worker.spent |= turn.entry.alone  # no canary was judged after it
        self._judged(worker, turn, Outcome(code, None, message, time.monotonic() - turn.began))

    def _went_well(self, worker: Worker, turn: _Turn, value: Any) -> None:
        outcome = Outcome(Code.OK, value, "", time.monotonic() - turn.began)
        if turn.call.method != "verify":
            self._free(worker, [(turn.entry, outcome)])
            return
        outcome = outcome._replace(value=_pair(value))
        before, after = value[2:4] if isinstance(value, list) and len(value) == 4 else (None, None)
        if canary.accepted(before):
            self._unguard(turn.call.task, "a fresh process accepts it")
        elif canary.accepted(after):
            outcome, worker.spent = Outcome(Code.ERROR, None, _CHANGED, outcome.seconds), True
        self._judged(worker, turn, outcome)

    def _judged(self, worker: Worker, turn: _Turn, outcome: Outcome) -> None:
        """A call of `verify` came to an end. Its verdict waits for a canary, unless it has had one."""
        task = turn.call.task
        if turn.call.method != "verify" or task in self._unguarded or self._is_alone(turn.entry):
            if turn.call.method == "verify" and self._runs_answers(task) and not self.settings.trusted:
                worker.spent = True  # no rung lets it fork: the whole worker serves one verdict
            self._free(worker, [(turn.entry, outcome)])
            return
        worker.unproven.append((turn.entry, outcome))
        if not worker.is_quiet():
            self._lose(worker)
            return
        with self._changed:
            first = self._waiting.first(task)
            # Who waits for one submission does not wait for the rows of another.
            same = first is not None and first.of is turn.entry.of and first.call.method == "verify" and not first.alone
            if same and not worker.spent and len(worker.unproven) < BATCH:
                turn = self._turns[worker] = _Turn(self._waiting.take(task), loading=False)
            else:
                turn.is_canary, turn.began = True, time.monotonic()
        if turn.is_canary:
            worker.ask("verify", [turn.call.arguments[0], canary.text()], self.settings.verify_seconds)
        else:
            self._ask(worker, turn.entry)

    def _settle(self, worker: Worker, accepted: bool) -> None:
        """The canary behind a batch is judged: its verdicts stand, or each is found anew, alone."""
        if not accepted:
            self._free(worker, worker.unproven)
            return
        task = self._turns.pop(worker).call.task
        entries = [entry for entry, _ in worker.unproven]
        worker.stop()
        logger.warning("%s: a canary was accepted after %d answers, which are judged anew one by one", task, len(entries))
        self._return(entry._replace(alone=True, again=True) for entry in entries)

    def _unguard(self, task: str, why: str) -> None:
        if task not in self._unguarded:
            logger.warning("%s: its verifier is not watched: %s, a text that can be no answer", task, why)
        self._unguarded.add(task)

    def _free(self, worker: Worker, done: Sequence[tuple[Entry, Outcome]]) -> None:
        """Its calls have come to their ends."""
        self._turns.pop(worker, None)
        for entry, outcome in done:
            self._note(entry, outcome)
        worker.unproven = []
        worker.stop() if worker.spent else self._idle.append(worker)

    def _kill(self, worker: Worker, code: Code, message: str) -> None:
        turn = self._turns.pop(worker)
        if turn.is_canary:
            self._unguard(turn.call.task, f"judging a canary, {message}")
            worker.spent = True
            self._free(worker, worker.unproven)
            return
        worker.stop()
        before = self._failures.get(turn.call.task, (0, code, 0.0))[0]
        self._failures[turn.call.task] = (before + 1, code, time.monotonic())
        self._note(turn.entry, Outcome(code, None, message, time.monotonic() - turn.began))
        self._return(entry._replace(again=True) for entry, _ in worker.unproven)

    def _lose(self, worker: Worker) -> None:
        """It wrote what nobody asked for: the verdicts that no canary stands for are found anew."""
        del self._turns[worker]
        worker.stop()
        self._return(entry._replace(alone=True, again=True) for entry, _ in worker.unproven)

    def _return(self, entries: Iterable[Entry]) -> None:
        with self._changed:
            self._waiting.add(entries)

    def _note(self, entry: Entry, outcome: Outcome) -> None:
        entry.of.outcomes[entry.row] = outcome
        entry.of.left -= 1
        if outcome.code is not Code.OK:
            self.killed[entry.call.task, outcome.code.label] += 1


def _pair(value: Any) -> Any:
    """Verdict and anchors of a reply of `verify`."""
    return value[:2] if isinstance(value, list) else value
