"""The pool of this process, which `configure` or the environment describes."""

from __future__ import annotations

import atexit
import os
import threading
from typing import Any

from .pool import Pool
from .settings import checked, from_environment, to_environment

_lock = threading.Lock()
_pool: Pool | None = None


def workers() -> Pool:
    """This process's, with what `configure` or the environment said."""
    global _pool
    with _lock:
        if _pool is None:
            _pool = Pool(from_environment())
        return _pool


def configure(**settings: Any) -> None:
    """Sets which environments this process and those that it starts know, and how their workers are kept.

    Args:
        tasks: Name to import path: {"mine/toy": "my_module:Toy"}.
        trusted: Run them as this user, with network and files. Else an isolation level holds them.
        isolation: That isolation level, "namespaces" or "jail"; "auto", the default, is the first that passes its self-test.
        reads: Absolute paths that confined ones read beside Python, its path and shared libraries.
        workers: Worker processes at work at a time; by default as many as there are processors, 16 at most.
        kept: Idle ones that stay, each with its environment loaded, default 256.
        generate_seconds, verify_seconds: Deadlines of a call, default 10 and 2.
        memory_mib: Address space of a worker, default 4096.
    """
    global _pool
    given = checked(settings, "configure")
    with _lock:
        before, _pool = _pool, Pool(given)
    to_environment(given)
    if before is not None:
        before.close()


def _close() -> None:
    if _pool is not None:
        _pool.close()


def _renew() -> None:
    """A fork has no business with its parent's workers, nor with a lock that somebody held."""
    global _pool, _lock
    _lock = threading.Lock()
    if _pool is not None:
        for worker in [*_pool._idle, *_pool._turns]:
            worker.abandon()
        _pool = Pool(_pool.settings)


atexit.register(_close)
os.register_at_fork(after_in_child=_renew)
