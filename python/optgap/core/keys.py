"""Tasks, formats and instance keys."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _native
from .arguments import Spec, format_text, integer, name, rows_of
from .errors import misuse

_INT32, _UINT64 = 2**31 - 1, 2**64 - 1
_Int32s = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Task:
    """A task as this build has it."""

    name: str
    version: int
    sense: str
    """"minimise" or "maximise"."""
    title: str
    summary: str
    category: str
    objective: str
    answer_form: str
    styles: int
    """Prompt styles; the last is kept for evaluation."""
    default_budget: int
    codes: tuple[str, ...]
    bound_kinds: tuple[str, ...]
    words: tuple[str, ...]
    """Accepted instead of a list."""
    file_extensions: tuple[str, ...]
    axes: tuple[str, ...]
    """Along which Engine.relabel gives other labels; empty: its instances have no twins."""
    reward: str
    """The reward's spec that is recommended for it: "recommended" in a rule takes it."""
    task_class: str
    """"optimise": feasible or not, and an objective whose optimum is to be proven; "satisfy": constraints that can all
    hold at once, and the objective counts those that do; "exact": one answer is right."""
    family: str
    """The family of tasks with one shape of instance and answer: "cells"."""
    tags: tuple[str, ...]
    rlve: tuple[str, ...]
    """RLVE's identifiers of the environments that it stands for."""
    alphabet: str
    """Answers may be words of it, a letter standing for its place ("ACGT", docs/formats.md); empty: they may not."""
    first_letter: int
    """The number that the alphabet's first letter stands for."""
    letter_rows: bool
    """Answers are rows of letters, a line each."""
    expressions: bool
    """Answers may be arithmetic expressions, which read as their postfix order."""
    numbers: str
    """The reading of numbers without brackets: "none", "single" (the list of one value), "digits", "digit_rows"."""
    direct: bool
    """Whether it may be asked in a prompt; else its instances and answers are too long: Engine.prompts refuses it, words that name
    several tasks leave it out where prompts are written, and only programs are asked for."""


@functools.cache
def tasks() -> tuple[Task, ...]:
    """The tasks of this build; a task's index is its place."""
    found = []
    for row in _native.tasks():
        fields: dict[str, Any] = {field: tuple(of) if isinstance(of, list) else of for field, of in row.items()}
        found.append(Task(**fields))
    return tuple(found)


def task_indices(task: str | Sequence[str], direct: bool = False) -> list[int]:
    """Indices of the tasks that a word or a list of words names: NAME or NAME@VERSION, "all", a pattern ("*_set",
    "cells/*" of family and name), "class:satisfy", "family:cells", "tag:graph", "rlve:SubsetSum". Each task once for the
    words that name several, in the words' order; a plain name that is said twice stands twice.

    Args:
        task: The word or the words.
        direct: For prompts: words for several tasks leave out those that are not direct; Error for such a task's name.
    """
    if isinstance(task, str):
        names = [task]
    else:
        rows_of(task, "task")
        names = list(task)
    found: list[int] = []
    for one in names:
        word = name(one, "task")
        choose = _native.choose_direct_tasks if direct else _native.choose_tasks
        if word == "all" or any(mark in word for mark in "*:/"):
            found += [index for index in choose(word) if index not in found]
        else:
            found.append(_native.task_index(word))
            if direct:
                _native.choose_direct_tasks(word)
    return found


def spec_rows(
    task: str | Sequence[str],
    level: str | int,
    count: int,
    seed: int,
    split: str,
    style: int | str,
    direct: bool = False,
) -> tuple[_Int32s, _Int32s, _Int32s, npt.NDArray[np.uint64], _Int32s]:
    """The columns task, level, split, seed and style of the instances that Engine.generate names so; `direct` as of task_indices."""
    chosen = task_indices(task, direct)
    step = level if isinstance(level, str) else f"d{integer(level, 'level', 0, _INT32)}"
    count = integer(count, "count", 0, _INT32)
    seed = integer(seed, "seed", 0, _UINT64 - max(count - 1, 0))
    rows = len(chosen) * count
    columns = (
        np.repeat(np.asarray(chosen, np.int32), count),
        np.full(rows, _native.level_code(name(step, "level")), np.int32),
        np.full(rows, _native.split_code(name(split, "split")), np.int32),
        np.tile(np.arange(count, dtype=np.uint64) + np.uint64(seed), len(chosen)),
    )
    return (*columns, style_column(style, *columns))


def style_column(
    style: int | str, task: _Int32s, level: _Int32s, split: _Int32s, seed: npt.NDArray[np.uint64]
) -> _Int32s:
    """The style of each row: `style`, or for "drawn" one by the row's key, of all but the task's last."""
    if isinstance(style, str):
        if style != "drawn":
            raise misuse(
                "style", f"{style!r} is no prompt style: expected a number, or 'drawn' for one per row by its key"
            )
        drawn: _Int32s = _native.drawn_styles(task, level, split, seed)
        return drawn
    return np.full(len(task), integer(style, "style", 0, _INT32), np.int32)


def formats() -> tuple[str, ...]:
    """Names of the answer formats; the first is the default."""
    return tuple(_native.format_names())


def format_fields(format: Spec) -> dict[str, Any]:
    """All fields of a format (docs/formats.md): a name, JSON text, or a mapping of fields over those of a named one."""
    fields: dict[str, Any] = json.loads(_native.format_json(format_text(format)))
    return fields


def load_kinds(kinds: str | Sequence[str]) -> None:
    """Loads packages of your own (docs/kinds.md). Specs may name their estimators and shapes in this process from then on:
    `engine.advantages(rewards, group, "softened")`. `Scorer(kinds=…)` and `optgap.score(…, kinds=…)` load theirs.

    Args:
        kinds: A name, several with commas, or a list of names.

    Raises:
        Error: For a package that is not found or whose kind.json is wrong, and where a name is taken.
    """
    _native.load_kinds(json.dumps({"kinds": kinds if isinstance(kinds, str) else list(kinds)}))


def estimators() -> dict[str, dict[str, Any]]:
    """The declaration of each estimator, by name: formula, source, scope, reads (a list), device, needs_validity, parameters
    and presets."""
    return {row["name"]: row for row in json.loads(_native.describe_estimators())}


def shapes() -> dict[str, dict[str, Any]]:
    """The declaration of each reward shape, by name: formula, source, whole, parameters and defaults."""
    return {row["name"]: row for row in json.loads(_native.describe_shapes())}


def estimator_of(spec: str) -> dict[str, Any]:
    """The declaration of a spec's estimator: a name of one or of its presets, or JSON. Raises KeyError for another."""
    text = spec.strip()
    name = str(json.loads(text).get("estimator", "grpo")) if text.startswith("{") else text
    found = [row for row in estimators().values() if name == row["name"] or name in row["presets"]]
    if not found:
        raise KeyError(name)
    return found[0]


@dataclass(frozen=True)
class Key:
    """The name of an instance, `tsp@1:train:hard:42:s3#9f3a1c2e`, taken apart. str(key) is the text."""

    task: str
    version: int
    split: str
    """"train", "val", "test", or "x" for a user's own instance."""
    level: str = ""
    seed: int = 0
    style: int = 0
    hash: str = ""
    """8 hex digits, 32 for a user's own instance; may be empty."""

    @classmethod
    def parse(cls, text: str) -> Key:
        """Raises Error that says which part is wrong and what was expected."""
        return cls(*_native.parse_key(name(text, "key")))

    @property
    def short(self) -> str:
        """For people: "tsp easy 42", and the split where it is not train. Consoles that render Markdown read emoji into the
        whole key: `rich` shows `:train:` as a train."""
        if self.split == "x":
            return f"{self.task} own {self.hash[:8]}"
        return f"{self.task} {self.level} {self.seed}" + ("" if self.split == "train" else f" {self.split}")

    def __str__(self) -> str:
        return _native.format_key((self.task, self.version, self.split, self.level, self.seed, self.style, self.hash))
