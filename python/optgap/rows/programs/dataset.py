"""Data sets whose answers are programs, as verl, TRL, OpenRLHF and slime read them (docs/programs.md).

from optgap.rows.programs.dataset import export

report = export("train.parquet", "verl", ["tsp", "knapsack"], level="hard", count=1000, instances=10, language="cpp")
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from optgap import _native
from optgap.core.arguments import Spec
from optgap.core.engine import Engine
from optgap.core.errors import misuse
from optgap.core.results import InstanceSet
from optgap.data import dataset, suites
from optgap.data.dataset import CHUNK, HELD_OUT, TRAINERS, Item, Report
from optgap.rows.programs import problems
from optgap.rows.programs.ground_truths import MAX_INSTANCES, is_problem_key

STYLES = 3
"""Of statements; the last one is kept for evaluation."""


def ground_truth(row: Mapping[str, Any], baselines: Sequence[Mapping[str, Any]]) -> str:
    """The one string that scoring needs: the problem, how its programs are read and run, and what is known of its instances."""
    kept = {name: row[name] for name in ("key", "language", "input", "interface", "limits", "format") if name in row}
    return json.dumps({**kept, "baselines": list(baselines)}, separators=(",", ":"))


def export(
    out: str | os.PathLike[str],
    trainer: str,
    tasks: str | Iterable[str],
    level: str | int = "easy",
    count: int = 1000,
    *,
    instances: int = 10,
    language: str = "python",
    limits: str | Mapping[str, Any] = "train",
    input: str | None = None,
    interface: str = "stdio",
    seed: int = 0,
    split: str = "train",
    format: Spec = "program",
    style: int | str = 0,
    system: str | None = None,
    budget: int = -1,
    held_out: int = HELD_OUT,
    held_out_tasks: str | Sequence[str] = (),
    exclude: Sequence[str] = (),
    max_prompt_chars: int | None = None,
    engine: Engine | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Writes a data set of problems, chunk by chunk.

    A problem of which one hidden instance is repeated or held out is left out whole.

    Args:
        out: A file that ends in .parquet or .jsonl, or "-" for JSONL on standard output.
        trainer: "verl", "trl", "openrlhf" or "slime".
        tasks: A name, several, or "all". Rows come task after task: trainers shuffle.
        level: As in Engine.generate.
        count: Problems per task, before any is left out.
        instances: Hidden ones of a problem, which have consecutive seeds.
        language: "python" or "cpp".
        limits: "train", "river", "ahc" or a mapping over one of them.
        input: What programs read, "json" or "plain"; None: JSON in Python and plain numbers in C++.
        interface: "stdio", or "solve": a Python function that gets parsed arguments and returns a list of str.
        seed: The first seed; problem i begins `i * instances` behind it.
        split: "train" or "val". "test" is refused: it is kept for evaluation.
        format: "program", "program_strict" or a mapping over one of them.
        style: Of the statement, or "all" for a row of each. The last one is kept for evaluation and refused in train.
        system: Content of a system message before the prompt.
        budget: Steps per baseline, -1 for each task's default.
        held_out: As in optgap.data.dataset.export.
        held_out_tasks: Suites (docs/suites.md) whose tasks are refused.
        exclude: JSONL files with `key`, of instances or of problems; their instances are left out, too.
        max_prompt_chars: Longer prompts are left out.
        engine: None makes one.
        progress: Called with problems done and problems in all.
    """
    dataset.check_target(trainer, split)
    if style == "drawn":
        raise misuse("style", "drawn knows answers alone: take a number, or all")
    if split == "train" and style == STYLES - 1:
        raise misuse("style", f"is {style}, which is kept for evaluation: take 0 to {STYLES - 2} in train, or all")
    if not 1 <= instances <= MAX_INSTANCES:
        raise misuse("instances", f"is {instances}, expected 1 to {MAX_INSTANCES}")
    if count < 1:
        raise misuse("count", f"is {count}, expected 1 or more")
    engine = engine or Engine()
    named = [tasks] if isinstance(tasks, str) else list(tasks)
    named = [task.name for task in engine.tasks] if named == ["all"] else named
    chosen = [engine.tasks[_native.task_index(name)] for name in named]
    suites.refuse(held_out_tasks, [task.name for task in chosen])
    # Asked for before anything is written, so that what cannot be is refused first.
    posed: dict[str, Any] = dict(level=_level(level), instances=instances, split=split, language=language, limits=limits, format=format,
                 style=style, input=input, interface=interface)  # fmt: skip
    form, opening = TRAINERS[trainer], [] if system is None else [{"role": "system", "content": system}]
    report, began = Report(), time.monotonic()
    step = max(1, CHUNK // instances)
    with dataset.writing(os.fspath(out)) as writer:
        for place, task in enumerate(chosen):
            apart = dataset.held_out_sets(engine, task.name, level, split, held_out, exclude, keys_of=_instance_keys)
            seen = InstanceSet()
            for first in range(0, count, step):
                here, base = min(step, count - first), seed + first * instances
                rows = problems(task.name, count=here, seed=base, **posed)
                made = engine.generate(task.name, level, here * instances, base, split)
                fresh = seen.add(made)
                report.repeated += int((~fresh).sum())
                for name, held in apart.items():
                    known = fresh & held.contains(made)
                    report.overlap[name] = report.overlap.get(name, 0) + int(known.sum())
                    fresh &= ~known
                whole = np.asarray(fresh.reshape(here, instances).all(axis=1))
                kept = made[np.repeat(whole, instances)]
                report.instances += len(kept)
                solved = engine.baselines(kept, [None] * len(kept), budget) if len(kept) else None
                report.unproven += 0 if solved is None else int((~solved.proven).sum())
                records = [] if solved is None else solved.records()
                items = []
                for at, row in enumerate(rows):  # a row for each style of the problem, side by side
                    number = at * here // len(rows)
                    if not whole[number]:
                        continue
                    if max_prompt_chars is not None and len(row["prompt"]) + len(system or "") > max_prompt_chars:
                        report.too_long += 1
                        continue
                    mine = int(whole[:number].sum()) * instances
                    truth = ground_truth(row, records[mine : mine + instances])
                    prompt = [*opening, {"role": "user", "content": row["prompt"]}]
                    items.append(
                        Item(
                            row["key"],
                            f"program/{task.name}",
                            row["level"],
                            task.category,
                            split,
                            report.rows,
                            prompt,
                            truth,
                        )
                    )
                    report.rows += 1
                if items:
                    writer.write([form(item) for item in items])
                if progress is not None:
                    progress(place * count + first + here, len(chosen) * count)
        if report.rows == 0:
            raise misuse("count", f"nothing is left to write: {report}")
    report.seconds = time.monotonic() - began
    return report


def _level(level: str | int) -> str:
    return level if isinstance(level, str) else f"d{level}"


def _instance_keys(key: str) -> list[str]:
    """Of a problem's hidden instances, or of the one instance that the key names."""
    return hidden_keys(key) if is_problem_key(key) else [key]


def hidden_keys(key: str) -> list[str]:
    """Of the instances of a problem, without their hashes. Raises Error for a user's own problem, whose key does not hold them."""
    named = key.partition("#")[0]
    head, _, rest = named.partition("*")
    place, _, seed = head.rpartition(":")
    if place.endswith(":x"):
        raise misuse("exclude", f"{key} is a user's own problem, whose key does not hold its instances")
    return [f"{place}:{int(seed) + number}" for number in range(int(rest.partition(":")[0]))]
