"""What runs in a worker process: a loop over one socket, in front of code that nobody has vetted.

Started by path, with the standard library alone, so that a worker begins fast and imports what it was asked for. Frames
are eight bytes of length and JSON, in both directions: the parent never unpickles what comes from here.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import signal
import socket
import struct
import sys
import traceback
from typing import Any

HEADER = struct.Struct(">Q")


def receive(pipe: socket.socket) -> Any:
    """The next request; raises EOFError when the parent is gone."""
    (length,) = HEADER.unpack(_exactly(pipe, HEADER.size))
    return json.loads(_exactly(pipe, length))


def _exactly(pipe: socket.socket, count: int) -> bytes:
    parts = []
    while count:
        part = pipe.recv(min(count, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def frame(message: Any) -> bytes:
    """The bytes of one message. Raises what json raises."""
    text = json.dumps(message, separators=(",", ":"), allow_nan=True).encode()
    return HEADER.pack(len(text)) + text


class Tasks:
    """The environments that this process has loaded, by name."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def load(self, name: str, source: str, argument: str | None) -> dict[str, Any]:
        """Imports `module:attribute`; calls it, with `argument` where it has one."""
        module, _, attribute = source.partition(":")
        found: Any = importlib.import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
        if argument is not None:
            found = found(argument)
        elif isinstance(found, type) or not hasattr(found, "verify"):
            found = found()
        self._made[name] = found
        version = str(found.version)
        return {"version": version, "form": str(getattr(found, "answer_form", "..."))}

    def generate(self, name: str, level: int, seed: int) -> list[Any]:
        made = self._made[name].generate(level, seed)
        if not isinstance(made, tuple) or len(made) != 2 or not isinstance(made[1], str):
            raise TypeError("generate must return (problem, prompt)")
        return list(made)

    def verify(self, name: str, problem: Any, text: str) -> list[Any]:
        """The verdict, and the anchors where it is an objective."""
        task = self._made[name]
        said = task.verify(json.loads(problem), text)
        if isinstance(said, dict) and "objective" in said and hasattr(task, "anchors"):
            return [said, task.anchors(json.loads(problem))]
        return [said, None]

    def gold(self, name: str, problem: Any) -> str | None:
        task = self._made[name]
        return task.gold(json.loads(problem)) if hasattr(task, "gold") else None


def peak_bytes() -> int:
    """The most memory that this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def main(descriptor: int) -> None:
    """Answers requests until the parent hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pipe = socket.socket(fileno=descriptor)
    own, inherited, hello = os.getpid(), peak_bytes(), receive(pipe)
    sys.path[:] = hello["path"]
    if hello["memory"]:  # else its limits were set before it began
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (hello["memory"], hello["memory"]))
    tasks = Tasks()
    while True:
        try:
            request = receive(pipe)
        except (EOFError, OSError):
            os._exit(0)  # no exit handlers of others' code
        reply: dict[str, Any] = {"id": request["id"]}
        try:
            reply["value"] = getattr(tasks, request["call"])(*request["arguments"])
            peak = peak_bytes()
            reply["peak"] = (
                peak if peak > inherited else 0
            )  # exec keeps the peak of what stood there before: a whole trainer's
            sent = frame(reply)
            if len(sent) > request["most"]:
                raise ValueError(f"the reply has {len(sent)} bytes, expected {request['most']} at most")
        except BaseException as broken:  # noqa: BLE001  whatever it is, the parent is told
            kind = "memory" if isinstance(broken, MemoryError) else "error"
            sent = frame({"id": request["id"], "failed": kind, "message": said(broken)})
        if os.getpid() != own:  # a fork that came back from others' code
            os._exit(0)
        pipe.sendall(sent)


def said(broken: BaseException) -> str:
    """An exception in one line, whatever its own methods do."""
    try:
        return "".join(traceback.format_exception_only(type(broken), broken)).strip()[:300]
    except BaseException:  # noqa: BLE001
        return f"{type(broken).__name__}, which cannot say more"


if __name__ == "__main__":
    main(int(sys.argv[1]))
