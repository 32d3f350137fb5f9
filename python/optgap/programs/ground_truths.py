"""Ground truths whose answers are programs, and the rows that completions earn by them. Importing this loads nothing native.

A ground truth is JSON with the problem's `key` (or `task` and `instances`), `language`, and perhaps `input`, `interface`, `limits`,
`format` and `baselines`: the fields of a row of `optgap score` without its completion (docs/programs.md).
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

FIELDS = ("key", "task", "instances", "language", "input", "interface", "limits", "format", "baselines")
LANGUAGES = ("python", "cpp")
MOST_INSTANCES = 1000
FIRST_CODE = 40
CODES = (
    "program_missing", "program_repeated", "program_trailing", "program_language", "program_too_long", "compile_error",
    "compile_limit", "run_steps", "run_time", "run_memory", "run_output", "run_crash", "run_exit", "run_forbidden",
    "run_no_output", "not_run", "infrastructure",
)  # fmt: skip
"""Of rows whose answers are programs, numbered from FIRST_CODE on as in include/optgap/programs/codes.hpp."""
_KEY = re.compile(
    r"(?P<task>[a-z]\w*)@\w+:(?:x:[0-9a-f]{32}|\w+:(?P<level>\w+):\d+)\*(?P<count>\d+)(?::s\d+)?(?:#[0-9a-f]+)?"
)


@dataclass(eq=False)
class ProgramProblem:
    """One ground truth, read. What it says is checked in full when its first program is run."""

    row: dict[str, Any]
    """Its fields; `baselines` among them once they are known."""
    key: str
    """Empty of a user's own instances."""
    task: str
    level: str
    """"x" of a user's own instances."""
    format: str
    maximise: bool
    cohort: int = field(init=False)
    """A number for the task, above those of optgap's own."""

    def __post_init__(self) -> None:
        self.cohort = 1 << 30 | zlib.crc32(f"program/{self.task}".encode()) >> 2

    @property
    def data_source(self) -> str:
        """`optgap/program/<task>/<level>`."""
        return f"optgap/program/{self.task}/{self.level}"


class ProgramPaid(NamedTuple):
    """One row."""

    reward: float
    """NaN where it is excluded, or masked."""
    format: float
    feasible: float
    """1 where an answer is valid."""
    quality: float
    raw_ratio: float
    normalized: float
    optimal: float
    """The share of instances whose answer is proven optimal."""
    violation: int
    truncated: bool
    code: str
    length_penalty: float
    baseline_kind: str
    valid: float
    """Share of valid answers."""
    scores: list[float | None]
    """Objectives per instance, None where invalid: what rankings read."""
    masked: bool
    """A run was lost to the machine: no reward for the model, nor against it."""


class Rejected(NamedTuple):
    """Why a row could not be run at all: its ground truth says what cannot be."""

    reason: str


def is_problem_key(key: object) -> bool:
    """Does the text name a problem of programs rather than an instance?"""
    return isinstance(key, str) and "*" in key.partition("#")[0]


def is_record(record: Mapping[str, Any]) -> bool:
    """Is this ground truth a program's?"""
    return is_problem_key(record.get("key")) or record.get("instances") is not None


def read(record: Mapping[str, Any], maximised: Mapping[str, bool]) -> ProgramProblem:
    """A ground truth. `maximised`: of every task by name, is more better? Raises ValueError or Error, which say what is wrong."""
    from optgap.keys import format_fields

    unknown = [name for name in record if name not in FIELDS]
    if unknown:
        raise ValueError(f"{unknown[0]}: is no field of a problem of programs; known are {', '.join(FIELDS)}")
    if record.get("language") not in LANGUAGES:
        raise ValueError(f"language: is {record.get('language')!r}, expected one of {', '.join(LANGUAGES)}")
    key, task, level = record.get("key"), record.get("task"), "x"
    if key is not None:
        named = _KEY.fullmatch(str(key))
        if named is None or not 1 <= int(named["count"]) <= MOST_INSTANCES:
            raise ValueError(
                f"key: {key!r} names no problem, expected one like tsp@1:train:easy:1*10 of at most {MOST_INSTANCES}"
            )
        task, level = named["task"], named["level"] or "x"
        if named["level"] is None and record.get("instances") is None:
            raise ValueError("instances: missing, the key of a user's own problem does not hold them")
    task = str(task).partition("@")[0]
    if task not in maximised:
        raise ValueError(f"task: {task!r} is none of this build")
    form = record.get("format") or "program"
    if format_fields(form)["place"] != "fenced":
        raise ValueError(
            f"format: {form!r} reads no program, expected program, program_strict or a mapping over one of them"
        )
    text = form if isinstance(form, str) else json.dumps(form)
    return ProgramProblem({**record, "format": form}, str(key or ""), task, level, text, maximised[task])
