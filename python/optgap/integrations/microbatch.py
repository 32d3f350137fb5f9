"""Single samples from many coroutines, evaluated together on a worker thread: an event loop never waits for a score."""

from __future__ import annotations

import asyncio
import os
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

WINDOW = 0.001
"""Seconds the first sample of a batch waits for others."""
LIMIT = 256
"""Samples that do not wait any longer."""

Work = Callable[[Sequence[Any]], Sequence[Any]]

_batchers: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Any, _Batcher]] = weakref.WeakKeyDictionary()
_workers: ThreadPoolExecutor | None = None


def _renew() -> None:
    global _batchers, _workers
    _batchers = weakref.WeakKeyDictionary()
    _workers = None


os.register_at_fork(after_in_child=_renew)


def _executor() -> ThreadPoolExecutor:
    """Two workers: while one solves an instance whose row has no baseline, the other still scores."""
    global _workers
    if _workers is None:
        _workers = ThreadPoolExecutor(2, thread_name_prefix="optgap")
    return _workers


class _Batcher:
    """The waiting samples of one event loop and one kind of work."""

    def __init__(self, loop: asyncio.AbstractEventLoop, work: Work) -> None:
        self._loop = weakref.ref(loop)
        self._work = work
        self._waiting: list[tuple[Any, asyncio.Future[Any]]] = []
        self._timer: asyncio.TimerHandle | None = None

    def submit(self, loop: asyncio.AbstractEventLoop, item: Any) -> asyncio.Future[Any]:
        answer = loop.create_future()
        self._waiting.append((item, answer))
        if len(self._waiting) >= LIMIT:
            self._flush()
        elif self._timer is None:
            self._timer = loop.call_later(WINDOW, self._flush)
        return answer

    def _flush(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        batch, self._waiting = self._waiting, []
        if batch:
            work = _executor().submit(self._work, [item for item, _ in batch])
            work.add_done_callback(lambda done: self._answer([answer for _, answer in batch], done))

    def _answer(self, answers: Sequence[asyncio.Future[Any]], done: Future[Sequence[Any]]) -> None:
        loop = self._loop()
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(_settle, answers, done)


def _settle(answers: Sequence[asyncio.Future[Any]], done: Future[Sequence[Any]]) -> None:
    broken = done.exception()
    results = [None] * len(answers) if broken is not None else done.result()
    for answer, result in zip(answers, results):
        if answer.done():
            continue
        if broken is not None:
            answer.set_exception(broken)
        else:
            answer.set_result(result)


async def together(kind: Any, work: Work, item: Any) -> Any:
    """The entry of work([…, item, …]) that belongs to `item`. Samples of the same `kind` (hashable) share calls."""
    loop = asyncio.get_running_loop()
    kinds = _batchers.setdefault(loop, {})
    if kind not in kinds:
        kinds[kind] = _Batcher(loop, work)
    return await kinds[kind].submit(loop, item)


async def aside(work: Callable[..., Any], *arguments: Any) -> Any:
    """work(*arguments) on a worker thread."""
    return await asyncio.get_running_loop().run_in_executor(_executor(), work, *arguments)


def ahead(work: Callable[..., Any], *arguments: Any) -> None:
    """Starts work whose result is kept elsewhere."""
    _executor().submit(work, *arguments)
