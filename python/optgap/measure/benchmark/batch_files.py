"""Requests and replies as files in the form of OpenAI's Batch API, for servers that take a whole file at once: `vllm
run-batch` and hosted batches. Each stands where `sampling.sample` expects an endpoint."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...core.errors import misuse
from ...core.files.run_folder import replacing
from ..endpoint import Reply, RequestFailed
from ..endpoint.replies import Garbage, error_of, finish_within, reply_of
from .rollouts import Place

Tag = tuple[int, Place]
"""Which part, and the place in it."""
Request = tuple[Tag, Sequence[Mapping[str, Any]], Mapping[str, Any]]
Answer = tuple[Tag, Reply | RequestFailed]


def custom_id(tag: Tag, messages: Sequence[Mapping[str, Any]]) -> str:
    """Part, question and sample, and 16 hex digits over what is asked, so that a reply to another question is none to this
    one. Of letters, digits and dashes, and less than 64 of them, as batch servers want it."""
    number, (question, sample) = tag
    asked = json.dumps([number, question, sample, list(messages)])
    return f"{number}-{question}-{sample}-{hashlib.sha256(asked.encode()).hexdigest()[:16]}"


class RequestsFile:
    """Writes requests, one a line, and has no replies.

    Args:
        path: Appears when it is whole.
        model: As the server names it.
        body: Fields of every request beside model and messages; None as a value leaves a field out.
    """

    concurrency = 1

    def __init__(self, path: str, model: str, body: Mapping[str, Any]) -> None:
        self._path, self._model, self._body = path, model, dict(body)
        self.written = 0

    def ask(self, requests: Iterable[Request]) -> Iterator[Answer]:
        with replacing(self._path) as lines:
            for tag, messages, fields in requests:
                body = {"model": self._model, "messages": list(messages), **self._body, **fields}
                line = {
                    "custom_id": custom_id(tag, messages),
                    "method": "POST",
                    "url": "/v1/chat/completions",
                    "body": {name: value for name, value in body.items() if value is not None},
                }
                lines.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
                self.written += 1
        yield from ()


@dataclass
class RepliesFiles:
    """Reads replies, in whatever order they stand: the first that was answered counts, an error only where none was."""

    paths: Sequence[str]
    body: Mapping[str, Any] = field(default_factory=dict)
    """What every request allowed (max_tokens)."""
    concurrency: int = 2**31
    """Errors in a row do not say that a file is down."""
    foreign: int = 0
    """Lines that answer no open question of this run."""
    unreadable: list[str] = field(default_factory=list)
    """A sentence for each line that is none."""

    def ask(self, requests: Iterable[Request]) -> Iterator[Answer]:
        open_questions = {custom_id(tag, messages): tag for tag, messages, _ in requests}
        failed: dict[str, RequestFailed] = {}
        for place, row in self._rows():
            name = row.get("custom_id")
            tag = open_questions.get(name) if isinstance(name, str) else None
            if tag is None or not isinstance(name, str):
                self.foreign += 1
                continue
            said = said_in(row, place)
            if isinstance(said, RequestFailed):
                failed.setdefault(name, said)
            else:
                del open_questions[name]
                failed.pop(name, None)
                yield tag, finish_within(said, self.body)
        for name, error in failed.items():
            yield open_questions[name], error

    def _rows(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        for path in self.paths:
            try:
                lines = open(path, "rb")  # noqa: SIM115  closed below
            except OSError as wrong:
                raise misuse("read-replies", f"{path} cannot be opened: {wrong.strerror}") from None
            with lines:
                for number, line in enumerate(lines, 1):
                    if not line.strip():
                        continue
                    place = f"{path}, line {number}"
                    try:
                        row = json.loads(line)
                    except (ValueError, RecursionError):
                        row = None
                    if isinstance(row, dict):
                        yield place, row
                    else:
                        self.unreadable.append(f"{place} is no JSON object")


def said_in(row: Mapping[str, Any], place: str) -> Reply | RequestFailed:
    """The reply of one line: `response` with `status_code` and `body`, or the reply itself in its place. What went wrong
    stands in the body (OpenAI) or in `error` beside it (vLLM, whose body is null then)."""
    response = row.get("response")
    wrong = row.get("error")
    if not isinstance(response, Mapping):
        return RequestFailed(f"{place}: {_sentence(wrong) if wrong else 'no response'}")
    body = response.get("body", response)
    status = response.get("status_code", 200)
    if status != 200:
        http_status = status if type(status) is int else None
        return RequestFailed(f"{place}: status {status}: {_sentence(body or wrong)}", http_status)
    try:
        return reply_of(json.dumps(body).encode())
    except Garbage as wrong:
        return RequestFailed(f"{place}: the reply cannot be read: {wrong}")


def _sentence(error: Any) -> str:
    return error_of(json.dumps(error).encode())[0]
