"""Progress on stderr, for commands that take long."""

from __future__ import annotations

import sys
import time

_LINE_SECONDS = 60.0  # between lines where stderr is no terminal


class Bar:
    """One line from the second second on, when stderr is a terminal; with `lines`, else a line a minute.

    Args:
        command: Whose progress it is.
        unit: What is counted.
        before: How many were done in an earlier run, which says nothing of the speed.
    """

    def __init__(self, command: str, unit: str, lines: bool = False, before: int = 0) -> None:
        self._command, self._unit = command, unit
        self._terminal = sys.stderr.isatty()
        self._lines = lines and not self._terminal
        self._began = self._last = time.monotonic()
        self._before = before
        self._shown = False

    def __call__(self, done: int, total: int, remark: str = "") -> None:
        now = time.monotonic()
        pause = _LINE_SECONDS if self._lines else 0.2
        quiet = not (self._terminal or self._lines) or now - self._began < 2
        if quiet or (now - self._last < pause and (done < total or self._lines)):
            return
        self._last = now
        speed = max(done - self._before, 1) / (now - self._began)
        rate = f"{speed:.0f}" if speed >= 10 else f"{speed:.1f}"
        line = f"{self._command}: {done} of {total} {self._unit}, {100 * done // total} %, {rate}/s"
        line += f", {_span((total - done) / speed)} left{remark}"
        sys.stderr.write(f"{line}\n" if self._lines else f"\r{line} \x1b[K")
        sys.stderr.flush()
        self._shown = self._terminal

    def clear(self) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")


def _span(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
