"""Tickets as asyncio sees them: one file descriptor per event loop tells of all that have ended."""

from __future__ import annotations

import asyncio
import contextlib
import weakref
from collections.abc import Callable

import numpy as np

from . import _native
from .errors import Error

_RETRY_SECONDS = (0.001, 0.05)

Send = Callable[[_native.CompletionQueue], int]
"""Submits something whose end the queue is told of; its ticket, or 0 when there is no room."""


class Loops:
    """The event loops that await one scheduler's tickets."""

    def __init__(self, scheduler: _native.Scheduler) -> None:
        self._scheduler = scheduler
        self._known: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _Loop] = weakref.WeakKeyDictionary()

    async def ended(self, send: Send, refuses: bool) -> _native.Ended:
        """Sends, and waits for the end. Without room it tries again, or raises Error where the scheduler `refuses`."""
        loop = asyncio.get_running_loop()
        mine = self._known.get(loop)
        if mine is None:
            mine = self._known[loop] = _Loop(loop, self._scheduler)
        pause, longest = _RETRY_SECONDS
        while not (ticket := send(mine.queue)):
            if refuses:
                raise Error("score_async: the scheduler's queue is full", "out_of_memory")
            await asyncio.sleep(pause)
            pause = min(2 * pause, longest)
        future: asyncio.Future[_native.Ended] = loop.create_future()
        mine.waiting[ticket] = future
        try:
            return await future
        except (asyncio.CancelledError, GeneratorExit):
            if mine.waiting.pop(ticket, None) is not None:
                with contextlib.suppress(Error):  # in a forked child it is the parent's
                    self._scheduler.forget(np.array([ticket], np.uint64))
            raise


class _Loop:
    """Lives as long as the event loop, whose selector refers to it; the scheduler may go before."""

    def __init__(self, loop: asyncio.AbstractEventLoop, scheduler: _native.Scheduler) -> None:
        self.queue = _native.CompletionQueue()
        self.waiting: dict[int, asyncio.Future[_native.Ended]] = {}
        self._scheduler = weakref.ref(scheduler)
        loop.add_reader(self.queue.fileno(), self._wake)

    def _wake(self) -> None:
        scheduler = self._scheduler()
        if scheduler is None:
            asyncio.get_running_loop().remove_reader(self.queue.fileno())
            return
        for ticket, ended in scheduler.take(self.queue):
            future = self.waiting.pop(ticket, None)
            if future is not None and not future.done():
                future.set_result(ended)
