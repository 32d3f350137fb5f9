"""reasoning-core's tasks as external tasks: `rc/planning`. Its level N is dN. Needs `pip install 'reasoning-core[gen]'` where the
workers run, or its folder on PYTHONPATH.

Its generators draw from the global generators of chance, which are seeded for each problem, and some seed these anew from the system's
chance: here from the sequence itself, so that a seed gives one problem. The task object is made anew for each, since some remember
their earlier answers.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import random
import sys
from collections.abc import Iterator
from typing import Any

import reasoning_core
from reasoning_core.template import Entry

_LEFT_OUT = ("_time",)
"""Of an example's metadata: what another process would measure differently."""


class ReasoningCore:
    """One task, by its name there."""

    version = importlib.metadata.version("reasoning-core")

    def __init__(self, name: str) -> None:
        if name not in reasoning_core.list_tasks():
            raise ValueError(f"reasoning-core {self.version} has no task '{name}'")
        self._name = name
        self._task = reasoning_core.get_task(name)
        self.judged_by = self._task

    @staticmethod
    def names() -> list[str]:
        """Of all tasks in its roster, sorted."""
        return sorted(reasoning_core.list_tasks())

    def generate(self, level: int, seed: int) -> tuple[Any, str]:
        """An example of this level."""
        with _repeatable(seed):
            made = reasoning_core.get_task(self._name).generate_example(level=level)
        known = {name: value for name, value in made.metadata.items() if name not in _LEFT_OUT}
        return json.loads(json.dumps({"answer": made.answer, "metadata": known}, default=_plain)), str(made.prompt)

    def verify(self, problem: Any, text: str) -> dict[str, Any]:
        """Their score, 0 to 1, on the way from -1 to 1."""
        entry = Entry(problem["metadata"], problem["answer"])
        return {"reward": 2 * float(self._task.score_answer(text, entry)) - 1}

    def gold(self, problem: Any) -> str | None:
        """Their own answer."""
        answer = problem["answer"]
        return None if answer is None else str(answer)


@contextlib.contextmanager
def _repeatable(seed: int) -> Iterator[None]:
    """Within it, chance comes from the seed alone."""
    original = random.seed

    def seeded(a: Any = None, version: int = 2) -> None:
        original(random.random() if a is None else a, version)

    original(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed)
    random.seed = seeded
    try:
        yield
    finally:
        random.seed = original


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays, and sets, which their scorers read as lists when a data set holds them."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=repr)
    return str(value)
