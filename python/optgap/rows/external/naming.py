"""Names of environments as a user writes them: FILE.py:CLASS, an installed package's, or one that `configure` knows.

A file's class is the task STEM/CLASS, in keys and tables. An installed package names its tasks itself, by entry points of the
group `optgap.tasks`; one is loaded when a user names it and not before.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib.metadata
import os
import re
from collections.abc import Mapping, Sequence

from ...core.errors import misuse
from . import own_pool
from .settings import PACKAGES, Settings, checked

GROUP = "optgap.tasks"
"""Of entry points: environments of installed packages, by their names."""

_IN_FILE = re.compile(r"(?P<path>.+\.py):(?P<name>[A-Za-z_][A-Za-z0-9_.]*)")


def is_outside(name: str) -> bool:
    """Whether a word that users write for tasks names an environment. Before the slash of one for this build's tasks is a family, or a
    pattern of families."""
    from ...core.keys import tasks  # here: importing an adapter starts nothing

    family, slash, _ = name.partition("@")[0].partition("/")
    if _IN_FILE.fullmatch(name) is not None:
        return True
    return bool(slash) and "*" not in family and all(task.family != family for task in tasks())


def named(names: Sequence[str], known: Mapping[str, str]) -> tuple[list[str], dict[str, str]]:
    """Tasks of what a user wrote, and `known` with the files and installed ones among them. Raises Error for a file that is not
    there, and for two files of one task."""
    tasks, sources = [], dict(known)
    for name in names:
        found = _IN_FILE.fullmatch(name)
        if found is None:
            for entry in (name, f"{name.partition('/')[0]}/*") if "/" in name else ():
                if entry in installed() and not {name, entry} & {*sources, *PACKAGES}:
                    sources[entry] = installed()[entry]
            tasks.append(name)
            continue
        path = os.path.abspath(found["path"])
        if not os.path.isfile(path):
            raise misuse("task", f"{found['path']} is no file")
        stem = re.sub(r"^[^A-Za-z0-9]+|[^A-Za-z0-9._-]", "", os.path.basename(path)[:-3]) or "file"
        task, source = f"{stem}/{found['name'].lstrip('_')}", f"{path}:{found['name']}"
        if sources.setdefault(task, source) != source:
            raise misuse(
                "task", f"{task} is {sources[task]} already, and {source} would have the same name: rename one"
            )
        tasks.append(task)
    return tasks, sources


def settings_with(settings: Settings, names: Sequence[str], *, trusted: bool = False, isolation: str | None = None,
                  where: str = "environments") -> tuple[list[str], Settings]:  # fmt: skip
    """Tasks of what a user wrote, and the settings with which they run. Raises Error."""
    tasks, sources = named(names, settings.tasks)
    fields = {**dataclasses.asdict(settings), "tasks": sources}
    fields |= {"trusted": True} if trusted else {}
    fields |= {"isolation": isolation} if isolation else {}
    return tasks, checked(fields, where)


def adopt(names: Sequence[str], *, trusted: bool = False, isolation: str | None = None) -> list[str]:
    """Makes what a user named known to this process and to those that it starts; the tasks' names, in the order given.

    Args:
        names: FILE.py:CLASS, or tasks of optgap, of an installed package, or of `configure`, which stay as they are.
        trusted: Run environments as this user; else what `configure` or OPTGAP_EXTERNAL says.
        isolation: The isolation level that holds them, likewise.

    Raises:
        Error: For a file that is not there, and for settings that do not fit.
    """
    before = own_pool.workers().settings
    tasks, settings = settings_with(before, names, trusted=trusted, isolation=isolation)
    if settings != before:
        own_pool.configure(**dataclasses.asdict(settings))
    return tasks


@functools.lru_cache(maxsize=1)
def installed() -> Mapping[str, str]:
    """Tasks of installed packages: name, or `mine/*`, to import path. Nothing is imported."""
    return {entry.name: entry.value for entry in importlib.metadata.entry_points(group=GROUP)}
