"""Problems of completions: instances by key or a user's own, one with its baseline, and those of rows."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .. import _native
from . import arguments
from .columns import by_name
from .errors import Error, misuse
from .keys import Key
from .results import Baselines, Bool, Instances

_BYTES = 256 << 20
"""The bytes that a source remembers by default."""

Spec = tuple[int, int, int, int]
"""Task, level, split and seed in the codes of Instances' columns."""


def problem_from(
    spec_of: Callable[[str], Spec],
    instance: str | Key | Instances,
    baseline: Baselines | Mapping[str, Any] | None = None,
) -> _native.Problem:
    """As Scheduler.problem. `spec_of`: `spec_of_key`, which the caller may remember."""
    known = by_name(baseline) if isinstance(baseline, Baselines) else baseline
    if isinstance(instance, (str, Key)):
        return _native.Problem(*spec_of(str(instance)), None, known)
    if not isinstance(instance, Instances):
        raise misuse("instance", f"is {instance!r}, expected a key or Instances")
    if len(instance) != 1:
        raise misuse("instance", f"expected one instance, got {len(instance)}")
    task, level, split, seed = (
        int(column[0]) for column in (instance.task, instance.level, instance.split, instance.seed)
    )
    if split < 0:
        return _native.Problem(task, 0, 0, 0, instance.words, known)
    return _native.Problem(task, level, split, seed, None, known)


def spec_of_key(engine: _native.Engine, key: str) -> Spec:
    """The spec of a key whose hash holds; the instance is generated to check it."""
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
    """A snapshot of a store that baselines come from: what `optgap store snapshot` made."""

    def __init__(self, path: str, source: Source) -> None:
        self.path = path
        self._source = source
        self.hash: str = source.native.hash
        """The hash of its content, as `optgap store snapshot` prints it."""

    def __repr__(self) -> str:
        return f"Frozen({self.path!r}, {self.hash})"

    def status(self) -> str:
        """A sentence on what it has given in this process, and which rows were passed over."""
        return self._source.native.sentence()


class Source:
    """The places of an engine's baselines: a snapshot, if there is one, what was proven before, a proof. Every process has
    one of its own.

    Args:
        engine: That proves.
        path: Of the snapshot; empty for none. Error for what is no snapshot, with the command that makes one.
    """

    def __init__(self, engine: _native.Engine, path: str) -> None:
        self._engine = engine
        self._path = path
        self._opened: dict[int, _native.BaselineSource] = {}  # by process
        self.frozen = Frozen(path, self) if path else None

    @property
    def native(self) -> _native.BaselineSource:
        """This process's own, which all schedulers and runners share that ask for no size."""
        known = self._opened.get(os.getpid())
        return known or self._opened.setdefault(os.getpid(), self.sized(_BYTES))

    def sized(self, size: int) -> _native.BaselineSource:
        """Another one, which remembers so many bytes."""
        return self._engine.baseline_source(self._path, size)

    def fill(self, instances: Instances, columns: dict[str, npt.NDArray[Any]], known: Bool, budget: int) -> None:
        """Writes the baselines of the instances that `known` leaves out into the columns."""
        asked = instances[~known]
        found = self.native.prove(asked.task, asked.words, asked.offsets, asked.level, asked.split, asked.seed, budget)
        for name, into in columns.items():
            into[~known] = found[name]


class RowProblem(NamedTuple):
    """The problem of a row, at which several rows may be tries."""

    kind: str
    name: str
    """Equal for tries at the same."""
    task: str
    level: str


class RowProblems:
    """Reads what rows of any kind are, as far as their fields tell: nothing is graded (docs/rows.md)."""

    def __init__(self, engine: Any, options: Mapping[str, Any] | None = None) -> None:
        """`engine`: an optgap.Engine, which imports this file. `options`: {"kinds": …} for rows of a user's own kinds, and
        options of these."""
        self._native: _native.Scorer = engine._native.scorer(json.dumps(options or {}), engine._source.native, None)

    def kind(self, row: dict[str, Any]) -> str:
        """Empty for a row of no kind."""
        return self._native.kinds([row])[0]

    def problem(self, row: dict[str, Any]) -> RowProblem:
        """Raises Error for a row that is of no kind, or that names no problem."""
        return RowProblem(*self._native.problems([row])[0])
