"""Tickets as asyncio sees them: one file descriptor per event loop tells of all that have ended."""

from __future__ import annotations

import asyncio
import contextlib
import weakref
from collections.abc import Callable

import numpy as np

from .. import _native
from .errors import Error

_RETRY_SECONDS = (0.001, 0.05)


class Loops:
    """The event loops that await one scheduler's tickets."""

    def __init__(self, scheduler: _native.Scheduler) -> None:
        self._scheduler = scheduler
        self._known: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Loop] = weakref.WeakKeyDictionary()
        self._last: tuple[weakref.ref[asyncio.AbstractEventLoop], Loop] | None = None

    def running(self) -> Loop:
        """The running event loop's."""
        loop = asyncio.get_running_loop()
        last = self._last
        if last is not None and last[0]() is loop:
            return last[1]
        mine = self._known.get(loop)
        if mine is None:
            mine = self._known[loop] = Loop(loop, self._scheduler)
        self._last = weakref.ref(loop), mine
        return mine


class Loop:
    """One event loop's waiting tickets. Lives as long as the loop, whose selector refers to it; the scheduler may go
    before."""

    def __init__(self, loop: asyncio.AbstractEventLoop, scheduler: _native.Scheduler) -> None:
        self.queue = _native.CompletionQueue()
        self._waiting: dict[int, asyncio.Future[_native.Ended]] = {}
        self._held = False
        self._scheduler = weakref.ref(scheduler)
        loop.add_reader(self.queue.fileno(), self._wake)

    def holds(self) -> bool:
        """A sample that is submitted now waits for those that this turn of the loop submits after it. One that is still
        alone then is scored on this thread: no other is woken, nor has to wake this one."""
        if not self._held:
            self._held = True
            asyncio.get_running_loop().call_soon(self._begin)
        return True

    async def room(self, submit: Callable[[], int], refuses: bool) -> int:
        """The ticket, once `submit` finds room for it. Error where the scheduler `refuses`."""
        if refuses:
            raise Error("score_async: the scheduler's queue is full", "out_of_memory")
        pause, longest = _RETRY_SECONDS
        while True:
            await asyncio.sleep(pause)
            if ticket := submit():
                return ticket
            pause = min(2 * pause, longest)

    def end_of(self, ticket: int) -> asyncio.Future[_native.Ended]:
        """The end of a ticket that was submitted since this loop last ran anything else."""
        future: asyncio.Future[_native.Ended] = asyncio.get_running_loop().create_future()
        self._waiting[ticket] = future
        return future

    def forget(self, ticket: int) -> None:
        """Cancels the ticket where it has not ended, once no caller waits for it."""
        scheduler = self._scheduler()
        if self._waiting.pop(ticket, None) is not None and scheduler is not None:
            with contextlib.suppress(Error):  # in a forked child it is the parent's
                scheduler.forget(np.array([ticket], np.uint64))

    def _begin(self) -> None:
        self._held = False
        scheduler = self._scheduler()
        if scheduler is not None:
            with contextlib.suppress(Error):  # in a forked child it is the parent's
                if scheduler.begin():
                    self._take(scheduler)

    def _wake(self) -> None:
        scheduler = self._scheduler()
        if scheduler is None:
            asyncio.get_running_loop().remove_reader(self.queue.fileno())
        else:
            self._take(scheduler)

    def _take(self, scheduler: _native.Scheduler) -> None:
        for ticket, ended in scheduler.take(self.queue):
            future = self._waiting.pop(ticket, None)
            if future is not None and not future.done():
                future.set_result(ended)
