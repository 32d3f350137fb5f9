"""The program rows of this process's adapters: one sandbox, opened with the first of them, whose slots all calls share.

Batches: what is asked while calls run waits and becomes the next one, once fewer than CALLS run, so that there are few threads; the
runs of a call are interleaved over its programs. Samples that come one by one have tickets of a scheduler instead, and wait
for slots alone.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
import weakref
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from optgap.programs.settings import Settings, settings, snapshot_named

if TYPE_CHECKING:
    from optgap._native import ProgramProblem as Read
    from optgap.programs.ground_truths import ProgramProblem
    from optgap.programs.running import ProgramRunner, ProgramScores
    from optgap.programs.scheduling import ProgramScheduler

CALLS = 4
"""At once; each holds a thread that sleeps while its programs run."""


@dataclass(eq=False)
class Job:
    """Completions that are scored under one reward."""

    asked: Sequence[ProgramProblem]
    texts: Sequence[str | bytes]
    finish: Sequence[str] | None
    lengths: Sequence[int] | None
    reward: str
    budget: int
    threads: int
    done: Future[tuple[ProgramScores, int, Mapping[int, Exception]]] = field(default_factory=Future)
    """The call's scores, its first row in them, and which of its own rows could not be run at all, by number; those have no
    row in the scores."""

    @property
    def terms(self) -> tuple[str, int, int, bool]:
        """Jobs of the same terms may share a call."""
        return self.reward, self.budget, self.threads, self.lengths is None


class _Process:
    """What belongs to one process: a fork starts with a fresh one."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.waiting: list[Job] = []
        self.calls = 0
        self.opening = threading.Lock()
        self.open: dict[tuple[Settings, int, str | None], ProgramRunner] = {}
        self.schedulers: dict[tuple[ProgramRunner, int], ProgramScheduler] = {}
        self.read: weakref.WeakKeyDictionary[ProgramProblem, Read] = weakref.WeakKeyDictionary()
        self.loop: asyncio.AbstractEventLoop | None = None
        self.closed = False


_process = _Process()


def _renew() -> None:
    global _process
    _process = _Process()


def _close() -> None:
    """Ends the programs that run when the interpreter does."""
    here = _process
    with here.lock:
        here.closed = True
        waiting, here.waiting = here.waiting, []
    for job in waiting:
        job.done.cancel()
    for runner in list(here.open.values()):
        runner.close()


os.register_at_fork(after_in_child=_renew)
atexit.register(_close)


def run(job: Job) -> Future[Any]:
    """Scores the job's completions on another thread; see Job.done."""
    here = _process
    with here.lock:
        here.waiting.append(job)
        starts = here.calls < CALLS
        here.calls += starts
    if starts:
        threading.Thread(target=_serve, args=(here,), name="optgap-programs", daemon=True).start()
    return job.done


def runner(threads: int = 0) -> ProgramRunner:
    """This process's, under the settings of the moment. Raises Error where nothing here holds programs."""
    from optgap.engine import Engine
    from optgap.programs.running import ProgramRunner

    here, how, frozen = _process, settings(), snapshot_named()
    with here.opening:
        known = here.open.get((how, threads, frozen))
        if known is None:
            engine = Engine(
                "cpu", threads=threads or None, server=os.environ.get("OPTGAP_SERVER") or None, baselines=frozen
            )
            known = ProgramRunner(engine, how.isolation, how.slots, languages=())
            here.open[how, threads, frozen] = known
        return known


def scheduler(threads: int = 0, budget: int = -1) -> ProgramScheduler:
    """This process's, over the slots of `runner`: for samples that an event loop awaits one by one."""
    from optgap.programs.scheduling import ProgramScheduler

    by, how, here = runner(threads), settings(), _process
    with here.opening:
        known = here.schedulers.get((by, budget))
        if known is None:
            known = here.schedulers[by, budget] = ProgramScheduler(
                by.engine, runner=by, budget=budget, fail_fast=how.fail_fast, dedupe=how.dedupe
            )
        return known


def loop() -> asyncio.AbstractEventLoop:
    """This process's own, on a thread of its own: for callers that block and have none."""
    here = _process
    with here.opening:
        if here.loop is None:
            here.loop = asyncio.new_event_loop()
            threading.Thread(target=here.loop.run_forever, name="optgap-programs-loop", daemon=True).start()
        return here.loop


def read_once(asked: ProgramProblem) -> Read | None:
    """A problem that was read before."""
    here = _process
    with here.lock:
        return here.read.get(asked)


def read(asked: ProgramProblem, threads: int = 0) -> Read:
    """A problem, its instances generated or checked once. Raises what is wrong with it."""
    return _read(_process, runner(threads), asked)


def _serve(here: _Process) -> None:
    """Until nobody waits."""
    while True:
        with here.lock:
            if not here.waiting or here.closed:
                here.calls -= 1
                return
            terms = here.waiting[0].terms
            batch = [job for job in here.waiting if job.terms == terms]
            here.waiting = [job for job in here.waiting if job.terms != terms]
        _score(here, [job for job in batch if job.done.set_running_or_notify_cancel()])


def _score(here: _Process, batch: Sequence[Job]) -> None:
    if not batch:
        return
    try:
        by, how = runner(batch[0].threads), settings()
        problems: list[Read] = []
        texts: list[str | bytes] = []
        finish: list[str] = []
        lengths: list[int] = []
        places: list[tuple[int, dict[int, Exception]]] = []
        for job in batch:
            first, broken = len(texts), dict[int, Exception]()
            for row, (asked, text) in enumerate(zip(job.asked, job.texts, strict=True)):
                try:
                    problems.append(_read(here, by, asked))
                except Exception as why:  # noqa: BLE001  the row's own fault, said of it
                    broken[row] = why
                    continue
                texts.append(text)
                finish.append("unknown" if job.finish is None else job.finish[row])
                if job.lengths is not None:
                    lengths.append(job.lengths[row])
            places.append((first, broken))
        found = by.run(
            problems, texts, finish=finish, length=lengths if batch[0].lengths is not None else None,
            reward=batch[0].reward, budget=batch[0].budget, fail_fast=how.fail_fast, dedupe=how.dedupe,
        )  # fmt: skip
        for job, (first, broken) in zip(batch, places):
            job.done.set_result((found, first, broken))
    except BaseException as failed:  # noqa: BLE001  whoever waits gets it
        for job in batch:
            if not job.done.done():
                job.done.set_exception(failed)


def _read(here: _Process, by: ProgramRunner, asked: ProgramProblem) -> Read:
    with here.lock:
        known = here.read.get(asked)
    if known is None:
        known = by.read(asked.row)
        with here.lock:
            here.read[asked] = known
    return known
