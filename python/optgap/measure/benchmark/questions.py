"""What a model is asked: instances, their prompts, and how each answer will be read."""

from __future__ import annotations

import hashlib
import json
import pathlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ... import _native
from ...core.arguments import Spec, format_text
from ...core.engine import Engine
from ...core.errors import misuse
from ...core.files.reading import rows_of
from ...core.keys import task_indices
from ...core.problem import RowProblems
from ...core.results import Instances, InstanceSet
from ...data.suites import Suite


@dataclass(frozen=True)
class Questions:
    """One prompt a row, ordered by task and level."""

    instances: Instances
    keys: list[str]
    prompts: list[str]
    formats: list[str]
    """A name or JSON a row, as the engine takes it."""
    baselines: list[dict[str, Any] | None]
    """Records where a set has them; None is solved."""
    originals: list[str] = field(default_factory=list)
    """Of twins: the key of the instance that a row is a twin of."""

    def __len__(self) -> int:
        return len(self.keys)

    def __getitem__(self, rows: Sequence[int]) -> Questions:
        columns = ("keys", "prompts", "formats", "baselines", "originals")
        picked = {name: [getattr(self, name)[row] for row in rows] for name in columns if getattr(self, name)}
        return replace(self, instances=self.instances[list(rows)], **picked)

    @property
    def names(self) -> list[str]:
        """What a row is found by: its key, or that of its original."""
        return self.originals or self.keys

    @property
    def tasks(self) -> list[str]:
        """The task of each row."""
        known = [task["name"] for task in _native.tasks()]
        return [known[index] for index in self.instances.task]

    @property
    def levels(self) -> list[str]:
        """The level of each row, "explicit" for a user's own instance, as `optgap eval` calls it."""
        explicit = self.instances.split < 0
        return [
            "explicit" if own else _native.level_name(int(level)) for own, level in zip(explicit, self.instances.level)
        ]

    @property
    def digest(self) -> str:
        """16 hex digits over all that is asked and how it is read."""
        asked = json.dumps([self.keys, self.prompts, self.formats, self.originals])
        return hashlib.sha256(asked.encode()).hexdigest()[:16]

    @classmethod
    def concat(cls, parts: Sequence[Questions]) -> Questions:
        """All rows, ordered by task, then level as text; the rows of a level keep their order."""
        columns = ("keys", "prompts", "formats", "baselines", "originals")
        joined = {name: [value for part in parts for value in getattr(part, name)] for name in columns}
        whole = cls(Instances.concat(part.instances for part in parts), **joined)
        labels = list(zip(whole.tasks, whole.levels))
        return whole[sorted(range(len(whole)), key=lambda row: labels[row])]


def of_level(
    engine: Engine, tasks: str | Sequence[str], level: str, count: int, seed: int, split: str, format: Spec
) -> Questions:
    """`count` different instances per task, drawn as `optgap bench-set` draws them: spread evenly over the levels ("d3",
    "d0..d4"), a seed that repeats an instance is skipped, prompt styles take turns."""
    if count < 1:
        raise misuse("count", f"is {count}, expected 1 or more")
    shares = _native.spread_levels(level, count)
    if count < len(shares):
        raise misuse("count", f"is {count}, expected one or more for each of the {len(shares)} levels of {level}")
    parts = []
    for index in sorted(set(task_indices(tasks, direct=True))):
        seen = InstanceSet()
        name = engine.tasks[index].name
        pieces = [_different(engine, name, step, some, seed, split, seen) for step, some in shares]
        parts.append(_asked(engine, Instances.concat(pieces), format))
    return Questions.concat(parts)


def of_suites(engine: Engine, chosen: Sequence[Suite], format: Spec) -> Questions:
    """What this build poses of suites, drawn as `optgap bench-set --suite` draws it; a problem of two suites stands once."""
    parts = []
    for suite in chosen:
        posed: dict[str, list[Instances]] = {}
        seen: dict[str, InstanceSet] = {}
        for entry in suite.native:
            name = entry.native or entry.task
            pieces, known = posed.setdefault(name, []), seen.setdefault(name, InstanceSet())
            for level, some in zip(entry.levels, entry.counts):
                pieces.append(_different(engine, name, level, some, entry.seed, entry.split, known))
        parts += [_asked(engine, Instances.concat(pieces), format) for pieces in posed.values()]
    if not parts:
        raise misuse(
            "suite", f"this build poses no task of {', '.join(suite.name for suite in chosen)}: optgap suite show"
        )
    whole = Questions.concat(parts)
    first = {key: row for row, key in reversed(list(enumerate(whole.keys)))}
    return whole[sorted(first.values())]


def of_set(engine: Engine, path: str, tasks: Sequence[str], count: int | None, format: Spec | None) -> Questions:
    """The rows of a set that `optgap bench-set` wrote (or any JSONL of keys or instances with prompts): their own
    prompts, formats and baselines. Rows without a prompt are asked in `format`.

    Args:
        path: A folder of .jsonl files, or one file.
        tasks: Those that are taken; empty or ["all"]: every one.
        count: The first so many of each task; None: all.
        format: Refused where it is not what the set's prompts ask for.
    """
    wanted = None if list(tasks) in ([], ["all"]) else {engine.tasks[index].name for index in task_indices(tasks)}
    taken: dict[str, int] = {}
    rows: list[dict[str, Any]] = []
    names: set[str] = set()
    known = RowProblems(engine)
    for place, row in _set_rows(path):
        kind = known.kind(row)
        if kind != "answer":
            raise misuse(
                "set",
                f"{place} is of the kind {kind}, and bench-model asks for answers: sample completions of other "
                "kinds where the model runs, then `optgap score` and `optgap eval` them",
            )
        task = _task_of(row, place)
        if (wanted is not None and task not in wanted) or (count is not None and taken.get(task, 0) >= count):
            continue
        own = row.get("format", "forge") if "prompt" in row else format or "forge"
        if "prompt" in row and format is not None and format_text(own) != format_text(format):
            raise misuse("format", f"is {format_text(format)}, but {place} asks for {format_text(own)}: leave it out, "
                         "or write the set with `optgap bench-set --format`")  # fmt: skip
        row["format"] = format_text(own)
        name = row.get("key") or json.dumps(row.get("instance"))
        if name not in names:
            names.add(name)
            taken[task] = taken.get(task, 0) + 1
            rows.append(row)
    if not rows:
        raise misuse("set", f"{path} has no rows of {', '.join(sorted(wanted)) if wanted else 'any task'}")
    return Questions.concat([_of_row(engine, row) for row in rows])


def twins_of(engine: Engine, questions: Questions, share: float, seed: int) -> Questions | None:
    """Relabelled twins of the first rows of each task, a share of them and at least one: the same instances with their
    elements renumbered, in the same words. None where the share is 0, or no task has twins."""
    known = {task.name: task for task in engine.tasks}
    rows: list[int] = []
    for name in sorted({name for name in questions.tasks if known[name].axes} if share > 0 else ()):
        of_task = [row for row, task in enumerate(questions.tasks) if task == name]
        rows += of_task[: max(1, round(share * len(of_task)))]
    if not rows:
        return None
    chosen = questions[rows]
    twins = engine.relabel(chosen.instances, seed=seed).instances
    prompts = [_prompt(engine, twins[[row]], chosen.formats[row]) for row in range(len(chosen))]
    return Questions(twins, twins.keys, prompts, chosen.formats, chosen.baselines, chosen.keys)


def _different(
    engine: Engine, task: str, level: str, count: int, seed: int, split: str, seen: InstanceSet
) -> Instances:  # fmt: skip
    """`count` instances that are not `seen` yet."""
    parts: list[Instances] = []
    before = len(seen)
    drawn = 0
    while len(seen) - before < count:
        piece = min(1024, count - (len(seen) - before))
        made = engine.generate(task, level, piece, seed + drawn, split)
        drawn += piece
        parts.append(made[np.flatnonzero(seen.add(made))])
        found = len(seen) - before
        if found < count and drawn > 1000 + 64 * found:
            raise misuse(
                "count", f"{task} at {level} has only {found} different instances in {drawn} seeds: ask for fewer"
            )
    return Instances.concat(parts)


def _asked(engine: Engine, instances: Instances, format: Spec) -> Questions:
    """All of one task, in styles that take turns."""
    text = format_text(format)
    rows = len(instances)
    styles = engine.tasks[int(instances.task[0])].styles
    styled = replace(instances, style=(np.arange(rows) % styles).astype(np.int32))
    return Questions(styled, styled.keys, engine.prompts(styled, text), [text] * rows, [None] * rows)


def _prompt(engine: Engine, instance: Instances, format: str) -> str:
    return engine.prompts(instance, format)[0]


def _set_rows(path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    root = pathlib.Path(path)
    files = sorted(root.glob("*.jsonl")) if root.is_dir() else [root]
    if not files:
        raise misuse("set", f"{path} holds no .jsonl file; `optgap bench-set --out {path}` writes one per task")
    for file in files:
        for place, row in rows_of(file):
            if not isinstance(row.get("prompt", ""), str):
                raise misuse("set", f"{place}: expected an object with a key, or a task and an instance")
            yield place, row


def _task_of(row: dict[str, Any], place: str) -> str:
    key, task = row.get("key"), row.get("task")
    if isinstance(key, str):
        return _native.parse_key(key)[0]
    if isinstance(task, str) and isinstance(row.get("instance"), dict):
        return task.partition("@")[0]
    raise misuse("set", f"{place}: expected a key, or a task and an instance")


def _of_row(engine: Engine, row: dict[str, Any]) -> Questions:
    key = row.get("key")
    if isinstance(key, str) and _native.parse_key(key)[2] != "x":
        instance = engine.instances([key])
    elif isinstance(row.get("instance"), dict):
        instance = engine.from_json(_task_of(row, "a row"), row["instance"])
    else:
        raise misuse("set", f"{key}: an explicit instance needs its `instance` beside the key")
    prompt = row["prompt"] if "prompt" in row else _prompt(engine, instance, row["format"])
    known = {name: row.get(name) for name in ("objective", "bound", "proven", "floor", "greedy")}
    record = known if isinstance(known["proven"], bool) and known["objective"] is not None else None
    return Questions(instance, instance.keys, [prompt], [row["format"]], [record])
