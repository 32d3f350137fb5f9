"""Runs the searches of all tasks side by side: a round asks what every search wants to see next."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...core.arguments import format_text
from ...core.engine import Engine
from ...core.errors import misuse
from ...core.keys import task_indices
from .calibration import Counts, Found, search
from .page import settings_facts
from .questions import Questions
from .sampling import Part

Look = tuple[str, int, int]
"""A task, a step of its difficulty scale, and how often it was looked at before."""


class Rounds:
    """One calibration.

    Args:
        folder: Each look has a file of rollouts in it, so that one whose requests failed may be asked again.
        count, samples: Instances of a look, and answers to each.
        seed: The first seed; further looks at a step go on from there. Instances are of the split `val`.
        quality: From which a feasible answer is a success; 0: every one is.
        max_prompt_chars: Steps with a longer prompt are not asked.
        ask: Samples these parts; see `sampling.sample`.
    """

    def __init__(
        self,
        engine: Engine,
        folder: str,
        *,
        count: int,
        samples: int,
        seed: int,
        format: str,
        quality: float,
        max_prompt_chars: int,
        ask: Callable[[list[Part]], None],
    ) -> None:
        self._engine, self._folder, self._ask = engine, folder, ask
        self._count, self._samples, self._seed = count, samples, seed
        self._format, self._quality, self._limit = format_text(format), quality, max_prompt_chars
        self.failures: list[str] = []
        """Why requests failed for good; they are in no rate."""

    def run(self, tasks: Sequence[str]) -> dict[str, Found]:
        """What was found of each task. Goes on from the rounds that the folder holds."""
        names = [self._engine.tasks[index].name for index in sorted(set(task_indices(tasks, direct=True)))]
        searches = {name: search() for name in names}
        wanted = {name: next(one) for name, one in searches.items()}
        looks: dict[tuple[str, int], int] = {}
        found: dict[str, Found] = {}
        os.makedirs(self._folder, exist_ok=True)
        while wanted:
            round_looks = [(name, step, looks.get((name, step), 0)) for name, steps in wanted.items() for step in steps]
            for name, step, look in round_looks:
                looks[name, step] = look + 1
            counts = self._round(round_looks)
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

    def _round(self, looks: list[Look]) -> dict[tuple[str, int], Counts | None]:
        asked = {look: self._part(look) for look in looks}
        parts = [part for part in asked.values() if part is not None]
        self._ask(parts)
        counts: dict[tuple[str, int], Counts | None] = {}
        for (name, step, _), part in asked.items():
            counts[name, step] = None
            if part is not None:
                passed = part.table.feasible & (part.table.quality >= self._quality)
                counts[name, step] = int(passed.sum()), part.scored
                self.failures += part.failures
        return counts

    def _part(self, look: Look) -> Part | None:
        questions = self._questions(*look)
        if questions is None:
            return None
        name, step, number = look
        path = os.path.join(self._folder, f"{name}-d{step}-{number}.jsonl")
        part = Part(self._engine, questions, self._samples, path)
        part.resume()
        return part

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
        "kind": "lines", "title": "Success by step of the difficulty scale", "x": {"label": "step"}, "y": {"label": "succeeded %"},
        "series": curves,
    }  # fmt: skip
    success = "feasible" if report["quality"] == 0 else f"feasible, of quality {report['quality']} or better"
    return {
        "title": f"optgap bench-model --calibrate: {settings['model']}",
        "lead": f"Difficulty scale steps at which the share of answers that are {success} lies in FORGE's bands.",
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
