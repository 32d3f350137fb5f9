"""One kept-open connection to a server: HTTP or HTTPS, with the environment's proxies, and a time limit that holds."""

from __future__ import annotations

import base64
import contextlib
import http.client
import ipaddress
import socket
import ssl
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

LARGEST_BODY = 64 << 20
"""Bytes of a reply, beyond which it is refused."""


class TooSlow(TimeoutError):
    """The time for a whole request is up, however many bytes dribble in."""


@dataclass(frozen=True)
class Answered:
    """A response, read to its end."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes


class Connection:
    """Sends requests one after another. Not to be shared by threads, but `cut` may be called from any.

    Args:
        base: The server's address.
        timeout: Seconds that a whole request may take.
    """

    def __init__(self, base: SplitResult, timeout: float) -> None:
        self._timeout = timeout
        self.used = False
        """Did it carry a request already? Then the server may have closed it meanwhile."""
        self._prefix = ""
        self._headers: dict[str, str] = {}
        secure = base.scheme == "https"
        host, port = base.hostname or "", base.port or (443 if secure else 80)
        proxy = _proxy_of(base.scheme, host)
        at, by = (host, port) if proxy is None else (proxy.hostname or "", proxy.port or 80)
        self._http: http.client.HTTPConnection
        if secure:
            self._http = http.client.HTTPSConnection(at, by, timeout=timeout, context=ssl.create_default_context())
        else:
            self._http = http.client.HTTPConnection(at, by, timeout=timeout)
        if proxy is not None and secure:
            self._http.set_tunnel(host, port, _proxy_headers(proxy))
        elif proxy is not None:
            self._prefix = f"http://{base.netloc}"
            self._headers = _proxy_headers(proxy)

    def request(self, method: str, path: str, body: bytes | None, headers: dict[str, str], clock: Clock) -> Answered:
        """One request and its whole response. Raises OSError, http.client.HTTPException, or TooSlow."""
        with clock.limits(self, self._timeout) as ran_out:
            try:
                self._http.request(method, self._prefix + path, body, {**headers, **self._headers})
                if not self.used and self._http.sock is not None:
                    self._http.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self.used = True
                response = self._http.getresponse()
                text = response.read(LARGEST_BODY + 1)
                if len(text) > LARGEST_BODY:
                    raise http.client.HTTPException(f"the reply is longer than {LARGEST_BODY >> 20} MiB")
                if ran_out():  # cut among the headers, it looks whole
                    raise TimeoutError
                if response.length:
                    raise http.client.IncompleteRead(text, response.length)
                return Answered(response.status, response.headers, text)
            except BaseException as failed:
                self.close()
                if ran_out() or isinstance(failed, TimeoutError):
                    raise TooSlow(f"no whole answer within {self._timeout:g} s") from None
                raise

    def cut(self) -> None:
        """Ends what is under way: a blocked read returns. TLS is left out, which is not another thread's to end."""
        held = self._http.sock
        if held is not None:
            with contextlib.suppress(OSError):
                socket.socket.shutdown(held, socket.SHUT_RDWR)

    def close(self) -> None:
        self._http.close()


class Clock:
    """Cuts connections whose request takes too long: a socket's own time-out starts anew with every byte."""

    _TICK = 0.25

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._until: dict[Connection, float] = {}
        self._late: set[Connection] = set()
        self._thread: threading.Thread | None = None
        self._ended = threading.Event()

    @contextlib.contextmanager
    def limits(self, connection: Connection, seconds: float) -> Iterator[Callable[[], bool]]:
        """Within it `connection` is cut when the time is up, which the function that it gives tells."""
        with self._lock:
            self._until[connection] = time.monotonic() + seconds
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="optgap-clock", daemon=True)
                self._thread.start()
        try:
            yield lambda: connection in self._late
        finally:
            with self._lock:
                self._until.pop(connection, None)
                self._late.discard(connection)

    def cut_all(self) -> None:
        """Ends all requests that are under way."""
        with self._lock:
            for connection in self._until:
                connection.cut()

    def end(self) -> None:
        self._ended.set()
        self.cut_all()

    def _run(self) -> None:
        while not self._ended.wait(self._TICK):
            now = time.monotonic()
            with self._lock:
                for connection, until in self._until.items():
                    if now > until:
                        self._late.add(connection)
                        connection.cut()


def _proxy_of(scheme: str, host: str) -> SplitResult | None:
    """The environment's proxy for a host; never for this machine itself."""
    with contextlib.suppress(ValueError):
        if ipaddress.ip_address(host).is_loopback:
            return None
    if host == "localhost" or urllib.request.proxy_bypass(host):
        return None
    named = urllib.request.getproxies().get(scheme)
    return urlsplit(named if "://" in named else f"http://{named}") if named else None


def _proxy_headers(proxy: SplitResult) -> dict[str, str]:
    if proxy.username is None:
        return {}
    pair = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return {"Proxy-Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}
