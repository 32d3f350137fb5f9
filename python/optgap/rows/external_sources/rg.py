"""reasoning-gym's data sets as external tasks: `rg/spell_backward`. Its curriculum's level N is dN; levels above its last are
its last, as there. Needs `pip install 'optgap[reasoning-gym]'` where the workers run."""

from __future__ import annotations

import importlib.metadata
from typing import Any

import reasoning_gym
from reasoning_gym.factory import DATASETS, create_curriculum, has_curriculum


class ReasoningGym:
    """One data set, by its name there."""

    version = importlib.metadata.version("reasoning-gym")

    def __init__(self, name: str) -> None:
        if name not in DATASETS:
            raise ValueError(f"reasoning-gym {self.version} has no data set '{name}'")
        self._name = name
        self._scorer = reasoning_gym.create_dataset(name, seed=0, size=1)
        self.judged_by = self._scorer

    @staticmethod
    def names() -> list[str]:
        """Of all data sets, sorted."""
        return sorted(DATASETS)

    def generate(self, level: int, seed: int) -> tuple[Any, str]:
        """Item 0 of a data set of this seed."""
        given = {"seed": seed, "size": 1}
        if has_curriculum(self._name):
            curriculum = create_curriculum(self._name)
            curriculum.set_global_level(level)
            data = type(self._scorer)(curriculum.generate_configuration(given))
        elif level == 0:
            data = reasoning_gym.create_dataset(self._name, **given)
        else:
            raise ValueError(f"'{self._name}' has no curriculum there, so its only level is d0")
        entry = data[0]
        return entry, entry["question"]

    def verify(self, problem: Any, text: str) -> dict[str, Any]:
        """Their score, 0 to 1, on the way from -1 to 1."""
        return {"reward": 2 * float(self._scorer.score_answer(answer=text, entry=problem)) - 1}

    def gold(self, problem: Any) -> str | None:
        """Their own answer; some data sets have none."""
        answer = problem["answer"]
        return answer if isinstance(answer, str) else None
