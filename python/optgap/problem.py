"""What completions are scored against: instances by key or as a user's own, and one with its baseline, read once."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native, arguments
from .columns import by_name
from .errors import Error, misuse
from .keys import Key
from .results import Baselines, Bool, Instances

Spec = tuple[int, int, int, int]
"""Task, level, split and seed in the codes of Instances' columns."""


def problem_from(
    spec_of: Callable[[str], Spec], of: str | Key | Instances, baseline: Baselines | Mapping[str, Any] | None = None
) -> _native.Problem:
    """As Scheduler.problem. `spec_of`: `spec_of_key`, which the caller may remember."""
    known = by_name(baseline) if isinstance(baseline, Baselines) else baseline
    if isinstance(of, (str, Key)):
        return _native.Problem(*spec_of(str(of)), None, known)
    if not isinstance(of, Instances):
        raise misuse("of", f"is {of!r}, expected a key or Instances")
    if len(of) != 1:
        raise misuse("of", f"expected one instance, got {len(of)}")
    task, level, split, seed = (int(column[0]) for column in (of.task, of.level, of.split, of.seed))
    if split < 0:
        return _native.Problem(task, 0, 0, 0, of.words, known)
    return _native.Problem(task, level, split, seed, None, known)


def spec_of_key(engine: _native.Engine, key: str) -> Spec:
    """Of a key whose hash holds; the instance is generated to know."""
    task, level, split, seed, _, wanted = _native.spec_of_key(arguments.name(key, "key"))
    codes = [np.array([code], np.int32) for code in (task, level, split)]
    _, words, offsets = engine.generate(codes[0], codes[1], codes[2], np.array([seed], np.uint64))
    found = _native.hashes(words, offsets)[0][: len(wanted)]
    if found != wanted:
        rule = f"its hash is {wanted}, but the instance it names is {found}"
        raise Error(f"key: {rule}", "bad_instance", "key", rule)
    return task, level, split, seed


def of_keys(generate_rows: Callable[..., Instances], keys: Sequence[str | Key]) -> Instances:
    """As Engine.instances."""
    arguments.rows_of(keys, "keys")
    specs = [_native.spec_of_key(arguments.name(str(key), "key")) for key in keys]
    columns = list(zip(*specs)) if specs else [()] * 6
    task, level, split, style = (np.asarray(columns[place], np.int32) for place in (0, 1, 2, 4))
    made = generate_rows(task, level, split, np.asarray(columns[3], np.uint64), style)
    for row, (found, wanted) in enumerate(zip(made.hashes, columns[5])):
        if not found.startswith(wanted):
            rule = f"its hash is {wanted}, but the instance it names is {found[: len(wanted)]}"
            raise Error(f"row {row}, key: {rule}", "bad_instance", "key", rule)
    return made


def of_users(task: str, instances: str | Mapping[str, Any] | Sequence[str | Mapping[str, Any]]) -> Instances:
    """As Engine.from_json."""
    given = [instances] if isinstance(instances, (str, Mapping)) else list(instances)
    index = _native.task_index(arguments.name(task, "task"))
    texts = [arguments.spec(one, "instance") for one in given]
    words, offsets = _native.from_json(index, texts)
    rows = len(texts)
    return Instances(
        task=np.full(rows, index, np.int32),
        level=np.zeros(rows, np.int32),
        split=np.full(rows, -1, np.int32),
        seed=np.zeros(rows, np.uint64),
        style=np.zeros(rows, np.int32),
        words=words,
        offsets=offsets,
    )


class Frozen:
    """A snapshot of a store: what `optgap store snapshot` made. Every process opens it for itself.

    Args:
        path: The file. Error for what is no snapshot, with the command that makes one.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._opened: dict[int, _native.Snapshot] = {}  # by process
        self.hash: str = self.native.hash
        """Of its content, as `optgap store snapshot` prints it."""

    def __repr__(self) -> str:
        return f"Frozen({self.path!r}, {self.hash})"

    @property
    def native(self) -> _native.Snapshot:
        """This process's own."""
        known = self._opened.get(os.getpid())
        return known or self._opened.setdefault(os.getpid(), _native.Snapshot(self.path))

    def status(self) -> str:
        """A sentence on what it has given in this process, and which rows were passed over."""
        return self.native.sentence()

    def fill(self, instances: Instances, columns: dict[str, npt.NDArray[Any]], known: Bool) -> Bool:
        """Writes what it knows of the instances that `known` leaves out into the columns of baselines. Returns what is known
        then."""
        asked = instances[~known]
        found, there = self.native.find(asked.task, asked.words, asked.offsets, asked.level, asked.split, asked.seed)
        rows = np.flatnonzero(~known)[there]
        for name, into in columns.items():
            into[rows] = found[name][there]
        filled = known.copy()
        filled[rows] = True
        return filled
