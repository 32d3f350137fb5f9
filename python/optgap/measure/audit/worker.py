"""A process of its own for code that is not vetted: it may raise, hang, die, print, or say what is no number.

The child holds what a `Target` makes there and answers calls over a pipe; the parent waits as long as the deadline and
starts another child for one that hung or died.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from ...core.errors import Error

START = 120.0
"""Seconds for a child to import and make its target: a reward may import a trainer."""


@dataclass(frozen=True)
class Target:
    """What the child makes: `maker(*arguments)` returns an object, whose methods are then called by name."""

    maker: Callable[..., Any]
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class Trouble(Exception):
    """A call that gave no result. `kind`: "raised", "hung" or "died"."""

    kind: str
    message: str


class Worker:
    """One child at a time; use it in a `with` block."""

    def __init__(self, target: Target, deadline: float) -> None:
        self.target = target
        """Of the next child that is started."""
        self._deadline = deadline
        self._child: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def call(self, method: str, *arguments: Any, seconds: float | None = None) -> Any:
        """The method's result. `seconds` stands in for the deadline. Raises Trouble, or Error where the target cannot even
        be made."""
        if self._child is None:
            self._start()
        assert self._pipe is not None
        with contextlib.suppress(BrokenPipeError, ConnectionError):  # told below
            self._pipe.send((method, arguments))
        return self._answer(self._deadline if seconds is None else seconds)

    def stop(self) -> None:
        """Ends the child, whatever it does."""
        if self._child is not None:
            self._child.kill()
            self._child.join()
            self._child = None
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._child = context.Process(target=_serve, args=(theirs, self.target, os.getcwd()), daemon=True)
        self._child.start()
        theirs.close()
        try:
            self._answer(START)
        except Trouble as trouble:
            self.stop()
            rule = f"cannot be used: {trouble.message}"
            raise Error(f"{self.target.arguments[0]}: {rule}", "invalid_argument", "reward", rule) from None

    def _answer(self, seconds: float) -> Any:
        assert self._pipe is not None and self._child is not None
        try:
            if not self._pipe.poll(seconds):
                self.stop()
                raise Trouble("hung", f"no result after {seconds:g} s")
            kind, value = self._pipe.recv()
        except (EOFError, ConnectionError):
            self._child.join(1)
            code = self._child.exitcode
            self.stop()
            raise Trouble("died", f"its process ended with {_how(code)}") from None
        if kind != "done":
            raise Trouble(kind, value)
        return value


def _how(code: int | None) -> str:
    if code is None or code >= 0:
        return f"exit code {code}"
    return f"signal {signal.Signals(-code).name}"


def _serve(pipe: Connection, target: Target, folder: str) -> None:
    """The child's loop. What it prints is dropped, for stdout is the report's; what it writes to stderr is shown."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.path.insert(0, folder)
    try:
        made = target.maker(*target.arguments)
        _reply(pipe, ("done", None))
    except BaseException as broken:  # noqa: BLE001  whatever it is, the parent tells it
        _reply(pipe, ("raised", _said(broken)))
        return
    while True:
        try:
            method, arguments = pipe.recv()
        except EOFError:
            return
        try:
            reply = ("done", getattr(made, method)(*arguments))
        except BaseException as broken:  # noqa: BLE001
            reply = ("raised", _said(broken))
        _reply(pipe, reply)


def _reply(pipe: Connection, reply: tuple[str, Any]) -> None:
    try:
        pipe.send(reply)
    except (TypeError, ValueError, AttributeError, RecursionError) as broken:  # what cannot be pickled
        pipe.send(("raised", _said(broken)))


def _said(broken: BaseException) -> str:
    return "".join(traceback.format_exception_only(type(broken), broken)).strip()[:300]
