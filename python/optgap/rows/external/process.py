"""One worker from the parent's side: a process behind a socket that never blocks, and what it has loaded."""

from __future__ import annotations

import collections
import json
import os
import pathlib
import resource
import secrets
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

from . import confinement
from .settings import Settings

PROGRAM = pathlib.Path(__file__).with_name("worker.py")
MAX_REPLY_BYTES = 4 << 20
"""A longer reply is none: it would fill this process's memory."""
MAX_VERDICT_BYTES = 32 << 10
"""Of one verdict with its anchors, so that those of a batch make a reply."""

_HEADER = struct.Struct(">Q")


class Broken(Exception):
    """The process ended, or wrote what is no reply."""


class Worker:
    """A process that answers requests in their order."""

    def __init__(self, settings: Settings) -> None:
        self.task: str | None = None
        """The environment that it has loaded; it serves no other."""
        self.spent = False
        """Whether it should serve no further row."""
        self.unproven: list[Any] = []
        """Verdicts that wait for a canary, in the pool's form."""
        self.deadline = 0.0
        """Monotonic seconds at which the request under way, the first without a reply, has taken too long."""
        self._token = secrets.token_hex(16)
        self._folder = None if settings.trusted else confinement.own_folder()
        self._pipe, theirs = socket.socketpair()
        self._pipe.setblocking(False)
        program = [sys.executable, str(PROGRAM), str(theirs.fileno())]
        try:
            self._process = subprocess.Popen(
                confinement.command(settings, program, theirs.fileno(), self._folder),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=confinement.environment(self._token, self._folder),
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        except BaseException:
            self._pipe.close()
            if self._folder is not None:
                confinement.remove(self._folder)
            raise
        finally:
            theirs.close()
        self._number = 0
        self._asked: collections.deque[int] = collections.deque()
        self._out = bytearray()
        self._in = bytearray()
        # A confined one has its limits before it begins, and may set none.
        limit = settings.memory_mib << 20 if settings.trusted else 0
        path = [os.path.abspath(entry) for entry in sys.path]
        self._put(
            {"path": path, "memory": limit, "forks": settings.trusted}
        )  # no isolation level lets a worker begin a process

    def fileno(self) -> int:
        return self._pipe.fileno()

    @property
    def unsent(self) -> bool:
        """Whether something is left to write."""
        return bool(self._out)

    def ask(self, call: str, arguments: list[Any], seconds: float) -> None:
        """Puts a request behind those before it. `seconds`: until the deadline, where it is the first."""
        self._number += 1
        if not self._asked:
            self.deadline = time.monotonic() + seconds
        self._asked.append(self._number)
        most = MAX_VERDICT_BYTES if call.startswith("verify") else MAX_REPLY_BYTES
        self._put({"id": self._number, "call": call, "arguments": arguments, "most": most})

    def write(self) -> None:
        """Writes what the socket takes. A worker that reads nothing meets its deadline."""
        try:
            while self._out:
                del self._out[: self._pipe.send(self._out)]
        except BlockingIOError:
            pass
        except OSError:
            self._out.clear()  # it is gone: told by read

    def read(self) -> Iterator[dict[str, Any]]:
        """The replies that are there. Raises Broken, behind those that came before."""
        ended = ""
        try:
            while part := self._pipe.recv(1 << 20):
                self._in += part
                if len(self._in) > MAX_REPLY_BYTES + _HEADER.size:
                    break  # the rest, or that this is none, is seen next time
            else:
                ended = self._ended()
        except BlockingIOError:
            pass
        except ConnectionError:
            ended = self._ended()
        while (reply := self._frame()) is not None:
            yield reply
        if ended:
            raise Broken(ended)

    def _frame(self) -> dict[str, Any] | None:
        if len(self._in) < _HEADER.size:
            return None
        (length,) = _HEADER.unpack_from(self._in)
        if length > MAX_REPLY_BYTES:
            raise Broken("wrote what is no reply")
        if len(self._in) < _HEADER.size + length:
            return None
        text = bytes(self._in[_HEADER.size : _HEADER.size + length])
        del self._in[: _HEADER.size + length]
        try:
            reply = json.loads(text)
        except (ValueError, RecursionError):
            raise Broken("wrote what is no reply") from None
        if not isinstance(reply, dict) or not self._asked or reply.get("id") != self._asked[0]:
            raise Broken("wrote what is no reply to its request")
        if reply.get("more") is not True:
            self._asked.popleft()
        return reply

    def is_quiet(self) -> bool:
        """Whether it lives and has written nothing unasked."""
        if self._in:
            return False
        try:
            self._pipe.recv(1, socket.MSG_PEEK)
            return False
        except BlockingIOError:
            return not self.is_dead()
        except OSError:
            return False

    def is_dead(self) -> bool:
        """Whether the process has ended, though a child of its own may hold the socket open."""
        return self._process.poll() is not None

    def stop(self) -> None:
        """Ends it and all that it started, whatever they do."""
        confinement.end(self._process, self._token if self._folder is None else None)
        self._pipe.close()
        if self._folder is not None:
            confinement.remove(self._folder)

    def held(self, peak: object) -> int:
        """Bytes of memory that it holds: what the kernel says of the process that was started or, where that is only the
        sandbox around it, the `peak` that it tells of itself."""
        try:
            with open(f"/proc/{self._process.pid}/statm") as statm:
                seen = int(statm.read().split()[1]) * resource.getpagesize()
        except (OSError, IndexError):  # gone
            seen = 0
        told = peak if isinstance(peak, int) and self._folder is not None else 0
        return max(seen, told)

    @property
    def written(self) -> int:
        """Bytes of temporary files that a confined one has left in its folder."""
        return 0 if self._folder is None else confinement.written(self._folder)

    def abandon(self) -> None:
        """Forgets it: it is the child of the process that this one was forked from."""
        self._pipe.close()
        self._process.returncode = 0  # nobody here may wait for it

    def _ended(self) -> str:
        try:
            code = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return "closed its pipe"
        return f"ended by signal {-code}" if code < 0 else f"ended with exit code {code}"

    def _put(self, message: dict[str, Any]) -> None:
        text = json.dumps(message).encode()
        self._out += _HEADER.pack(len(text)) + text
