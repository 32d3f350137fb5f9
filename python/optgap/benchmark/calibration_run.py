"""Runs the searches of all tasks side by side: a round asks what every search wants to see next."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..arguments import format_text
from ..endpoint import Endpoint
from ..engine import Engine
from ..errors import misuse
from ..keys import task_indices
from .calibration import Counts, Found, search
from .page import settings_facts
from .questions import Questions
from .sampling import Part, Progress, sample

Look = tuple[str, int, int]
"""A task, a step of its ladder, and how often it was looked at before."""


class Rounds:
    """One calibration.

    Args:
        count, samples: Instances of a look, and answers to each.
        seed: The first seed; further looks at a step go on from there. Instances are of the split `val`.
        quality: From which a feasible answer is a success; 0: every one is.
        max_prompt_chars: Steps with a longer prompt are not asked.
        ask: Samples a part; see `sampling.sample`.
    """

    def __init__(
        self, engine: Engine, folder: str, *, count: int, samples: int, seed: int, format: str, quality: float,
        max_prompt_chars: int, ask: Callable[[Part, int], None],
    ) -> None:  # fmt: skip
        self._engine, self._folder, self._ask = engine, folder, ask
        self._count, self._samples, self._seed = count, samples, seed
        self._format, self._quality, self._limit = format_text(format), quality, max_prompt_chars
        self.rollouts = 0

    def run(self, tasks: Sequence[str]) -> dict[str, Found]:
        """What was found of each task. Goes on from the rounds that the folder holds."""
        names = [self._engine.tasks[index].name for index in sorted(set(task_indices(tasks)))]
        searches = {name: search() for name in names}
        wanted = {name: next(one) for name, one in searches.items()}
        looks: dict[tuple[str, int], int] = {}
        found: dict[str, Found] = {}
        number = 0
        while wanted:
            round_looks = [(name, step, looks.get((name, step), 0)) for name, steps in wanted.items() for step in steps]
            for name, step, look in round_looks:
                looks[name, step] = look + 1
            counts = self._round(number, round_looks)
            number += 1
            following: dict[str, list[int]] = {}
            for name, steps in wanted.items():
                try:
                    following[name] = searches[name].send({step: counts[name, step] for step in steps})
                except StopIteration as ended:
                    found[name] = ended.value
            wanted = following
        for name, of in found.items():
            if not of.counts:
                raise misuse(
                    "max_prompt_chars", f"is {self._limit}, but {name} at d0 has a longer prompt, or no answer came"
                )
        return {name: found[name] for name in names}

    def _round(self, number: int, looks: list[Look]) -> dict[tuple[str, int], Counts | None]:
        parts = {look: self._questions(*look) for look in looks}
        asked = {look: questions for look, questions in parts.items() if questions is not None}
        counts: dict[tuple[str, int], Counts | None] = {(name, step): None for name, step, _ in looks}
        if not asked:
            return counts
        questions = Questions.concat(list(asked.values()))
        part = Part(self._engine, questions, self._samples, os.path.join(self._folder, f"rollouts-{number:03}.jsonl"))
        part.resume()
        self._ask(part, number)
        self.rollouts += part.scored
        passed = part.table.feasible & (part.table.quality >= self._quality)
        place = list(zip(questions.tasks, questions.levels))
        for name, step, _ in asked:
            rows = np.asarray([at == (name, f"d{step}") for at in place])
            counts[name, step] = int(passed[rows].sum()), int(part.table.scored[rows].sum())
        return counts

    def _questions(self, task: str, step: int, look: int) -> Questions | None:
        """The instances of a look, in styles that take turns; None where a prompt is too long."""
        index = task_indices(task)[0]
        rows = self._count
        seeds = np.arange(rows, dtype=np.uint64) + np.uint64(self._seed + look * rows)
        styles = np.arange(rows, dtype=np.int32) % self._engine.tasks[index].styles
        instances = self._engine.generate_rows(np.full(rows, index), np.full(rows, step), np.ones(rows), seeds, styles)
        prompts = self._engine.prompts(instances, self._format)
        if max(map(len, prompts)) > self._limit:
            return None
        return Questions(instances, instances.keys, prompts, [self._format] * rows, [None] * rows)


def asker(
    endpoint: Endpoint, request_seed: int | None, system: str | None, told: Callable[[int], Progress]
) -> Callable[[Part, int], None]:
    """What `Rounds` asks with: one round of one part, whose progress `told(round)` hears of."""

    def ask(part: Part, number: int) -> None:
        sample(endpoint, [part], request_seed, system, told(number))

    return ask


def page_of(report: dict[str, Any], settings: dict[str, Any]) -> dict[str, Any]:
    """The description of a calibration's page."""
    names = [*report["bands"]]
    table = {
        "columns": [
            {"name": "task"},
            *({"name": name, "note": _band_words(report["bands"][name])} for name in names),
            {"name": "remark"},
        ],
        "rows": [
            [task, *(_steps(of["bands"][name]) for name in names), of["remark"]] for task, of in report["tasks"].items()
        ],
    }
    curves = [
        {
            "name": task,
            "points": [
                [one["step"], round(100 * one["rate"], 2), *(100 * end for end in one["interval"])]
                for one in of["steps"]
            ],
        }
        for task, of in report["tasks"].items()
    ]
    chart = {
        "kind": "lines", "title": "Success by ladder step", "x": {"label": "step"}, "y": {"label": "succeeded %"},
        "series": curves,
    }  # fmt: skip
    success = "feasible" if report["quality"] == 0 else f"feasible, of quality {report['quality']} or better"
    return {
        "title": f"optgap bench-model --calibrate: {settings['model']}",
        "lead": f"Ladder steps at which the share of answers that are {success} lies in FORGE's bands.",
        "facts": settings_facts(settings),
        "sections": [
            {
                "heading": "Bands",
                "text": "curriculum.json starts optgap.Curriculum there.",
                "table": table,
                "charts": [chart],
            }
        ],
    }


def _band_words(ends: list[float]) -> str:
    return f"{100 * ends[0]:.0f} to {100 * ends[1]:.0f} % succeed"


def _steps(band: list[int] | None) -> str | None:
    return None if band is None else f"d{band[0]}" if band[0] == band[1] else f"d{band[0]} – d{band[1]}"
