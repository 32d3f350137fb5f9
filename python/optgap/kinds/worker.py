"""The process in which a user's kind runs: the worker's side of host/rows/packages/worker.hpp.

A message is JSON behind its length, 8 bytes of this machine's order, on descriptor 3. The first one goes out: where the
package is and what its kind.json holds. Then each request has one answer, {"problem": …} where the package failed.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import os
import queue
import socket
import struct
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from optgap.kinds import Answer, Grade, Kind, Refusal, Row
from optgap.kinds.finding import Found, find

DESCRIPTOR = 3
OPTIONAL = ("asks", "settle", "explain")


class Worker:
    """One package, loaded with the first request."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._class: type[Kind] | None = None
        self._made: dict[str, Kind] = {}

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """What a request is answered with.

        Raises:
            Exception: What the package raises, and TypeError for what it gives that is no grade.
        """
        verb = request["verb"]
        if verb == "load":
            return {"verbs": [name for name in OPTIONAL if getattr(self._load(), name) is not getattr(Kind, name)]}
        kind = self._kind(request["options"])
        if verb == "settle":
            return {"groups": [self._settled(kind, group) for group in request["groups"]]}
        rows = [_row(row, answers) for row, answers in zip(request["rows"], request.get("answers") or _no_answers())]
        if verb == "asks":
            return {"rows": [list(map(dict, some)) for some in _one_each("asks", kind.asks(rows), rows)]}
        if verb == "explain":
            return {"rows": [list(kind.explain(row, Grade(**grade))) for row, grade in zip(rows, request["grades"])]}
        return {"rows": [_graded(one) for one in _one_each("grade", kind.grade(rows), rows)]}

    def _load(self) -> type[Kind]:
        if self._class is None:
            name = json.loads(self._found.declaration.read_text("utf-8"))["class"]
            module = importlib.import_module(self._found.module)
            made = getattr(module, name, None)
            if not (isinstance(made, type) and issubclass(made, Kind)):
                raise TypeError(f"{self._found.module}.{name} is no class that derives from optgap.kinds.Kind")
            self._class = made
        return self._class

    def _kind(self, options: Mapping[str, Any]) -> Kind:
        name = json.dumps(options, sort_keys=True)
        if name not in self._made:
            self._made[name] = self._load()(dict(options))
        return self._made[name]

    def _settled(self, kind: Kind, group: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        grades = [Grade(**one) for one in group]
        kind.settle(grades)
        return [_graded(one) for one in grades]


def _no_answers() -> Any:
    while True:
        yield ()


def _row(row: dict[str, Any], answers: Sequence[Mapping[str, Any]]) -> Row:
    completion = row.pop("completion")
    made = [
        Answer(error=(one["error"]["field"], one["error"]["rule"])) if "error" in one else Answer(**one)
        for one in answers
    ]
    return Row(row, completion, tuple(made))


def _one_each(method: str, given: Any, rows: Sequence[Row]) -> list[Any]:
    made = list(given)
    if len(made) != len(rows):
        raise TypeError(f"{method} gave {len(made)} for {len(rows)} rows")
    return made


def _graded(one: Any) -> dict[str, Any]:
    if isinstance(one, Refusal):
        return {"error": {"field": one.field, "rule": one.rule}}
    if not isinstance(one, Grade):
        raise TypeError(f"expected Grade or Refusal, not {type(one).__name__}")
    return {item.name: getattr(one, item.name) for item in dataclasses.fields(Grade)}


def _plain(value: Any) -> Any:
    """NumPy's and torch's numbers and arrays."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"holds what JSON cannot: {type(value).__name__}")


def _problem(error: BaseException) -> str:
    """The exception in one line, and the last line of code that it passed outside of this file."""
    frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename != __file__]
    where = f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}{where}"


def _text(message: Mapping[str, Any]) -> bytes:
    return json.dumps(message, default=_plain, allow_nan=False).encode()


def _send(to: socket.socket, text: bytes) -> None:
    to.sendall(struct.pack("=Q", len(text)) + text)


def _receive(of: socket.socket, requests: queue.SimpleQueue[bytes]) -> None:
    """Requests as they come. Who asked is gone when the socket ends, and so is this process, whatever it runs."""
    stream = of.makefile("rb")
    while len(head := stream.read(8)) == 8:
        requests.put(stream.read(struct.unpack("=Q", head)[0]))
    os._exit(0)


def serve(greeting: Callable[[], dict[str, Any]], answer: Callable[[Any], dict[str, Any]]) -> None:
    """Greets, then answers requests until the socket ends. What `answer` raises is told as `problem`; so is a LookupError, OSError
    or ValueError of the greeting, after which this ends."""
    os.set_inheritable(DESCRIPTOR, False)
    with socket.socket(fileno=DESCRIPTOR) as line:
        try:
            _send(line, _text(greeting()))
        except (LookupError, OSError, ValueError) as error:
            _send(line, _text({"problem": str(error)}))
            return
        requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=_receive, args=(line, requests), daemon=True).start()
        while True:
            try:
                reply = _text(answer(json.loads(requests.get().decode("utf-8", "replace"))))
            except (Exception, SystemExit) as error:
                reply = _text({"problem": _problem(error)})
            _send(line, reply)


def main(name: str) -> None:
    """Serves one package until the socket ends."""
    worker: Worker | None = None

    def greeting() -> dict[str, Any]:
        nonlocal worker
        found = find(name)
        text = found.declaration.read_text("utf-8")
        worker = Worker(found)
        return {"file": str(found.declaration), "text": text, "digest": found.digest()}

    def answer(request: Any) -> dict[str, Any]:
        assert worker is not None
        return worker.answer(request)

    serve(greeting, answer)
