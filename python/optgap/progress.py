"""Progress for people who wait."""

from __future__ import annotations

import sys
import time


class Bar:
    """Progress on stderr from the second second on, when that is a terminal. Called with what is done and what there is."""

    def __init__(self, command: str, what: str) -> None:
        self._command, self._what = command, what
        self._began = self._last = time.monotonic()
        self._shown = False

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if not sys.stderr.isatty() or now - self._began < 2 or (now - self._last < 0.2 and done < total):
            return
        self._last = now
        speed = max(done, 1) / (now - self._began)
        line = f"{self._command}: {done} of {total} {self._what}, {100 * done // max(total, 1)} %, {speed:.0f}/s"
        sys.stderr.write(f"\r{line}, {(total - done) / speed:.0f} s left \x1b[K")
        sys.stderr.flush()
        self._shown = True

    def clear(self) -> None:
        """Takes the line away."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")

    def hide(self) -> None:
        """Shows nothing from now on."""
        self._began = float("inf")
