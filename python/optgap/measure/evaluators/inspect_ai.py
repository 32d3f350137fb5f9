"""Inspect (inspect-ai): the tasks `optgap/forge_bench` and `optgap/tasks`, found through the entry-point group `inspect_ai`.

inspect eval optgap/forge_bench --model openai-api/local/my-model
inspect eval optgap/tasks -T tasks=tsp,knapsack -T level=hard -T count=50 -T samples=4 --model …
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

try:
    from inspect_ai import Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.scorer import (
        Metric,
        SampleScore,
        Score,
        Scorer,
        Target,
        Value,
        mean,
        metric,
        scorer,
        stderr,
    )  # fmt: skip
    from inspect_ai.solver import TaskState, generate
except ImportError as missing:
    raise ImportError("Inspect's tasks need inspect-ai: pip install 'optgap[inspect]'") from missing

from optgap import _native
from optgap.core.keys import task_indices
from optgap.data.benchmark_set import FORGE_TASKS, benchmark_set
from optgap.trainers.common.evaluation import evaluate, fingerprint
from optgap.trainers.common.ground_truth import engine
from optgap.trainers.trl.reward import text_of

_FINISH = {"stop": "stop", "max_tokens": "length", "model_length": "length"}
"""Inspect's stop reasons as the engine calls them; of the others nothing is known."""

VALUES = ("sr", "quality", "normalized", "optimal")
"""What a sample's score holds: feasible, quality (0 where infeasible), quality over the floor, proven optimal."""


@task
def forge_bench(
    count: int = 100, seed: int = 1, format: str = "forge", samples: int = 1, tasks: str | Sequence[str] = FORGE_TASKS
) -> Task:
    """The FORGE paper's ten tasks at its benchmark level: the instances of `optgap bench-set`."""
    return _task(tasks, "benchmark", count, seed, format, samples)


@task
def tasks(
    tasks: str | Sequence[str] = "all",
    level: str = "benchmark",
    count: int = 100,
    seed: int = 1,
    format: str = "forge",
    samples: int = 1,
) -> Task:
    """Any tasks at any level.

    Args:
        tasks: Names, or all.
        level: easy, medium, hard, benchmark or dN.
        count: Instances per task.
        seed: The first seed.
        format: What prompts ask for, a name of `optgap formats` or JSON.
        samples: Completions per instance; as Inspect's --epochs, which overrules it.
    """
    return _task(tasks, level, count, seed, format, samples)


def _task(tasks: str | Sequence[str], level: str, count: int, seed: int, format: Any, samples: int) -> Task:
    rows = benchmark_set(tasks, level, count, seed, format)
    chosen = list(rows)
    return Task(
        dataset=MemoryDataset([_sample(row) for name in chosen for row in rows[name]], name="optgap"),
        solver=generate(),
        scorer=verdict(),
        epochs=samples,
        version=_versions(chosen),
        metadata={"fingerprint": fingerprint(), "level": level, "count": count, "seed": seed},
    )


def _versions(names: Sequence[str]) -> str:
    known = {task.name: task.version for task in engine().tasks}
    return ",".join(f"{name}@{known[name]}" for name in names)


def _sample(row: dict[str, Any]) -> Sample:
    kept = (
        "key",
        "task",
        "level",
        "style",
        "format",
        "objective",
        "bound",
        "proven",
        "floor",
        "greedy",
        "ground_truth",
    )
    return Sample(
        id=row["key"],
        input=row["prompt"],
        target=json.dumps(row["answer"]),
        metadata={name: row[name] for name in kept},
    )


@metric
def by_task() -> Metric:
    """Mean and standard error of every task's samples: `tsp`, `tsp_stderr`, and so on."""
    of_samples = {"": mean(), "_stderr": stderr()}

    def grouped(scores: list[SampleScore]) -> Value:
        groups: dict[str, list[SampleScore]] = {}
        for each in scores:
            groups.setdefault((each.sample_metadata or {})["task"], []).append(each)
        return {name + suffix: of(groups[name]) for name in sorted(groups) for suffix, of in of_samples.items()}

    return grouped


@scorer(metrics={name: [mean(), stderr(), by_task()] for name in VALUES})
def verdict() -> Scorer:
    """The engine's verdict on the answer, with how generation ended."""

    async def score(state: TaskState, target: Target) -> Score:
        text, finish = said(state)
        found = evaluate([text], [state.metadata["ground_truth"]], finish=[finish])
        row = found.rows[0]
        values = dict(zip(VALUES, (row["feasible"], row["quality"], row["normalized"], float(found.optimal[0]))))
        kept = {name: state.metadata[name] for name in ("key", "objective", "bound", "proven")}
        return Score(
            value=values,
            answer=text,
            explanation=_sentence(state.metadata, row["code"], found.objective[0]),
            metadata={"finish": finish, "reached": found.objective[0], **row, "baseline": kept},
        )

    return score


def _sentence(of: dict[str, Any], code: int, objective: int | None) -> str:
    """Why an answer is none, or its objective beside the best known."""
    if objective is not None:
        return f"objective {objective}, best known {of['objective']}"
    name: str = _native.code_names(np.array(task_indices(of["task"]), np.int32), np.array([code], np.int32))[0]
    return name


def said(state: TaskState) -> tuple[str, str]:
    """The completion as the format reads it, and how it finished. Inspect moves the first `<think>…</think>` of a text, or
    what the server calls reasoning, to a field of its own: it is put back in front where the format asks for it."""
    if not state.output.choices:
        return "", "unknown"
    choice = state.output.choices[0]
    parts = choice.message.content
    message: dict[str, Any] = {"role": "assistant", "content": parts}
    if not isinstance(parts, str):
        message["content"] = "".join(part.text for part in parts if part.type == "text")
        reasoning = [part.reasoning for part in parts if part.type == "reasoning"]
        if reasoning:
            message["reasoning_content"] = "".join(reasoning)
    return text_of([message], state.metadata["format"]), _finish(choice.stop_reason, state.output.usage)


def _finish(reason: str, usage: Any) -> str:
    """How generation ended. What used up the tokens that it was allowed (`--max-tokens`) was cut off, whatever its server says."""
    limit = _limit()
    if usage is not None and isinstance(limit, int) and 0 < limit <= usage.output_tokens:
        return "length"
    return _FINISH.get(reason, "unknown")


def _limit() -> int | None:
    """The run's --max-tokens. Inspect keeps it where only its own modules look, so that it may move."""
    try:
        from inspect_ai.model._generate_config import active_generate_config
    except ImportError:
        return None
    return active_generate_config().max_tokens
