"""Problems that JSON alone cannot hold, as JSON: tuples, sets, and mappings whose keys are no texts come back as they were.

A value that JSON can hold is written as itself, so what was written before this encoding is read unchanged. Every other
container is an object with one entry:

    (1, 2)        {"$tuple": [1, 2]}
    {1, 2}        {"$set": [1, 2]}           a frozenset: "$frozenset"
    {1: "a"}      {"$map": [[1, "a"]]}       pairs in the mapping's order

A mapping that looks like one of these is written as "$map", too.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

_READ: dict[str, Callable[[list[Any]], Any]] = {
    "$tuple": tuple,
    "$set": set,
    "$frozenset": frozenset,
    "$map": dict,
}


def encoded(value: Any) -> Any:
    """A value that `json.dumps` takes. What is neither JSON's nor a container is left as it is, for `json.dumps` to refuse."""
    if isinstance(value, dict):
        plain = all(type(key) is str for key in value) and not (len(value) == 1 and next(iter(value)) in _READ)
        if plain:
            return {key: encoded(entry) for key, entry in value.items()}
        return {"$map": [[encoded(key), encoded(entry)] for key, entry in value.items()]}
    if isinstance(value, list):
        return [encoded(entry) for entry in value]
    if isinstance(value, tuple):
        return {"$tuple": [encoded(entry) for entry in value]}
    if isinstance(value, (set, frozenset)):
        entries = [encoded(entry) for entry in value]
        name = "$set" if isinstance(value, set) else "$frozenset"
        return {name: sorted(entries, key=lambda entry: json.dumps(entry, sort_keys=True))}
    return value


def decoded(value: Any) -> Any:
    """What `encoded` was given. Raises ValueError for an object that names a container and does not describe one."""
    if isinstance(value, list):
        return [decoded(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        (name,) = value
        if name in _READ and isinstance(value[name], list):
            try:
                return _READ[name](decoded(value[name]))
            except TypeError as why:
                raise ValueError(f"{name} cannot be read: {why}") from None
    return {key: decoded(entry) for key, entry in value.items()}
