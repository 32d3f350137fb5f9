"""What runs in a worker process: a loop over one socket, in front of code that nobody has vetted.

Started by path, with the standard library alone, so that a worker begins fast and imports what it was asked for. Frames
are eight bytes of length and JSON, in both directions: the parent never unpickles what comes from here.

A worker serves one environment. Where that runs answers as code and this process may fork, each call has a process of its own
that ends with it, so nothing that an answer changes outlives its verdict.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import os
import resource
import signal
import socket
import struct
import sys
import time
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


class Environment:
    """The environment that this process serves."""

    def __init__(self) -> None:
        self.runs_answers = False
        self._made: Any = None

    def load(self, source: str, argument: str | None) -> dict[str, Any]:
        """Imports `module:attribute`; calls it, with `argument` where it has one."""
        from optgap.rows.external.answer_code import runs_answers
        from optgap.rows.external.forms import in_form

        found = _imported(source)
        if argument is not None:
            found = found(argument)
        elif isinstance(found, type) or not any(hasattr(found, name) for name in ("generate", "case_generator")):
            found = found()
        found = in_form(found)
        self._made, self.runs_answers = found, runs_answers(found)
        return {
            "version": str(found.version),
            "form": str(getattr(found, "answer_form", "...")),
            "runs_answers": self.runs_answers,
            "accepts_empty": bool(getattr(found, "accepts_empty", False)),
        }

    def names(self, source: str) -> list[str]:
        """What may stand for the star of a source of many environments."""
        return [str(name) for name in _imported(source).names()]

    def generate(self, level: int, seed: int) -> list[Any]:
        """The problem, encoded, and its prompt."""
        from optgap.rows.external.typed_json import encoded

        made = self._made.generate(level, seed)
        if not isinstance(made, tuple) or len(made) != 2 or not isinstance(made[1], str):
            raise TypeError("generate must return (problem, prompt)")
        return [encoded(made[0]), made[1]]

    def verify(self, problem: str, text: str, canary: str | None = None) -> list[Any]:
        """The verdict, and the anchors where it is an objective. With a canary: also what the canary gets before and after."""
        before = self._canary(problem, canary)
        judged = self._judged(problem, text)
        return [*judged, before, self._canary(problem, canary)]

    def gold(self, problem: str) -> Any:
        """A right answer, or None."""
        return self._made.gold(_problem(problem)) if hasattr(self._made, "gold") else None

    def original(self, level: int, seed: int, completions: list[str]) -> list[Any] | None:
        """The problem, encoded, and reward and correctness of whole completions by the environment's own program; or None."""
        from optgap.rows.external.typed_json import encoded

        if not hasattr(self._made, "original"):
            return None
        problem, verdicts = self._made.original(level, seed, completions)
        return [encoded(problem), [list(verdict) for verdict in verdicts]]

    def _judged(self, problem: str, text: str) -> list[Any]:
        said = self._made.verify(_problem(problem), text)
        if isinstance(said, dict) and "objective" in said and hasattr(self._made, "anchors"):
            return [said, self._made.anchors(_problem(problem))]
        return [said, None]

    def _canary(self, problem: str, canary: str | None) -> list[Any] | None:
        """None where there is none, or where it raises, which refuses it."""
        if canary is None:
            return None
        try:
            return self._judged(problem, canary)
        except Exception:  # noqa: BLE001  others' code
            return None


def _imported(source: str) -> Any:
    module, _, attribute = source.rpartition(":")
    found: Any = _of_file(module) if module.endswith(".py") else importlib.import_module(module)
    for part in attribute.split("."):
        found = getattr(found, part)
    return found


def _of_file(path: str) -> Any:
    """The module of a file, whatever its name hides; its folder comes last in the path."""
    name = f"optgap_task_file_{os.path.basename(path)[:-3]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be imported")
    sys.modules[name] = module = importlib.util.module_from_spec(spec)
    sys.path.append(os.path.dirname(path))
    spec.loader.exec_module(module)
    return module


def _problem(text: str) -> Any:
    value = json.loads(text)
    if '"$' not in text:  # no container but JSON's own
        return value
    from optgap.rows.external.typed_json import decoded

    return decoded(value)


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
    environment = Environment()
    while True:
        try:
            request = receive(pipe)
        except (EOFError, OSError):
            os._exit(0)  # no exit handlers of others' code
        if request["call"] == "verify_batch":
            sent = batch_answered(environment, request, inherited, pipe)
        elif hello["forks"] and environment.runs_answers:
            sent = in_a_fork(environment, request, inherited, pipe)
        else:
            sent = answered(environment, request, inherited)
        if os.getpid() != own:  # a fork that came back from others' code
            os._exit(0)
        pipe.sendall(sent)


PAUSE_SECONDS = 0.1
"""Verdicts of a batch wait no longer in this process than so, but for the one under way."""


def batch_answered(environment: Environment, request: dict[str, Any], inherited: int, pipe: socket.socket) -> bytes:
    """The frame of the last reply to a batch of answers; one of verdicts that waited long is sent on the way. The batch ends
    early where this process has held `half` bytes, and with a MemoryError."""
    own, number, most = os.getpid(), request["id"], request["most"]
    problems, answers, half, canary = request["arguments"]
    parts: list[str] = []
    sent = time.monotonic()

    def reply(rest: str) -> bytes:
        peak = peak_bytes()
        text = f'{{"id":{number},"parts":[{",".join(parts)}],"peak":{peak if peak > inherited else 0},{rest}}}'.encode()
        return HEADER.pack(len(text)) + text

    for place, answer in answers:
        began = time.monotonic()
        part, is_full = one_verdict(environment, problems[place], answer, most)
        if os.getpid() != own:  # a fork that came back from others' code
            os._exit(0)
        now = time.monotonic()
        parts.append(f'{{{part},"seconds":{now - began:.6f}}}')
        if is_full or inherited < peak_bytes() > half:
            break
        if now > sent + PAUSE_SECONDS:
            pipe.sendall(reply('"more":true'))
            parts, sent = [], now
    return reply(f'"canary":{json.dumps(environment._canary(problems[answers[-1][0]], canary), default=repr)}')


def one_verdict(environment: Environment, problem: str, text: str, most: int) -> tuple[str, bool]:
    """The verdict and the anchors, or why there is none, as fields of a JSON object; whether memory ran out."""
    try:
        value = json.dumps(environment._judged(problem, text), separators=(",", ":"))
        if len(value) > most:
            raise ValueError(f"the reply has {len(value)} bytes, expected {most} at most")
        return f'"value":{value}', False
    except BaseException as broken:  # noqa: BLE001  whatever it is, the parent is told
        is_full = isinstance(broken, MemoryError)
        return f'"failed":"{"memory" if is_full else "error"}","message":{json.dumps(said(broken))}', is_full


def answered(environment: Environment, request: dict[str, Any], inherited: int) -> bytes:
    """The frame of a reply; `inherited`: the peak of memory before this process did anything."""
    reply: dict[str, Any] = {"id": request["id"]}
    try:
        reply["value"] = getattr(environment, request["call"])(*request["arguments"])
        peak = peak_bytes()
        # exec keeps the peak of what stood there before: a whole trainer's
        reply["peak"] = peak if peak > inherited else 0
        sent = frame(reply)
        if len(sent) > request["most"]:
            raise ValueError(f"the reply has {len(sent)} bytes, expected {request['most']} at most")
    except BaseException as broken:  # noqa: BLE001  whatever it is, the parent is told
        kind = "memory" if isinstance(broken, MemoryError) else "error"
        sent = frame({"id": request["id"], "failed": kind, "message": said(broken)})
    return sent


def in_a_fork(environment: Environment, request: dict[str, Any], inherited: int, pipe: socket.socket) -> bytes:
    """The same, from a process that ends with this call, and with it all that it starts."""
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        try:
            os.setpgid(0, 0)
            pipe.close()
            ours.close()
            own = os.getpid()
            sent = answered(environment, request, inherited)
            if os.getpid() == own:
                theirs.sendall(sent)
        finally:
            os._exit(0)
    theirs.close()
    try:
        return _one_frame(ours, request)
    except (EOFError, OSError, ValueError) as why:
        how = str(why) or "ended without a reply"
        return frame({"id": request["id"], "failed": "crash", "message": f"the process of this call {how}"})
    finally:
        ours.close()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(child, 0)


def _one_frame(pipe: socket.socket, request: dict[str, Any]) -> bytes:
    header = _exactly(pipe, HEADER.size)
    (length,) = HEADER.unpack(header)
    if length > request["most"]:
        raise ValueError("wrote what is no reply")
    return header + _exactly(pipe, length)


def said(broken: BaseException) -> str:
    """An exception in one line, whatever its own methods do."""
    try:
        return "".join(traceback.format_exception_only(type(broken), broken)).strip()[:300]
    except BaseException:  # noqa: BLE001
        return f"{type(broken).__name__}, which cannot say more"


if __name__ == "__main__":
    main(int(sys.argv[1]))
