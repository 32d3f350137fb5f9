"""The client: what is sent, what is tried again, and what ends a run."""

from __future__ import annotations

import email.utils
import http.client
import json
import os
import queue
import random
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar
from urllib.parse import SplitResult, urlsplit

from ...core.errors import Error, misuse
from .connection import Answered, Clock, Connection, TooSlow
from .replies import Garbage, Reply, error_of, finish_within, reply_of, vectors_of

Tag = TypeVar("Tag")
Found = TypeVar("Found")
Messages = Sequence[Mapping[str, Any]]

_AGAIN = (408, 409, 425, 429)  # and 5xx
_LONGEST_PAUSE = 60.0
_LONGEST_WISH = 300.0  # of a server's Retry-After
_MOST_REFUSALS = 100  # of one request by a rate limit, which is no fault and has its own count


class RequestFailed(Error):
    """This request has failed for good; others may not."""

    def __init__(self, sentence: str, http_status: int | None = None) -> None:
        super().__init__(sentence, "device_failed")
        self.http_status = http_status


class Refused(Error):
    """The server will refuse every request: a wrong key, model or address. The sentence names the fix."""


class Unreachable(ConnectionError):
    """No server answers."""


class Endpoint:
    """An OpenAI-compatible server, and how one model of it is asked. Thread-safe.

    A request is tried again after 408, 409, 425, 429, 5xx, a dropped connection and a body that is no reply, after what
    Retry-After says or pauses that double, with jitter. 401, 403, 404 and redirections raise Refused.

    Args:
        base_url: Up to and with the version, `http://localhost:8000/v1`.
        model: As the server names it.
        api_key_env: Name of the environment variable that holds the key; None sends none. The key is in no exception, and
            is struck out of what the server says.
        concurrency: Requests at a time, of `ask`.
        timeout: Seconds that one request may take in all. One that takes longer is asked once more.
        attempts: Times that a request is tried.
        body: Fields of every request's body beside model and messages; None as a value leaves a field out.
        pause: Seconds before the second attempt, at most; doubles from then on.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        api_key_env: str | None = None,
        concurrency: int = 64,
        timeout: float = 600.0,
        attempts: int = 8,
        body: Mapping[str, Any] | None = None,
        pause: float = 0.5,
    ) -> None:
        self.base_url, self.model, self.concurrency = base_url.rstrip("/"), model, concurrency
        self._base = _address(self.base_url)
        self._body = dict(body or {})
        self._timeout, self._attempts, self._pause = timeout, attempts, pause
        self._key_env = api_key_env
        self._key = _key(api_key_env)
        self._clock = Clock()
        self._idle: list[Connection] = []
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._answered = False  # has the server said anything yet?

    def __enter__(self) -> Endpoint:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends requests that are under way, and closes all connections."""
        self._closed.set()
        self._clock.end()
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def models(self) -> list[str]:
        """The names of /models; empty where the server does not say."""
        try:
            listed = json.loads(self._once("GET", "/models", None).body)["data"]
            return [str(one["id"]) for one in listed]
        except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
            return []

    def chat(self, messages: Messages, **fields: Any) -> Reply:
        """Asks once, and tries again as the class says. `fields` of the body win over those of the endpoint.

        Raises RequestFailed, Refused, or Unreachable when no server has ever answered.
        """
        body = {"model": self.model, "messages": list(messages), "stream": False, **self._body, **fields}
        text = json.dumps({name: value for name, value in body.items() if value is not None}).encode()

        def read(answered: Answered) -> Reply:
            return finish_within(reply_of(answered.body, answered.headers.get("Content-Type", "")), body)

        reply, attempts, began = self._posted("/chat/completions", text, read)
        return self._struck(replace(reply, seconds=time.monotonic() - began, attempts=attempts))

    def embeddings(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text, of the server's /embeddings; errors as of `chat`."""
        text = json.dumps({"model": self.model, "input": list(texts)}).encode()
        return self._posted("/embeddings", text, lambda answered: vectors_of(answered.body, len(texts)))[0]

    def _posted(self, path: str, text: bytes, read: Callable[[Answered], Found]) -> tuple[Found, int, float]:
        """What is read from the reply, the attempts that it took, and when the last of them began."""
        failed, rate_limited, slow = 0, 0, 0
        while True:
            wish: float | None = None
            http_status: int | None = None
            began = time.monotonic()
            try:
                answered = self._once("POST", path, text)
                self._answered = True
                if answered.status == 200:
                    return read(answered), failed + rate_limited + 1, began
                http_status = answered.status
                sentence = self._judge(answered)
                wish = _retry_after(answered.headers.get("Retry-After"))
            except TooSlow as late:
                sentence, slow = str(late), slow + 1
            except Garbage as what:
                sentence = self._without_key(f"the reply cannot be read: {what}")
            except ssl.SSLCertVerificationError as what:
                raise Refused(f"{self.base_url}: its certificate is not trusted: {what.verify_message}; "
                              "SSL_CERT_FILE names a file of authorities") from None  # fmt: skip
            except (OSError, http.client.HTTPException) as what:
                sentence = f"the connection failed: {_cause(what)}"
                if not self._answered and isinstance(what, OSError) and failed >= 2:
                    raise Unreachable(f"no server answers at {self.base_url}: {_cause(what)}") from None
            if self._closed.is_set():
                raise RequestFailed("the endpoint was closed")
            failed, rate_limited = failed + (http_status != 429), rate_limited + (http_status == 429)
            if failed >= self._attempts or slow >= 2 or rate_limited >= _MOST_REFUSALS:
                raise RequestFailed(f"{sentence} (after {failed + rate_limited} attempts)", http_status)
            self._closed.wait(self._wait(failed + rate_limited, wish))

    def ask(
        self, requests: Iterable[tuple[Tag, Messages] | tuple[Tag, Messages, Mapping[str, Any]]]
    ) -> Iterator[tuple[Tag, Reply | RequestFailed]]:
        """Asks them all, `concurrency` at a time, and gives each reply as it comes, with its tag. The third entry of a
        request, where there is one, has fields of its body.

        Raises what ends the whole run: Refused or Unreachable. Ending the iteration early ends what is under way, and
        closes the endpoint.
        """
        waiting = iter(requests)
        taking = threading.Lock()
        ended = threading.Event()
        replies: queue.SimpleQueue[tuple[Tag, Reply | RequestFailed] | BaseException | None] = queue.SimpleQueue()

        def work() -> None:
            try:
                while not ended.is_set():
                    with taking:
                        request = next(waiting, None)
                    if request is None:
                        break
                    try:
                        said: Reply | RequestFailed = self.chat(request[1], **(request[2] if len(request) > 2 else {}))
                    except RequestFailed as failed:
                        said = failed
                    replies.put((request[0], said))
                replies.put(None)
            except BaseException as fatal:
                replies.put(fatal)

        threads = [threading.Thread(target=work, name="optgap-ask", daemon=True) for _ in range(self.concurrency)]
        for thread in threads:
            thread.start()
        open_threads = len(threads)
        try:
            while open_threads:
                said = replies.get()
                if said is None:
                    open_threads -= 1
                elif isinstance(said, BaseException):
                    raise said
                else:
                    yield said
        finally:
            ended.set()
            if open_threads:
                self.close()

    # One attempt

    def _once(self, method: str, path: str, body: bytes | None) -> Answered:
        """One request. A connection that the server closed while it was idle is opened anew, once."""
        target = self._base.path + path + (f"?{self._base.query}" if self._base.query else "")
        headers = {"Accept": "application/json", "User-Agent": "optgap"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key}"
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else Connection(self._base, self._timeout)
            kept = connection.used
            try:
                answered = connection.request(method, target, body, headers, self._clock)
            except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                if kept and not self._closed.is_set():
                    continue
                raise
            with self._lock:
                if not self._closed.is_set():
                    self._idle.append(connection)
                    return answered
            connection.close()
            return answered

    def _judge(self, answered: Answered) -> str:
        """What is wrong, where asking again may help; raises where it cannot."""
        status = answered.status
        message, code = error_of(answered.body)
        said = self._without_key(f"the server says {status}: {message}")
        if status in (401, 403):
            remedy = (
                f"the key comes from the environment variable {self._key_env}"
                if self._key_env
                else "no key was sent: --api-key-env NAME names the environment variable that holds it"
            )
            raise Refused(f"{said}; {remedy}")
        if status in (404, 405):
            known = self.models()
            there = f"it serves {', '.join(known[:20])}" if known else "does --base-url end in /v1?"
            raise Refused(f"{said}; asked for '{self.model}' at {self.base_url}; {there}")
        if 300 <= status < 400:
            place = self._without_key(answered.headers.get("Location", "elsewhere"))
            raise Refused(f"{self.base_url} sends to {place}: give that address as --base-url")
        if status == 402 or code == "insufficient_quota":
            raise Refused(f"{said}; the account has nothing left, which waiting does not mend")
        if status < 500 and status not in _AGAIN:
            raise RequestFailed(said, status)
        return said

    def _wait(self, attempts: int, wish: float | None) -> float:
        if wish is not None:
            return min(wish, _LONGEST_WISH) * random.uniform(1.0, 1.2)
        return min(_LONGEST_PAUSE, self._pause * 2.0 ** (attempts - 1)) * random.uniform(0.5, 1.0)

    def _struck(self, reply: Reply) -> Reply:
        """A hostile server may send the key back; it is not to reach a file."""
        if self._key is None:
            return reply
        reasoning = None if reply.reasoning is None else self._without_key(reply.reasoning)
        model = None if reply.model is None else self._without_key(reply.model)
        return replace(reply, text=self._without_key(reply.text), reasoning=reasoning, model=model)

    def _without_key(self, text: str) -> str:
        return text if self._key is None else text.replace(self._key, "[api key]")


def _address(base_url: str) -> SplitResult:
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise misuse("base_url", f"is {base_url!r}, expected http://HOST[:PORT]/v1 or https://…")
    if parts.username is not None:
        raise misuse(
            "base_url", "holds a name or password: put a key into an environment variable (--api-key-env NAME)"
        )
    try:
        parts.port  # noqa: B018  raises where it is no number
    except ValueError as wrong:
        raise misuse("base_url", f"is {base_url!r}: {wrong}") from None
    return parts


def _key(variable: str | None) -> str | None:
    if variable is None:
        return None
    key = os.environ.get(variable, "").strip()
    if not key:
        raise misuse("api_key_env", f"the environment variable {variable} is not set or empty")
    if not key.isascii() or not key.isprintable():
        raise misuse("api_key_env", f"what the environment variable {variable} holds is no key")
    return key


def _retry_after(value: str | None) -> float | None:
    """Seconds, of a number or of an HTTP date."""
    if value is None:
        return None
    try:
        return max(0.0, float(value)) if float(value) < float("inf") else None
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _cause(what: BaseException) -> str:
    return str(what) or type(what).__name__
