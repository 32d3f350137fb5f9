"""What a worker of the pool does at present."""

from __future__ import annotations

import collections
import time

from .calls import Entry


class Turn:
    """It loads its environment, then makes calls, then perhaps judges a canary."""

    def __init__(self, entries: collections.deque[Entry], loading: bool) -> None:
        self.entries, self.loading = entries, loading
        """Those without an outcome; the first is under way."""
        self.task, self.call = entries[0].call.task, entries[0].call
        """The call of the first, then the last one that was made."""
        self.is_canary = False
        self.is_batch = False
        """Its calls are one request."""
        self.began = time.monotonic()
