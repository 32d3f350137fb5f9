"""Tasks of one class or family as one: as `optgap stats show` and `optgap eval` have them."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from ...core.keys import tasks


@functools.cache
def _labels() -> dict[str, tuple[str, str]]:
    return {task.name: (f"class:{task.task_class}", f"family:{task.family}") for task in tasks()}


def members(names: Iterable[str]) -> dict[str, list[str]]:
    """Of the tasks `names`: label to tasks, of classes and families with two tasks and more. Tasks from outside have
    neither."""
    found: dict[str, list[str]] = {}
    for name in names:
        for label in _labels().get(name, ()):
            found.setdefault(label, []).append(name)
    return {label: some for label, some in sorted(found.items()) if len(some) > 1}
