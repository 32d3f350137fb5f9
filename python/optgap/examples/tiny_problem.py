"""Tours of five cities as a model of a few layers can read them: a table in place of the prompt's sentences."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from optgap import Baselines, Engine, Instances

TASK = "tsp"
LEVELS = ("d0", "d1", "d2", "d3")
"""Five cities each, with ever more traps for the greedy; prompts of one length need no padding."""
FORMAT = "forge"
CITIES = 5
PROMPT_BYTES = 4 * CITIES * (CITIES - 1) // 2
COMPLETION_TOKENS = 24
"""An answer takes 17: four tags, a thought of one byte, a list of 11 and the end."""


@dataclass(frozen=True)
class Problems:
    """Instances with their baselines and prompts, one a row."""

    instances: Instances
    baselines: Baselines
    prompts: list[str]

    def completions(self) -> list[str]:
        """An optimal answer each."""
        assert self.baselines.answers is not None
        return [completion(tour) for tour in self.baselines.answers.tolist()]


def solved(engine: Engine, instances: Instances) -> Problems:
    """The instances with what belongs to them."""
    return Problems(instances, engine.solve(instances), [table(text) for text in instances.json])


def drawn(engine: Engine, split: str, level: str, count: int, seed: int) -> Problems:
    """The problems of the seeds seed ... seed + count - 1."""
    return solved(engine, engine.generate(TASK, level, count, seed, split))


def table(instance: str) -> str:
    """The lower triangle of an instance's distances, from its JSON: each pair of cities has one place in all texts."""
    distances = json.loads(instance)["distances"]
    return "".join(" ".join(f"{cell:3}" for cell in row[:city]) + "\n" for city, row in enumerate(distances) if city)


def completion(tour: Sequence[int]) -> str:
    """A tour in the format that the parser expects, from city 0, in the direction of its lesser neighbour."""
    start = tour.index(0)
    there = [*tour[start:], *tour[:start]]
    back = [0, *there[:0:-1]]
    return f"<think>.</think><answer>{json.dumps(min(there, back), separators=(',', ':'))}</answer>"


def best_constant(engine: Engine, known: Problems, fresh: Problems) -> float:
    """Mean normalised quality on `fresh` of the one tour that is best on `known`, of all that there are."""
    texts = list(dict.fromkeys(completion([0, *rest]) for rest in itertools.permutations(range(1, CITIES))))
    rows = len(known.prompts)
    tried = engine.score(
        known.instances,
        [text for text in texts for _ in range(rows)],
        known.baselines,
        instance_of=np.tile(np.arange(rows, dtype=np.int32), len(texts)),
        format=FORMAT,
    )
    best = texts[int(tried.normalized.reshape(len(texts), rows).mean(axis=1).argmax())]
    answered = engine.score(fresh.instances, [best] * len(fresh.prompts), fresh.baselines, format=FORMAT)
    return float(answered.normalized.mean())
