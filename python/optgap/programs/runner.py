"""One native program at a time for this process's program rows, however many threads and event loops ask.

A call starts the native program, whose rungs open anew (0.2 s of processor time); while it runs, what is asked meanwhile
waits and becomes the next call. So slots are those of one program, not of one per sample.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from optgap.programs.settings import settings

Row = dict[str, Any]


@dataclass(eq=False)
class Job:
    """Rows that are scored under one reward."""

    rows: Sequence[Mapping[str, Any]]
    reward: str
    budget: int
    threads: int
    done: Future[list[Row]] = field(default_factory=Future)

    @property
    def terms(self) -> tuple[str, int, int]:
        """Jobs of the same terms may share a call."""
        return self.reward, self.budget, self.threads


class _Process:
    """What belongs to one process: a fork starts with a fresh one."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.waiting: list[Job] = []
        self.is_running = False


_process = _Process()


def _renew() -> None:
    global _process
    _process = _Process()


os.register_at_fork(after_in_child=_renew)


def run(job: Job) -> Future[list[Row]]:
    """The job's rows as `optgap score --matrix` gives them, in their order, in the future."""
    here = _process
    with here.lock:
        here.waiting.append(job)
        starts = not here.is_running
        here.is_running = True
    if starts:
        threading.Thread(target=_serve, args=(here,), name="optgap-programs", daemon=True).start()
    return job.done


def _serve(here: _Process) -> None:
    """Until nobody waits."""
    while True:
        with here.lock:
            if not here.waiting:
                here.is_running = False
                return
            terms = here.waiting[0].terms
            batch = [job for job in here.waiting if job.terms == terms]
            here.waiting = [job for job in here.waiting if job.terms != terms]
        _score([job for job in batch if job.done.set_running_or_notify_cancel()])


def _score(batch: Sequence[Job]) -> None:
    from optgap.errors import Error
    from optgap.programs import score_rows

    if not batch:
        return
    try:
        how = settings()
        found = score_rows(
            [row for job in batch for row in job.rows], isolation=how.isolation, slots=how.slots, reward=batch[0].reward,
            matrix=True, budget=batch[0].budget, threads=batch[0].threads, device="cpu",
        )  # fmt: skip
        for row in found:
            if row.get("error", {}).get("field") == "isolation":
                raise Error(f"programs cannot be run: {row['error']['rule']}", "sandbox_unavailable", "isolation", row["error"]["rule"])
        first = 0
        for job in batch:
            job.done.set_result(found[first : first + len(job.rows)])
            first += len(job.rows)
    except BaseException as failed:  # noqa: BLE001  whoever waits gets it
        for job in batch:
            if not job.done.done():
                job.done.set_exception(failed)
