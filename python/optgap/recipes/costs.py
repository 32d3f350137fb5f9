"""What optgap itself costs a run: core-seconds of generating, proving and scoring, published or measured here."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.engine import Engine
from ..core.keys import tasks as known_tasks

PROVED_PER_SECOND = {
    "bisection": 246.0, "clique": 1.19e6, "coloring": 61.2e3, "hamiltonian": 322e3, "independent_set": 515e3, "knapsack": 66e3,
    "meeting": 33.2e3, "set_cover": 225e3, "subset_sum": 1.23e6, "tsp": 4.93e3,
}  # fmt: skip
"""README.md's table of tasks: proofs of benchmark level, one thread."""
GENERATED_PER_SECOND = 48e3
"""docs/performance.md: the slowest task, one thread."""
SCORED_SECONDS = 9e-6
"""docs/trainers.md: a rollout of 16 kB through an adapter's batch."""

PUBLISHED = (
    "published: README.md's table of tasks (proofs at benchmark level, an upper bound below it), docs/performance.md (the slowest "
    "generator), docs/trainers.md (9 CPU s a million rollouts of 16 kB); one thread of a shared Xeon VM"
)


@dataclass(frozen=True)
class Costs:
    """Core-seconds of one instance (the mean over tasks) and of one rollout, and where they are from."""

    generate: float
    prove: float
    score: float
    source: str


def is_ours(tasks: Sequence[str]) -> bool:
    """Whether all of these are tasks of this build."""
    ours = {task.name for task in known_tasks()}
    return bool(tasks) and all(task in ours for task in tasks)


def published(tasks: Sequence[str]) -> Costs | None:
    """Of the documentation; None where it has no number for one of the tasks."""
    if any(task not in PROVED_PER_SECOND for task in tasks):
        return None
    prove = sum(1 / PROVED_PER_SECOND[task] for task in tasks) / len(tasks)
    return Costs(1 / GENERATED_PER_SECOND, prove, SCORED_SECONDS, PUBLISHED)


def measured(tasks: Sequence[str], levels: Sequence[str], count: int = 32) -> Costs:
    """On this machine, CPU time of one thread: `count` instances of each task and level, eight rollouts each."""
    engine = Engine("cpu", 1)
    spent = np.zeros(3)
    instances = rollouts = 0
    for task in tasks:
        for level in levels:
            began = time.process_time()
            made = engine.generate(task, level, count, seed=1)
            generated = time.process_time()
            solved = engine.solve(made)
            proved = time.process_time()
            texts = [f"<think>{'x' * 4096}</think><answer>{json.dumps(answer)}</answer>"
                     for answer in engine.noisy_greedy(made, 8).tolist()]  # fmt: skip
            ready = time.process_time()
            engine.score(made, texts, solved)
            spent += np.array([generated - began, proved - generated, time.process_time() - ready])
            instances, rollouts = instances + len(made), rollouts + len(texts)
    where = f"{os.cpu_count()} x {platform.processor() or platform.machine()}, load {os.getloadavg()[0]:.1f}"
    source = f"measured here ({where}): {instances} instances of {', '.join(levels)}, {rollouts} rollouts of 4 kB, one thread"
    return Costs(spent[0] / instances, spent[1] / instances, spent[2] / rollouts, source)
