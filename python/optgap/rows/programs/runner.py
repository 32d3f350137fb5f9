"""The sandbox of this process's adapters, opened with the first row that holds a program: all calls share its slots, by scorers
(optgap.trainers.common.ground_truth). Samples that come one by one have tickets of a scheduler over the same slots."""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from typing import TYPE_CHECKING

from optgap.rows.programs.settings import Settings, settings, snapshot_named

if TYPE_CHECKING:
    from optgap._native import ProgramProblem as Read
    from optgap.rows.programs.ground_truths import ProgramProblem
    from optgap.rows.programs.running import ProgramRunner
    from optgap.rows.programs.scheduling import ProgramScheduler


class _Process:
    """What belongs to one process: a fork starts with a fresh one."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.opening = threading.Lock()
        self.open: dict[tuple[Settings, int, str | None], ProgramRunner] = {}
        self.schedulers: dict[tuple[ProgramRunner, int], ProgramScheduler] = {}
        self.read: weakref.WeakKeyDictionary[ProgramProblem, Read] = weakref.WeakKeyDictionary()


_process = _Process()


def _renew() -> None:
    global _process
    _process = _Process()


def _close() -> None:
    """Ends the programs that run when the interpreter does."""
    for runner in list(_process.open.values()):
        runner.close()


os.register_at_fork(after_in_child=_renew)
atexit.register(_close)


def runner(threads: int = 0) -> ProgramRunner:
    """This process's, under the settings of the moment. Raises Error where nothing here holds programs."""
    from optgap.core.engine import Engine
    from optgap.rows.programs.running import ProgramRunner

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
    from optgap.rows.programs.scheduling import ProgramScheduler

    by, how, here = runner(threads), settings(), _process
    with here.opening:
        known = here.schedulers.get((by, budget))
        if known is None:
            known = here.schedulers[by, budget] = ProgramScheduler(
                by.engine, runner=by, budget=budget, fail_fast=how.fail_fast, dedupe=how.dedupe
            )
        return known


def read_once(asked: ProgramProblem) -> Read | None:
    """A problem that was read before."""
    here = _process
    with here.lock:
        return here.read.get(asked)


def read(asked: ProgramProblem, threads: int = 0) -> Read:
    """A problem, its instances generated or checked once. Raises what is wrong with it."""
    here, known = _process, read_once(asked)
    if known is None:
        known = runner(threads).read(asked.row)
        with here.lock:
            here.read[asked] = known
    return known
