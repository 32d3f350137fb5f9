"""The launcher: which shards are missing, one Ray task for each, and the first failure."""

from __future__ import annotations

import dataclasses
import os
import pathlib
from typing import Any

from ...core.errors import Error, misuse
from . import shard_files

_AT_ONCE = 1000
"""Shards that are submitted ahead: a million of them are not a million entries in Ray's memory."""


@dataclasses.dataclass(frozen=True)
class Recomputed:
    """What became of the shards.

    Attributes:
        store: The folder.
        shards: How many it is cut into.
        there: Shards that were finished before.
        done: Shards that this call finished.
    """

    store: str
    shards: int
    there: int
    done: int


def recompute(
    spec: str,
    *,
    store: str | os.PathLike[str],
    shards: int,
    budget: int = -1,
    cpus: int = 1,
    local: str | os.PathLike[str] | None = None,
) -> Recomputed:
    """`optgap recompute --spec SPEC --budget BUDGET --store STORE --shard i/SHARDS` for every i, each as a task of
    Ray's.

    A shard is made on its node's own disk, then copied beside the others, synchronised and renamed: a file with a
    shard's name is whole. Shards that the folder has finished are not started, so the same call goes on after
    whatever ended the last one, and a task on a lost node is run again elsewhere. The content depends on no number of
    shards, nodes or failures. A shard should be ten seconds of work or more.

    Args:
        spec: "TASK:LEVEL:SPLIT:FIRST-LAST", several joined by commas (docs/scale.md).
        store: A folder that every node sees under this name.
        shards: Into how many files the work is cut, 1 to 9,999. The folder must not hold another division.
        budget: Steps per instance, counted by the task; -1 is the task's default.
        cpus: Cores of a task: what Ray reserves, and the threads that it runs.
        local: Folder on the nodes' own disks, by default where they keep temporary files.

    Raises:
        Error: Ray is not installed, an argument breaks a rule, or a shard failed, with the shard's own sentence.
            Shards that are finished by then stay.
    """
    try:
        import ray
    except ImportError:
        raise misuse("ray", "is not installed: pip install 'optgap[ray]'") from None
    for name, value, least, most in (
        ("shards", shards, 1, 9999),
        ("cpus", cpus, 1, 4096),
        ("budget", budget, -1, 1 << 62),
    ):
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise misuse(name, f"is {value!r}: expected an integer from {least} to {most}")
    folder = pathlib.Path(store).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    shard_files.check_division(folder, shards)
    asked = shard_files.asked(spec, budget)
    missing = [
        shard
        for shard in range(shards)
        if not shard_files.is_finished(shard_files.path_of(folder, shard, shards), asked)
    ]
    # A node that is lost is no failure of the shard's: it is run again, as often as it takes.
    task = ray.remote(num_cpus=cpus, max_retries=-1)(shard_files.make)
    waiting = iter(missing)
    running: dict[Any, int] = {}
    done = 0
    try:
        while True:
            while len(running) < _AT_ONCE and (shard := next(waiting, None)) is not None:
                place = None if local is None else str(local)
                running[task.remote(spec, budget, str(folder), shard, shards, cpus, place)] = shard
            if not running:
                break
            for ended in ray.wait(list(running))[0]:
                shard = running.pop(ended)
                failure = ray.get(ended)
                if failure:
                    raise Error(
                        f"shard {shard}/{shards}: {failure[1]}", "invalid_argument" if failure[0] == 2 else "internal"
                    )
                done += 1
    finally:
        for one in running:
            ray.cancel(one, force=True)
    return Recomputed(str(folder), shards, shards - len(missing), done)
