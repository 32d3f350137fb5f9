"""Data sets as trainers read them: prompts with the instance's key, its baseline and the answer format as ground truth.

    import optgap.data.dataset

    report = optgap.data.dataset.export("train.parquet", "verl", ["tsp", "knapsack"], level="hard", count=100_000)

docs/python.md shows a row of each trainer.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Protocol

from .. import _native
from ..core import arguments
from ..core.arguments import Spec
from ..core.engine import Engine
from ..core.errors import misuse
from ..core.files.reading import rows_of
from ..core.files.run_folder import replacing
from ..core.keys import style_column, task_indices
from ..core.results import Baselines, Instances, InstanceSet
from ..rows.external.keys import parse
from ..rows.external.naming import adopt, is_outside
from ..trainers.adapter import rows as forms
from . import environment_rows, suites

logger = logging.getLogger("optgap")

CHUNK = 1024
"""Instances generated, solved and written at a time."""

HELD_OUT = 1024
"""First seeds of val and test, per task, that an export is kept apart from."""


@dataclass(frozen=True)
class Item:
    """One row before a trainer's form is put on it."""

    key: str
    task: str
    level: str
    category: str
    split: str
    index: int
    prompt: list[dict[str, str]]
    ground_truth: str

    @property
    def data_source(self) -> str:
        return f"optgap/{self.task}/{self.level}"

    @property
    def origin(self) -> dict[str, Any]:
        return {"split": self.split, "index": self.index, "task": self.task, "level": self.level, "key": self.key}


TRAINERS: dict[str, Callable[[Item], dict[str, Any]]] = dict(forms())
"""Each trainer's form of a row, and each environment's that has one of its own."""


@dataclass
class Report:
    """What an export wrote and what it left out."""

    rows: int = 0
    instances: int = 0
    repeated: int = 0
    """Instances left out because the export had them already."""
    relabelled: int = 0
    """Instances left out because the export had the same problem under other labels."""
    overlap: dict[str, int] = field(default_factory=dict)
    """Instances left out because val, test or an excluded file holds them."""
    too_long: int = 0
    """Prompts left out because they are longer than max_prompt_chars."""
    failed: int = 0
    """Problems that an environment did not make."""
    unproven: int = 0
    """Instances whose baseline is not proven."""
    seconds: float = 0.0

    def __str__(self) -> str:
        left_out = [
            f"{self.repeated} repeated",
            f"{self.relabelled} under other labels",
            *(f"{n} also in {name}" for name, n in self.overlap.items()),
        ]
        if self.too_long:
            left_out.append(f"{self.too_long} prompts too long")
        if self.failed:
            left_out.append(f"{self.failed} that their environment did not make")
        return (
            f"{self.rows} rows of {self.instances} instances, {self.unproven} with a baseline that is not proven; "
            f"left out: {', '.join(left_out)}; {self.rows / max(self.seconds, 1e-9):.0f} rows/s"
        )


class Writer(Protocol):
    """Takes rows chunk by chunk."""

    def write(self, rows: list[dict[str, Any]]) -> None: ...
    def close(self) -> None: ...


class _JsonLines:
    def __init__(self, write: Callable[[str], Any]) -> None:
        self._write = write

    def write(self, rows: list[dict[str, Any]]) -> None:
        for row in rows:
            self._write(json.dumps(row) + "\n")

    def close(self) -> None:
        pass


class _Parquet:
    def __init__(self, file: BinaryIO) -> None:
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            raise misuse("out", "parquet needs pyarrow: pip install 'optgap[dataset]', or write .jsonl") from None
        self._arrow = pyarrow
        self._file = file
        self._writer: Any = None

    def write(self, rows: list[dict[str, Any]]) -> None:
        table = self._arrow.Table.from_pylist(rows, schema=self._writer.schema if self._writer else None)
        if self._writer is None:
            self._writer = self._arrow.parquet.ParquetWriter(self._file, table.schema)
        self._writer.write_table(table)

    def close(self) -> None:
        if self._writer is None:
            self.write([])
        self._writer.close()


@contextlib.contextmanager
def writing(out: str) -> Iterator[Writer]:
    """A file appears under its name when it is whole."""
    if out == "-":
        yield _JsonLines(sys.stdout.write)
        sys.stdout.flush()
        return
    if not out.endswith((".parquet", ".jsonl")):
        raise misuse("out", f"'{out}' ends in neither .parquet nor .jsonl")
    with replacing(out) as file:
        writer = _Parquet(file) if out.endswith(".parquet") else _JsonLines(lambda text: file.write(text.encode()))
        with contextlib.closing(writer):
            yield writer


def ground_truth(key: str, baseline: dict[str, Any], format: str) -> str:
    """The one string that scoring needs: the instance's key, its baseline and the answer format, as JSON."""
    return json.dumps({"key": key, "baseline": baseline, "format": format}, separators=(",", ":"))


def check_target(trainer: str, split: str) -> None:
    """Raises Error for a trainer that is not known, and for a split that no training export takes."""
    if trainer not in TRAINERS:
        raise misuse("trainer", f"is '{trainer}', expected one of {', '.join(TRAINERS)}")
    if split not in ("train", "val"):
        raise misuse("split", f"is '{split}': training exports take train or val, test is kept for evaluation")


def held_out_sets(
    engine: Engine, task: str, level: str | int, split: str, seeds: int, files: Sequence[str], canonical: bool = False,
    keys_of: Callable[[str], Sequence[str]] = lambda key: [key],
) -> dict[str, InstanceSet]:  # fmt: skip
    """Instances of a task to keep an export apart from, by where they are.

    Args:
        engine: That generates them.
        task: Its name, perhaps with a version.
        level: Of the export.
        split: Of the export: the first `seeds` of each later split are held out.
        seeds: As it says.
        files: JSONL files whose rows' keys are held out, too.
        canonical: True: instances that differ by their labels alone are one.
        keys_of: The instances' keys that a row's key stands for.
    """
    sets: dict[str, InstanceSet] = {}
    for other in {"train": ("val", "test"), "val": ("test",)}[split]:
        sets[other] = InstanceSet(canonical)
        for first in range(0, seeds, CHUNK):
            sets[other].add(engine.generate(task, level, min(CHUNK, seeds - first), first, other))
    name = task.split("@")[0]
    for path in files:
        sets[path] = InstanceSet(canonical)
        found = (str(row.get("key", "")) for _, row in rows_of(path))
        keys = [one for key in found if key.split("@")[0] == name for one in keys_of(key)]
        for first in range(0, len(keys), CHUNK):
            sets[path].add(engine.instances(keys[first : first + CHUNK]))
    return sets


def _fresh(
    made: Instances, seen: InstanceSet, problems: InstanceSet | None, held_out: dict[str, InstanceSet], report: Report
) -> Instances:
    new = seen.add(made)
    report.repeated += int((~new).sum())
    rows = None if problems is None else problems.rows(made)
    if problems is not None:
        other = problems.add(made, rows)
        report.relabelled += int((new & ~other).sum())
        new &= other
    for name, held in held_out.items():
        known = new & held.contains(made, rows)
        report.overlap[name] = report.overlap.get(name, 0) + int(known.sum())
        new &= ~known
    return made[new]


def export(
    out: str | os.PathLike[str],
    trainer: str,
    tasks: str | Iterable[str],
    level: str | int = "easy",
    count: int = 1000,
    *,
    seed: int = 0,
    split: str = "train",
    format: Spec = "forge",
    style: int | str = 0,
    system: str | None = None,
    budget: int = -1,
    held_out: int = HELD_OUT,
    held_out_tasks: str | Sequence[str] = (),
    exclude: Sequence[str] = (),
    keep_relabelled: bool = False,
    max_prompt_chars: int | None = None,
    engine: Engine | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Writes a data set, chunk by chunk: memory does not grow with `count` but for 120 bytes an instance.

    Args:
        out: A file that ends in .parquet or .jsonl, or "-" for JSONL on standard output.
        trainer: "verl", "trl", "openrlhf" or "slime"; "nemo-gym" or "skyrl" (docs/environments.md).
        tasks: A name, several, or "all"; not what is too long for a prompt (Task.direct). Rows come task after task: trainers
            shuffle. Environments, FILE.py:CLASS or mine/toy, come last (docs/own_tasks.md): they have levels dN and one
            style, and their problems of val and test are others by their seeds, so none is made to be held out.
        level: As in Engine.generate.
        count: Instances per task, before repeated ones are left out.
        seed: The first seed.
        split: "train" or "val". "test" is refused: it is kept for evaluation.
        format: The answer format; prompts ask for it and the ground truth carries it.
        style: Prompt style, "all" for a row of each, or "drawn" for one per row by its key, of all but the last. The last
            style is kept for evaluation and refused in train.
        system: Content of a system message before the prompt.
        budget: Steps per baseline, -1 for each task's default.
        held_out: Instances that the first so many seeds of val and test name are left out of train (of test: of val).
        held_out_tasks: Suites (docs/suites.md) whose tasks are refused.
        exclude: JSONL files with `key`; their instances are left out, too.
        keep_relabelled: True: what differs from another instance by its labels alone stays, here and against held-out ones.
        max_prompt_chars: Longer prompts are left out.
        engine: None makes one.
        progress: Called with instances done and instances in all.
    """
    check_target(trainer, split)
    format = arguments.format_text(format)
    _native.format_index(format)
    engine = engine or Engine()
    known = {task.name: task for task in engine.tasks}
    names = [tasks] if isinstance(tasks, str) else list(tasks)
    names = [name for name in known if known[name].direct] if names == ["all"] else names
    outside = adopt([name for name in names if is_outside(name)])
    ours = [name for name in names if not is_outside(name)]
    chosen = [engine.tasks[index] for index in task_indices(ours, direct=True)] if ours else []
    suites.refuse(held_out_tasks, [*(task.name for task in chosen), *outside])
    for name in outside if not ours else ():
        environment_rows.refuse(name, style=style not in (0, "all", "drawn"), budget=budget != -1)
    styles = {task.name: _styles(style, task.styles, task.name, split) for task in chosen}
    form = TRAINERS[trainer]
    report = Report()
    began = time.monotonic()
    with writing(os.fspath(out)) as writer:
        for place, task in enumerate(chosen):
            apart = held_out_sets(engine, task.name, level, split, held_out, exclude, not keep_relabelled)
            seen, problems = InstanceSet(), None if keep_relabelled else InstanceSet(canonical=True)
            for first in range(0, count, CHUNK):
                made = engine.generate(task.name, level, min(CHUNK, count - first), seed + first, split)
                fresh = _fresh(made, seen, problems, apart, report)
                if len(fresh):
                    baselines = engine.baselines(fresh, [None] * len(fresh), budget)
                    report.unproven += int((~baselines.proven).sum())
                    report.instances += len(fresh)
                    items = _items(engine, fresh, baselines, styles[task.name], format, system, report)
                    kept = [item for item in items if _short_enough(item, max_prompt_chars, report)]
                    if kept:
                        writer.write([form(item) for item in kept])
                if progress is not None:
                    progress(place * count + min(first + CHUNK, count), (len(chosen) + len(outside)) * count)
        for place, name in enumerate(outside, len(chosen)):
            draws = environment_rows.Draws(name, level, split, format, exclude)
            for first in range(0, count, CHUNK):
                drawn = list(draws.draw(seed + first, min(CHUNK, count - first)))
                found = (_outside_item(one, split, system, report) for one in drawn)
                kept = [item for item in found if _short_enough(item, max_prompt_chars, report)]
                report.instances += len(drawn)
                report.unproven += len(drawn)
                if kept:
                    writer.write([form(item) for item in kept])
                if progress is not None:
                    progress(place * count + min(first + CHUNK, count), (len(chosen) + len(outside)) * count)
            _note(report, draws)
        if report.rows == 0:
            raise misuse("count", f"nothing is left to write: {report}")
    report.seconds = time.monotonic() - began
    return report


def _outside_item(drawn: environment_rows.Drawn, split: str, system: str | None, report: Report) -> Item:
    key = parse(drawn.key)
    opening = [] if system is None else [{"role": "system", "content": system}]
    return Item(
        key=drawn.key,
        task=key.task,
        level=f"d{key.level}",
        category="environment",
        split=split,
        index=report.rows,
        prompt=[*opening, {"role": "user", "content": drawn.prompt}],
        ground_truth=drawn.ground_truth,
    )


def _note(report: Report, draws: environment_rows.Draws) -> None:
    report.repeated += draws.repeated
    report.failed += draws.failed
    for path, count in draws.overlap.items():
        report.overlap[path] = report.overlap.get(path, 0) + count
    if draws.first_failure:
        logger.warning("%s", draws.first_failure)


def _styles(style: int | str, known: int, task: str, split: str) -> list[int | str]:
    usable = max(1, known - 1) if split == "train" else known
    if style == "all":
        return list(range(usable))
    if style == "drawn":
        return [style]
    if not isinstance(style, int) or not 0 <= style < usable:
        raise misuse("style", f"is {style}, but {task} has styles 0 to {usable - 1} for {split}, or say all or drawn")
    return [style]


def _items(
    engine: Engine, instances: Instances, baselines: Baselines, styles: list[int | str], format: str, system: str | None,
    report: Report,
) -> Iterator[Item]:  # fmt: skip
    task = engine.tasks[int(instances.task[0])]
    level = _native.level_name(int(instances.level[0]))
    split = ("train", "val", "test")[int(instances.split[0])]
    opening = [] if system is None else [{"role": "system", "content": system}]
    records = baselines.records()
    written = []
    for style in styles:
        named = (instances.task, instances.level, instances.split, instances.seed)
        styled = Instances(**{**_fields(instances), "style": style_column(style, *named)})
        written.append((styled.keys, engine.prompts(styled, format)))
    for row, record in enumerate(records):
        for keys, prompts in written:
            yield Item(
                key=keys[row],
                task=task.name,
                level=level,
                category=task.category,
                split=split,
                index=report.rows,
                prompt=[*opening, {"role": "user", "content": prompts[row]}],
                ground_truth=ground_truth(keys[row], record, format),
            )


def _fields(instances: Instances) -> dict[str, Any]:
    return {name: getattr(instances, name) for name in (*instances.columns, "words", "offsets")}


def _short_enough(item: Item, limit: int | None, report: Report) -> bool:
    if limit is not None and sum(len(message["content"]) for message in item.prompt) > limit:
        report.too_long += 1
        return False
    report.rows += 1
    return True
