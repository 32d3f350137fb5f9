"""reasoning-gym: importing this registers every task of this build as a data set, `optgap_tsp` and so on, with a curriculum.

import reasoning_gym
import optgap.measure.evaluators.reasoning_gym

data = reasoning_gym.create_dataset("optgap_tsp", size=10, seed=42, level="easy")
data.score_answer(data[0]["answer"], data[0])    # 1.0
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, ClassVar

try:
    from reasoning_gym.coaching import BaseCurriculum, ScalarAttributeDefinition
    from reasoning_gym.factory import DATASETS, ProceduralDataset, register_dataset
except ImportError as missing:
    raise ImportError("reasoning-gym's data sets need reasoning-gym: pip install 'optgap[reasoning-gym]'") from missing

from optgap.core.errors import misuse
from optgap.core.keys import task_indices, tasks
from optgap.data.dataset import ground_truth
from optgap.trainers.common.evaluation import evaluate
from optgap.trainers.common.ground_truth import engine

FORMAT = "answer_only"
"""reasoning-gym's users cut the answer out of `<answer>…</answer>` and score what stands between: its prompts ask for it."""

SCORES = ("quality", "normalized", "optimal")
STEPS = tuple(range(0, 61, 2))
"""Steps of the difficulty scale that a curriculum climbs; from 30 to 50 on the instances are as large as the benchmark's."""

_SPAN = 2**32
"""Items a seed has."""


@dataclass
class OptgapConfig:
    """Of every data set here."""

    level: str | int = "easy"
    """easy, medium, hard, benchmark, dN, or a step of the task's difficulty scale."""
    split: str = "train"
    """train, val or test; splits never share instances."""
    style: int = 0
    """Prompt style of the task."""
    score: str = "quality"
    """What score_answer gives: quality (objective over baseline or its inverse, 0 to 1), normalized (0 where a constant
    policy is, negative is 0), or optimal (1 where the best known objective is reached)."""
    seed: int | None = None
    """Item i is the instance of seed * 2**32 + i, so no two seeds share any."""
    size: int = 500

    def validate(self) -> None:
        """Raises Error, which names the field."""
        if self.score not in SCORES:
            raise misuse("score", f"is {self.score!r}, expected one of {', '.join(SCORES)}")
        if self.seed is not None and not 0 <= self.seed < _SPAN:
            raise misuse("seed", f"is {self.seed}, expected 0 to {_SPAN - 1}")
        if not 1 <= self.size <= _SPAN:
            raise misuse("size", f"is {self.size}, expected 1 to {_SPAN}")
        engine().generate(tasks()[0].name, self.level, 0, split=self.split)  # knows whether these are levels and splits


class OptgapDataset(ProceduralDataset):
    """Instances of one task. Item i is a pure function of (task, level, split, style, seed, i)."""

    task: ClassVar[str]

    def __init__(self, config: OptgapConfig) -> None:
        super().__init__(config=config, seed=config.seed, size=config.size)
        styles = tasks()[task_indices(self.task)[0]].styles
        if not 0 <= config.style < styles:
            raise misuse("style", f"is {config.style}, but {self.task} has styles 0 to {styles - 1}")

    @property
    def category(self) -> str:
        return tasks()[task_indices(self.task)[0]].category

    def __getitem__(self, idx: int) -> dict[str, Any]:
        if not 0 <= idx < _SPAN:  # as in theirs, size is what an iteration gives
            raise IndexError(f"item {idx}: expected 0 to {_SPAN - 1}")
        of = self.config
        by = engine()
        made = by.generate(self.task, of.level, 1, self.seed % _SPAN * _SPAN + idx, of.split, of.style)
        solved = by.solve(made)
        assert solved.answers is not None
        answer = solved.answers.tolist()[0]
        key, record = made.keys[0], solved.records()[0]
        return {
            "question": by.prompts(made, FORMAT)[0],
            "answer": answer if isinstance(answer, str) else json.dumps(answer),
            "metadata": {
                "source_dataset": f"optgap_{self.task}",
                "source_index": idx,
                "key": key,
                "baseline": record,
                "ground_truth": ground_truth(key, record, FORMAT),
                "difficulty": {"level": of.level},
            },
        }

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """0 for None, for what is no answer and for what is infeasible, else 0 to 1 as `score` says. `answer` is what stood
        between `<answer>` and `</answer>`, or the whole completion."""
        if not isinstance(answer, str) or not answer.strip():
            return 0.0
        text = answer if "</answer>" in answer else f"<answer>{answer}</answer>"
        row = evaluate([text], [entry["metadata"]["ground_truth"]]).rows[0]
        return max(0.0, float(row["acc" if self.config.score == "optimal" else self.config.score]))


class OptgapCurriculum(BaseCurriculum):
    """The task's difficulty scale, one attribute: `level`."""

    def __init__(self) -> None:
        super().__init__(type(self).__name__, OptgapConfig)
        self._define_attributes(
            ScalarAttributeDefinition(
                name="level", field_name="level", levels=list(STEPS), description="Step of the task's difficulty scale"
            )
        )


def register() -> list[str]:
    """Registers what is not registered yet, and returns the names of all; importing this module does it."""
    names = []
    for task in (one for one in tasks() if one.direct):
        name = f"optgap_{task.name}"
        if name not in DATASETS:
            title = task.name.title().replace("_", "")
            # Under their names in this module, or no worker process could unpickle them.
            made = type(f"{title}Dataset", (OptgapDataset,), {"task": task.name, "__module__": __name__})
            globals()[made.__name__] = made
            register_dataset(name, made, OptgapConfig, OptgapCurriculum)
        names.append(name)
    return names


NAMES = register()
