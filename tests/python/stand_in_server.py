"""A stand-in for an OpenAI-compatible server: loopback, standard library, threads. What it says is known in advance.

    with StandIn(lambda request: "<answer>[0, 1, 2]</answer>") as server:
        client_of(server.base_url)           # http://127.0.0.1:PORT/v1
        server.requests                      # what was asked, in the order of arrival

`answer` gets a Request and returns the text, or a Reply that says how the server misbehaves. `MODES` has the usual ways
by name; they wrap any `answer`. POST /v1/chat/completions, POST /v1/completions and GET /v1/models are served. As a
program it answers every prompt with the same text: `python stand_in_server.py --mode failing_429 --port 8000`.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL = "stand-in"
TEXT = "<think>Let me see.</think><answer>[0, 1, 2]</answer>"


@dataclass(frozen=True)
class Request:
    """One POST as it arrived."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]
    prompt: str
    """Content of the last message, or the prompt of a legacy request."""
    attempt: int
    """How often this very body was asked before: 0 for the first time."""
    number: int
    """How many requests arrived before."""


@dataclass(frozen=True)
class Reply:
    """What the server says, and how it misbehaves."""

    text: str | None = TEXT
    reasoning: str | None = None
    reasoning_field: str = "reasoning_content"
    """vLLM and SGLang say reasoning_content, others reasoning."""
    finish: str | None = "stop"
    tool_calls: list[Any] | None = None
    model: str | None = None
    """The model that the reply names; None: the one that was asked for."""
    usage: dict[str, Any] | None = field(default_factory=lambda: {"prompt_tokens": 10, "completion_tokens": 5})
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    """Instead of a body of the protocol."""
    delay: float = 0.0
    """Seconds before the first byte."""
    drop: str | None = None
    """"before" any byte, or in the "middle" of the body."""
    stream: bool = False
    """Server-sent events, though nobody asked."""


Answer = Callable[[Request], "str | Reply"]


def as_reply(said: str | Reply) -> Reply:
    return said if isinstance(said, Reply) else Reply(text=said)


def error(status: int, message: str, code: str | None = None, **headers: str) -> Reply:
    """An error as OpenAI words it."""
    body = {"error": {"message": message, "type": "error", "param": None, "code": code}}
    return Reply(status=status, headers=headers, raw=json.dumps(body).encode())


def always(**fields: Any) -> Callable[[Answer], Answer]:
    """A mode that changes these fields of every reply."""
    return lambda answer: lambda request: replace(as_reply(answer(request)), **fields)


def at_first(wrong: Reply, times: int = 1) -> Callable[[Answer], Answer]:
    """A mode that says `wrong` to the first so many attempts of every request."""
    return lambda answer: lambda request: wrong if request.attempt < times else answer(request)


def _reasoned(name: str) -> Callable[[Answer], Answer]:
    draft = "A draft: <answer>[2, 1, 0]</answer>. No, better:"
    return always(reasoning=draft, reasoning_field=name)


MODES: dict[str, Callable[[Answer], Answer]] = {
    "instant": lambda answer: answer,
    "slow": always(delay=0.2),
    "failing_500": at_first(error(500, "out of luck")),
    "failing_429": at_first(error(429, "too many requests", **{"Retry-After": "0"})),
    "always_500": lambda answer: lambda request: error(500, "out of luck for good"),
    "unauthorised": lambda answer: lambda request: error(401, "Incorrect API key provided", "invalid_api_key"),
    "dropped": at_first(Reply(drop="before")),
    "dropped_in_the_middle": at_first(Reply(drop="middle")),
    "garbage": at_first(Reply(raw=b"<html>\xff\x00 not JSON")),
    "always_garbage": lambda answer: lambda request: Reply(raw=b'{"choices": [{"message": 7}]}'),
    "truncated": always(finish="length"),
    "reasoning_content": _reasoned("reasoning_content"),
    "reasoning": _reasoned("reasoning"),
    "tool_calls": always(
        finish="tool_calls",
        tool_calls=[{"id": "call_0", "type": "function", "function": {"name": "submit", "arguments": "{not JSON"}}],
    ),
    "null_content": always(text=None),
    "streaming": always(stream=True),
    "wrong_model": always(model="some-other-model"),
    "no_usage": always(usage=None),
}


class StandIn:
    """The server; starts with the `with` block or `start`, on a port of its own unless one is given.

    Args:
        answer: What is said to a request.
        mode: A name of MODES, put over `answer`.
        models: Names that /v1/models lists; a request for another one is answered with 404. None: any model will do.
        port: 0 for a free one.
    """

    def __init__(
        self,
        answer: Answer = lambda request: TEXT,
        mode: str = "instant",
        models: list[str] | None = None,
        port: int = 0,
    ) -> None:
        self.answer = MODES[mode](answer)
        self.models = models
        self.requests: list[Request] = []
        self.connections = 0
        self.max_at_once = 0
        self._at_once = 0
        self._seen: Counter[bytes] = Counter()
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", port), _handler_of(self))

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def start(self) -> StandIn:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> StandIn:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def arrived(self, path: str, body: dict[str, Any], headers: dict[str, str]) -> Request:
        """Writes a request down."""
        digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).digest()
        with self._lock:
            request = Request(path, body, headers, _prompt_of(body), self._seen[digest], len(self.requests))
            self._seen[digest] += 1
            self.requests.append(request)
        return request

    @contextlib.contextmanager
    def counted(self) -> Iterator[None]:
        with self._lock:
            self._at_once += 1
            self.max_at_once = max(self.max_at_once, self._at_once)
        try:
            yield
        finally:
            with self._lock:
                self._at_once -= 1


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1024

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is no event."""


def _prompt_of(body: dict[str, Any]) -> str:
    if body.get("messages"):
        return str(body["messages"][-1].get("content"))
    prompt = body.get("prompt", "")
    return prompt if isinstance(prompt, str) else json.dumps(prompt)


def _whole(request: Request, reply: Reply) -> dict[str, Any]:
    """The body of a reply, in the form that the path has."""
    chat = request.path.endswith("/chat/completions")
    head = {
        "id": f"stand-in-{request.number}",
        "object": "chat.completion" if chat else "text_completion",
        "created": 0,
        "model": reply.model or request.body.get("model"),
    }
    choice: dict[str, Any] = {"index": 0, "finish_reason": reply.finish, "logprobs": None}
    if chat:
        choice["message"] = {"role": "assistant", "content": reply.text}
        if reply.reasoning is not None:
            choice["message"][reply.reasoning_field] = reply.reasoning
        if reply.tool_calls is not None:
            choice["message"]["tool_calls"] = reply.tool_calls
    else:
        choice["text"] = reply.text or ""
    usage = {} if reply.usage is None else {"usage": reply.usage}
    return {**head, "choices": [choice], **usage}


def _events(request: Request, reply: Reply) -> bytes:
    """The same as server-sent events, three characters at a time."""
    whole = _whole(request, reply)
    choice = whole["choices"][0]
    deltas: list[dict[str, Any]] = []
    said = choice.get("message", {"content": choice.get("text")})
    for name in (reply.reasoning_field, "content"):
        text = said.get(name) or ""
        deltas += [{name: text[first : first + 3]} for first in range(0, len(text), 3)]
    chat = "message" in choice
    deltas[:0] = [{"role": "assistant", "content": ""}] if chat else []
    lines = []
    for delta in [*deltas, None]:
        part: dict[str, Any] = {"index": 0, "finish_reason": None if delta is not None else reply.finish}
        part |= {"delta": delta or {}} if chat else {"text": (delta or {}).get("content", "")}
        event = {**whole, "object": f"{whole['object']}.chunk", "choices": [part], "usage": None}
        lines.append(json.dumps(event))
    if reply.usage is not None:
        lines.append(json.dumps({**whole, "choices": [], "usage": reply.usage}))
    return "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"]).encode()


def _handler_of(owner: StandIn) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # connections stay open
        disable_nagle_algorithm = True
        wbufsize = 1 << 16

        def setup(self) -> None:
            super().setup()
            with owner._lock:
                owner.connections += 1

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            known = [{"id": name, "object": "model"} for name in owner.models or [MODEL]]
            listed = json.dumps({"object": "list", "data": known}).encode()
            self._send(200, {}, listed if self.path.endswith("/models") else b"{}", "application/json")

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            request = owner.arrived(self.path, body, dict(self.headers.items()))
            with owner.counted():
                reply = self._reply(request)
                if reply.delay:
                    time.sleep(reply.delay)
                self._say(request, reply)

        def _reply(self, request: Request) -> Reply:
            model = request.body.get("model")
            if owner.models is not None and model not in owner.models:
                return error(404, f"The model `{model}` does not exist.", "model_not_found")
            if not request.path.endswith(("/completions", "/embeddings")):
                return error(404, "Not Found")
            return as_reply(owner.answer(request))

        def _say(self, request: Request, reply: Reply) -> None:
            if reply.drop == "before":
                self.close_connection = True
                return
            if reply.raw is not None:
                self._send(reply.status, reply.headers, reply.raw, "application/json")
                return
            if reply.stream or request.body.get("stream"):
                self.close_connection = True  # its length is not known in advance
                self._send(reply.status, reply.headers, _events(request, reply), "text/event-stream", length=False)
                return
            whole = json.dumps(_whole(request, reply)).encode()
            cut = len(whole) // 2 if reply.drop == "middle" else len(whole)
            self._send(reply.status, reply.headers, whole, "application/json", cut)

        def _send(
            self,
            status: int,
            headers: dict[str, str],
            body: bytes,
            kind: str,
            cut: int | None = None,
            length: bool = True,
        ) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            if length:
                self.send_header("Content-Length", str(len(body)))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body[:cut])
            self.wfile.flush()
            if cut is not None and cut < len(body):
                self.close_connection = True

    return Handler


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--mode", choices=list(MODES), default="instant")
    parser.add_argument("--text", default=TEXT, help="what it answers to every prompt")
    options = parser.parse_args()
    server = StandIn(lambda request: options.text, options.mode, port=options.port).start()
    print(server.base_url, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
