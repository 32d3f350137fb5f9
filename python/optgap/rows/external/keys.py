"""The names of external problems: `rg/spell_backward@0.1.25:train:d4:17#1f0c33ab`."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from ...core.errors import misuse
from .protocol import canonical

SPLITS = ("train", "val", "test")
_KEY = re.compile(
    r"(?P<task>[A-Za-z0-9][A-Za-z0-9._-]*(?:/[A-Za-z0-9][A-Za-z0-9._-]*)+)@(?P<version>[^:#\s]{1,64}):(?P<split>train|val|test)"
    r":d(?P<level>[0-9]{1,9}):(?P<seed>[0-9]{1,20})(?:#(?P<hash>[0-9a-f]{8}))?"
)


@dataclass(frozen=True)
class ExternalKey:
    """A key's parts."""

    task: str
    version: str
    split: str
    level: int
    """N of dN."""
    seed: int
    hash: str
    """Eight hex digits of the problem's SHA-256; empty where it is not known yet."""

    def __str__(self) -> str:
        named = f"{self.task}@{self.version}:{self.split}:d{self.level}:{self.seed}"
        return f"{named}#{self.hash}" if self.hash else named


def is_external(key: object) -> bool:
    """Whether this is the key of an external problem. A task of this build has no slash in its name."""
    return isinstance(key, str) and "/" in key.partition("@")[0]


def parse(key: str) -> ExternalKey:
    """Raises Error."""
    found = _KEY.fullmatch(key)
    if found is None or int(found["seed"]) >= 2**64:
        raise misuse("key", f"{key[:120]!r} is no external key; expected one like rg/NAME@1:train:d4:17#1f0c33ab")
    return ExternalKey(
        found["task"], found["version"], found["split"], int(found["level"]), int(found["seed"]), found["hash"] or ""
    )


def level_of(name: str) -> int:
    """N of dN. Raises Error for the named levels, which only optgap's tasks have."""
    if not re.fullmatch("d[0-9]{1,9}", name):
        raise misuse("level", f"is {name!r}, but external tasks have levels d0, d1, …")
    return int(name[1:])


def problem_hash(problem: object) -> str:
    """Of the canonical JSON. Raises ValueError for what JSON cannot hold."""
    return hashlib.sha256(canonical(problem).encode()).hexdigest()[:8]


def generator_seed(task: str, split: str, level: int, seed: int) -> int:
    """What `generate` is called with: two bits of the split, so that splits share no seed, and thirty of a hash."""
    digest = hashlib.sha256(f"{task}:{split}:d{level}:{seed}".encode()).digest()
    return SPLITS.index(split) << 30 | int.from_bytes(digest[:4], "big") >> 2
