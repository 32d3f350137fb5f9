"""Which environments this process knows and how their workers are kept: one object, which child processes inherit."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from typing import Any

from ...core import settings as process
from ...core.errors import misuse

VARIABLE = "OPTGAP_EXTERNAL"
"""The environment variable that holds the settings as JSON."""

ISOLATION_LEVELS = ("namespaces", "jail")
"""Of the sandbox, those that hold a process that stays and answers, in the order in which `auto` tries them."""

PACKAGES = {
    "rc/*": "optgap.rows.external_sources.rc:ReasoningCore",
    "rg/*": "optgap.rows.external_sources.rg:ReasoningGym",
    "rlve/*": "optgap.rows.external_sources.rlve:Rlve",
}
"""Environments by the dozen: what the star stands for is the source's argument."""


MAX_WORKERS = 16
"""By default; a node's trainers each have a pool of their own."""


@dataclasses.dataclass(frozen=True)
class Settings:
    """Of this process's pool."""

    tasks: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """Name to import path, `{"mine/toy": "my_module:Toy"}`, or to a file's class, "/home/me/toy.py:Toy"; or `{"mine/*": "my_module:make"}`, called with the rest of the
    name. A class without arguments, an object, or what makes one."""
    trusted: bool = False
    """Run it as this user, with network and files. Else an isolation level holds it."""
    isolation: str = "auto"
    """Which one; auto: the first of ISOLATION_LEVELS that passes its self-test."""
    reads: Sequence[str] = ()
    """Absolute paths that a held worker reads beside Python, its path and shared libraries."""
    workers: int = dataclasses.field(default_factory=lambda: min(MAX_WORKERS, len(os.sched_getaffinity(0))))
    """At work at a time: as many as this process has processors, unless told."""
    kept: int = 256
    """Idle ones that stay, each with its environment loaded."""
    generate_seconds: float = 10.0
    verify_seconds: float = 2.0
    memory_mib: int = 4096
    """Of address space, a worker."""

    def source(self, name: str) -> tuple[str, str | None]:
        """Import path and argument of a task. Raises Error where nothing is known by this name."""
        head, _, rest = name.partition("/")
        for known in (self.tasks, PACKAGES):
            if name in known:
                return known[name], None
            if rest and f"{head}/*" in known:
                return known[f"{head}/*"], rest
        named = ", ".join(sorted({*self.tasks, *PACKAGES}))
        raise misuse("task", f"'{name}' is no environment that was named; known are {named}; optgap.rows.external.adopt takes "
                     "FILE.py:CLASS and the tasks of installed packages, and configure adds others")  # fmt: skip

    @property
    def files(self) -> list[str]:
        """Files that hold tasks, which a held worker reads."""
        sources = (source.rpartition(":")[0] for source in self.tasks.values())
        return sorted({path for path in sources if path.endswith(".py")})


def checked(fields: Mapping[str, Any], where: str) -> Settings:
    """Raises Error that names the field."""
    process.require_known(fields, Settings, where)
    tasks = fields.get("tasks", {})
    if not isinstance(tasks, Mapping):
        raise misuse(f"{where}: tasks", 'expected a mapping such as {"mine/toy": "my_module:Toy"}')
    for name, source in tasks.items():
        if not isinstance(name, str) or "/" not in name.strip("/") or name.startswith("optgap/"):
            raise misuse(f"{where}: tasks", f"{name!r} is no name of an external task; expected one like 'mine/toy'")
        module, _, attribute = str(source).rpartition(":")
        if not module or not attribute:
            raise misuse(
                f"{where}: tasks",
                f"{source!r} is no import path; expected one like 'my_module:Toy' or '/home/me/toy.py:Toy'",
            )
    if not isinstance(fields.get("trusted", False), bool):
        raise misuse(f"{where}: trusted", "expected true or false")
    isolation, reads = fields.get("isolation", "auto"), fields.get("reads", ())
    if isolation in ("wasm", "command"):
        why = f"{isolation} holds programs that end, and an environment stays and answers; "
        raise misuse(f"{where}: isolation", f"{why}expected auto, {' or '.join(ISOLATION_LEVELS)}")
    if isolation not in ("auto", *ISOLATION_LEVELS):
        raise misuse(f"{where}: isolation", f"is {isolation!r}, expected auto, {' or '.join(ISOLATION_LEVELS)}")
    if not isinstance(reads, (list, tuple)) or not all(isinstance(one, str) and one.startswith("/") for one in reads):
        raise misuse(f"{where}: reads", f"is {reads!r}, expected a list of absolute paths")
    for name, value in (("isolation", isolation != "auto"), ("reads", reads)):
        if value and fields.get("trusted", False):
            raise misuse(f"{where}: {name}", "has no effect on trusted environments, which no isolation level holds")
    limits = (
        ("workers", 1, 256),
        ("kept", 0, 2**16),
        ("generate_seconds", 0.01, 3600),
        ("verify_seconds", 0.01, 3600),
        ("memory_mib", 64, 2**20),
    )
    for name, low, high in limits:
        value = fields.get(name, low)
        whole = name in ("workers", "kept", "memory_mib")
        if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)) or not low <= value <= high:
            raise misuse(
                f"{where}: {name}", f"is {value!r}, expected {'an integer' if whole else 'a number'} {low} to {high}"
            )
    return Settings(**{**fields, "tasks": dict(tasks), "reads": tuple(reads)})


def from_environment() -> Settings:
    """What OPTGAP_EXTERNAL says, or the defaults."""
    return process.read(VARIABLE, Settings(), checked)


def to_environment(settings: Settings) -> None:
    """For the processes that this one starts."""
    process.write(VARIABLE, settings)
