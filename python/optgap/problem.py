"""What completions are scored against, read once: an instance and, where it is given, its baseline."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from . import _native, arguments
from .columns import by_name
from .errors import Error, misuse
from .keys import Key
from .results import Baselines, Instances

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
