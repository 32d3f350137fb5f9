"""The process in which a user's package runs: the worker's side of host/rows/packages/worker.hpp.

A message is JSON behind its length, 8 bytes of this machine's order, on descriptor 3. The first one goes out: where the
package is and what its kind.json holds. Then each request has one answer, {"problem": …} where the package failed. Columns of
numbers, of 8 bytes each, stand behind the JSON and a byte 0.
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
        self._classes: dict[tuple[str, str], type] = {}
        self._made: dict[str, Any] = {}

    def answer(self, request: Mapping[str, Any], columns: bytes = b"") -> dict[str, Any] | bytes:
        """What a request is answered with: JSON, or a column of numbers.

        Raises:
            Exception: What the package raises, and TypeError for what it gives that is no grade.
        """
        verb = request["verb"]
        if verb == "load":
            self._classes = self._load()
            kind: Any = self._classes.get(("kind", ""), Kind)
            return {"verbs": [name for name in OPTIONAL if getattr(kind, name) is not getattr(Kind, name)]}
        if verb in ("advantages", "shape"):
            from optgap.kinds import by_columns

            by = self._made_with((verb, request["name"]), request["parameters"])
            return by_columns.answer(verb, by, request["columns"], columns)
        kind = self._made_with(("kind", ""), request["options"])
        if verb == "settle":
            return {"groups": [self._settled(kind, group) for group in request["groups"]]}
        rows = [_row(row, answers) for row, answers in zip(request["rows"], request.get("answers") or _no_answers())]
        if verb == "asks":
            return {"rows": [list(map(dict, some)) for some in _one_each("asks", kind.asks(rows), rows)]}
        if verb == "explain":
            return {"rows": [list(kind.explain(row, Grade(**grade))) for row, grade in zip(rows, request["grades"])]}
        return {"rows": [_graded(one) for one in _one_each("grade", kind.grade(rows), rows)]}

    def _load(self) -> dict[tuple[str, str], type]:
        """The package's classes, by what they are and their name in kind.json."""
        declared = json.loads(self._found.declaration.read_text("utf-8"))
        module = importlib.import_module(self._found.module)
        named: list[tuple[str, str, str, type]] = [("kind", "", declared["class"], Kind)] if "kind" in declared else []
        if "estimators" in declared or "shapes" in declared:
            from optgap.kinds.rules import Estimator, Shape

            named += [("advantages", one["name"], one["class"], Estimator) for one in declared.get("estimators", ())]
            named += [("shape", one["name"], one["class"], Shape) for one in declared.get("shapes", ())]
        made: dict[tuple[str, str], type] = {}
        for what, name, class_name, base in named:
            found = getattr(module, class_name, None)
            if not (isinstance(found, type) and issubclass(found, base)):
                parent = f"{base.__module__}.{base.__name__}"
                raise TypeError(f"{self._found.module}.{class_name} is no class that derives from {parent}")
            made[what, name] = found
        return made

    def _made_with(self, which: tuple[str, str], values: Mapping[str, Any]) -> Any:
        name = json.dumps([which, values], sort_keys=True)
        if name not in self._made:
            self._made[name] = self._classes[which](dict(values))
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


def serve(greeting: Callable[[], dict[str, Any]], answer: Callable[[Any, bytes], Mapping[str, Any] | bytes]) -> None:
    """Greets, then answers requests, JSON and columns, until the socket ends. What `answer` raises is told as `problem`; so is a LookupError, OSError
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
                request, _, columns = requests.get().partition(b"\0")
                given = answer(json.loads(request.decode("utf-8", "replace")), columns)
                reply = b"{}\0" + given if isinstance(given, bytes) else _text(given)
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

    def answer(request: Any, columns: bytes) -> dict[str, Any] | bytes:
        assert worker is not None
        return worker.answer(request, columns)

    serve(greeting, answer)
