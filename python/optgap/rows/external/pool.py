"""Worker processes that a hanging, crashing or leaking environment cannot outlive its row in."""

from __future__ import annotations

import collections
import logging
import os
import select
import threading
import time
from collections.abc import Sequence
from typing import Any

from ...core.errors import misuse
from . import batches, canary
from .calls import Call, Code, Description, Entry, Outcome, Submission, Waiting, pair
from .confinement import isolation_level
from .process import Broken, Worker
from .settings import Settings
from .turn import Turn

logger = logging.getLogger("optgap")

START_SECONDS = 120.0
"""For a worker to begin and import an environment, which may import a great deal."""

PATIENCE = 16
"""Calls of one task that may end in a killed worker, one after another, before further ones end so without being tried."""
REST_SECONDS = 10.0
"""For so long; then one is tried again."""

_GLANCE = 0.1
"""Seconds between looks at whether a silent worker still lives."""

_CHANGED = "it changed its verifier, which accepts a wrong answer after it"


class Pool:
    """Workers of one process, each of one task. `run` may be called from any thread: of the threads that wait, one at a time
    leads and tends all workers, and calls of all share them."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.described: dict[str, Description] = {}
        """What each task that was loaded said of itself."""
        self.killed: collections.Counter[tuple[str, str]] = collections.Counter()
        """Rows by task and code for which there was no verdict."""
        self.unguarded: set[str] = set()
        """Tasks whose canaries say nothing, since a fresh verifier accepts them or fails to judge them."""
        self._owner = os.getpid()
        self._changed = threading.Condition()
        self._led = self._closed = False
        self._waiting = Waiting()
        self._turns: dict[Worker, Turn] = {}
        self._idle: list[Worker] = []
        """In the order in which they were last used."""
        self._failures: dict[str, tuple[int, Code, float]] = {}
        """Per task: workers killed since its last call that went well, why, and when the last."""
        self._bell = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        """Isolation level for the leader when calls arrive."""

    def run(self, calls: Sequence[Call]) -> list[Outcome]:
        """One outcome per call, in their order. Raises Error only for a name that is no task, or for code that is neither
        trusted nor held by an isolation level."""
        for name in {call.task for call in calls}:
            self.settings.source(name)
        isolation_level(self.settings)
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
        """Gives a worker something to do; False when nothing waits or all workers are at work."""
        with self._changed:
            if not self._waiting or len(self._turns) >= self.settings.workers:
                return False
            task = self._waiting.pick({turn.task for turn in self._turns.values()})
            entries = self._waiting.take(task, self.settings.workers)
        failures, code, when = self._failures.get(task, (0, Code.OK, 0.0))
        if failures >= PATIENCE and time.monotonic() < when + REST_SECONDS:
            message = f"not tried: {failures} calls of {task}, one after another, ended in a killed worker"
            for entry in entries:
                if not entry.again:
                    self._note(entry, Outcome(code, None, message, 0.0))
            entries = collections.deque(entry for entry in entries if entry.again)
        if entries:
            try:
                worker = self._take_idle(task) or self._started()
            except OSError as why:  # no processes or no memory left
                for entry in entries:
                    self._note(entry, Outcome(Code.CRASH, None, f"no worker could be started: {why}", 0.0))
            else:
                self._give(worker, Turn(entries, loading=worker.task is None and entries[0].call.method != "names"))
        return True

    def _give(self, worker: Worker, turn: Turn) -> None:
        self._turns[worker], worker.task = turn, turn.task
        if turn.call.method == "names":
            worker.ask("names", [self.settings.source(turn.task)[0]], START_SECONDS)
            worker.write()
        elif turn.loading:
            worker.ask("load", [*self.settings.source(turn.task)], START_SECONDS)
            worker.write()
        else:
            self._ask(worker, turn)

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

    def _ask(self, worker: Worker, turn: Turn) -> None:
        """Makes the turn's calls, of an environment that is loaded."""
        if self._ends(turn.task, turn.call) and len(turn.entries) > 1:
            with self._changed:
                self._waiting.add_first(list(turn.entries)[1:])
            turn.entries = collections.deque([turn.entries[0]])
        turn.is_batch = len(turn.entries) > 1 and not turn.entries[0].single and not self._is_alone(turn.entries[0])
        if turn.is_batch:
            seconds = self.settings.verify_seconds + batches.PAUSE_SECONDS
            text = None if turn.task in self.unguarded else canary.text()
            worker.ask("verify_batch", batches.arguments(turn.entries, self.settings.memory_mib << 19, text), seconds)
            worker.write()
            return
        for entry in turn.entries:
            call = entry.call
            guarded = call.method == "verify" and self._is_alone(entry) and call.task not in self.unguarded
            worker.ask(
                call.method, [*call.arguments, canary.text()] if guarded else [*call.arguments], self._seconds(call)
            )
        worker.write()

    def _seconds(self, call: Call) -> float:
        makes = call.method in ("generate", "original")
        return self.settings.generate_seconds if makes else self.settings.verify_seconds

    def _ends(self, task: str, call: Call) -> bool:
        """Does a worker end with this call? It runs an answer as code, and no isolation level lets it fork."""
        return call.method == "verify" and self._runs_answers(task) and not self.settings.trusted

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
                self._broke(worker, f"its process {broken}")

    def _look(self, worker: Worker, events: int, now: float) -> None:
        """Deals with one worker. Raises Broken."""
        if events & select.POLLOUT:
            worker.write()
        # Perhaps since the poll: what it said, and how it ended, is still to be read.
        gone = not events and worker.is_dead()
        if gone or events & ~select.POLLOUT:
            for reply in worker.read():
                self._take(worker, reply)
                if worker not in self._turns:
                    return
        if gone:
            raise Broken("ended and left a child of its own behind")
        if now >= worker.deadline:
            turn = self._turns[worker]
            if turn.is_batch:
                self._part(worker)
                return
            what = "could not be loaded" if turn.loading else f"{turn.call.method} gave no result"
            self._kill(worker, Code.TIMEOUT, f"{what} within {worker.deadline - turn.began:.3g} s")

    def _take(self, worker: Worker, reply: dict[str, Any]) -> None:
        """A reply of a worker, whatever it is about."""
        turn = self._turns[worker]
        if turn.loading and "failed" not in reply:
            self.described[turn.task] = Description.read(reply.get("value"))
            if turn.call.method != "load":
                turn.loading, turn.began = False, time.monotonic()
                self._ask(worker, turn)
                return
        half = self.settings.memory_mib << 19
        worker.spent |= worker.held(reply.get("peak")) > half or worker.written > half
        if turn.is_batch:
            self._take_batch(worker, turn, reply)
            return
        if turn.is_canary:
            self._settle(worker, canary.accepted(pair(reply.get("value"))))
            return
        outcome = self._outcome(worker, turn, reply)
        half_loaded = turn.loading and outcome.code is not Code.OK
        filled = outcome.code is Code.MEMORY and not self._runs_answers(turn.task)
        if half_loaded or filled:
            self._kill(worker, outcome.code, outcome.message)  # what it holds stays in it
            return
        self._go_on(worker, turn, outcome)

    def _take_batch(self, worker: Worker, turn: Turn, reply: dict[str, Any]) -> None:
        """A reply to a batch: some verdicts, or the last ones and what a canary got behind them. Raises Broken."""
        for part in batches.parts(reply, len(turn.entries)):
            outcome = self._outcome(worker, turn, part)
            if outcome.code is Code.MEMORY:
                self._kill(worker, outcome.code, outcome.message)
                return
            worker.unproven.append((turn.entries.popleft(), outcome))
        if reply.get("more") is True:
            worker.deadline = time.monotonic() + self.settings.verify_seconds + batches.PAUSE_SECONDS
        elif not worker.is_quiet():
            self._lose(worker)
        elif canary.accepted(reply.get("canary")):
            self._settle(worker, True)
        elif turn.entries:  # it holds too much memory for more
            self._stand(worker)
            self._lose(worker, alone=False)
        else:
            self._free(worker)

    def _part(self, worker: Worker) -> None:
        """A batch gave no result. Each of its rows that has none is judged anew, by a request of its own."""
        turn = self._turns[worker]
        turn.entries = collections.deque(entry._replace(single=True) for entry in turn.entries)
        worker.unproven = [(entry._replace(single=True), outcome) for entry, outcome in worker.unproven]
        self._lose(worker, alone=False)

    def _outcome(self, worker: Worker, turn: Turn, reply: dict[str, Any]) -> Outcome:
        """Of the call under way."""
        entry, seconds = turn.entries[0], reply.get("seconds")
        seconds = seconds if isinstance(seconds, float) else time.monotonic() - turn.began
        if "failed" in reply:
            worker.spent |= entry.alone  # no canary was judged after it
            code = {"memory": Code.MEMORY, "crash": Code.CRASH}.get(reply["failed"], Code.ERROR)
            return Outcome(code, None, str(reply.get("message"))[:400], seconds)
        self._failures.pop(turn.task, None)
        value = reply.get("value")
        if entry.call.method != "verify":
            return Outcome(Code.OK, value, "", seconds)
        before, after = value[2:4] if isinstance(value, list) and len(value) == 4 else (None, None)
        if canary.accepted(before):
            self._unguard(turn.task, "it accepts a text that can be no answer")
        elif canary.accepted(after):
            worker.spent = True
            return Outcome(Code.ERROR, None, _CHANGED, seconds)
        return Outcome(Code.OK, pair(value), "", seconds)

    def _go_on(self, worker: Worker, turn: Turn, outcome: Outcome) -> None:
        """The call under way has an outcome, which is told, or which waits for a canary."""
        entry = turn.entries.popleft()
        worker.spent |= self._ends(turn.task, entry.call)
        if entry.call.method != "verify" or turn.task in self.unguarded or self._is_alone(entry):
            self._note(entry, outcome)
        else:
            worker.unproven.append((entry, outcome))
        if turn.entries and not worker.spent:
            turn.call, turn.began = turn.entries[0].call, time.monotonic()
            worker.deadline = turn.began + self._seconds(turn.call)
        elif turn.entries or not worker.is_quiet():
            self._lose(worker)
        elif worker.unproven:
            turn.is_canary, turn.began = True, time.monotonic()
            worker.ask("verify", [turn.call.arguments[0], canary.text()], self.settings.verify_seconds)
            worker.write()
        else:
            self._free(worker)

    def _settle(self, worker: Worker, accepted: bool) -> None:
        """The canary behind a batch is judged: its verdicts stand, or each is found anew, alone."""
        if accepted:
            task, count = self._turns[worker].task, len(worker.unproven)
            logger.warning("%s: a canary was accepted after %d answers, which are judged anew one by one", task, count)
            self._lose(worker)
        else:
            self._free(worker)

    def _unguard(self, task: str, why: str) -> None:
        if task not in self.unguarded:
            logger.warning("%s: no canary watches its verifier: %s", task, why)
        self.unguarded.add(task)

    def _free(self, worker: Worker) -> None:
        """Its turn is over, and its verdicts stand."""
        del self._turns[worker]
        self._stand(worker)
        worker.stop() if worker.spent else self._idle.append(worker)

    def _stand(self, worker: Worker) -> None:
        """The verdicts of its batch are final."""
        for entry, outcome in worker.unproven:
            self._note(entry, outcome)
        worker.unproven = []

    def _lose(self, worker: Worker, alone: bool = True) -> None:
        """Ends it. What it did not get to is done by another, and so are the verdicts that no canary stands for."""
        turn = self._turns.pop(worker)
        worker.stop()
        with self._changed:
            self._waiting.add_first(list(turn.entries))
            self._waiting.add(entry._replace(alone=alone, again=True) for entry, _ in worker.unproven)

    def _broke(self, worker: Worker, message: str) -> None:
        """It ended, or wrote what is no reply. Behind other answers that may be what one of them left: it is asked once more."""
        turn = self._turns[worker]
        if turn.is_batch:
            self._part(worker)
        elif turn.is_canary or not worker.unproven:
            self._kill(worker, Code.CRASH, message)
        else:
            turn.entries[0] = turn.entries[0]._replace(alone=True)
            self._lose(worker)

    def _kill(self, worker: Worker, code: Code, message: str) -> None:
        """The call under way is at fault."""
        turn = self._turns[worker]
        if turn.is_canary:
            self._unguard(turn.task, f"judging one, {message}")
            worker.spent = True
            self._free(worker)
            return
        before = self._failures.get(turn.task, (0, code, 0.0))[0]
        self._failures[turn.task] = (before + 1, code, time.monotonic())
        self._note(turn.entries.popleft(), Outcome(code, None, message, time.monotonic() - turn.began))
        self._lose(worker, alone=False)

    def _note(self, entry: Entry, outcome: Outcome) -> None:
        entry.submission.outcomes[entry.row] = outcome
        entry.submission.left -= 1
        if outcome.code is not Code.OK:
            self.killed[entry.call.task, outcome.code.label] += 1
