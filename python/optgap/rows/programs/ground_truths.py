"""Ground truths whose answers are programs. Importing this loads nothing native.

A ground truth is JSON with the problem's `key` (or `task` and `instances`), `language`, and perhaps `input`, `interface`, `limits`,
`format` and `baselines`: the fields of a row of `optgap score` without its completion (docs/programs.md).
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

FIELDS = ("key", "task", "instances", "language", "input", "interface", "limits", "format", "baselines")
LANGUAGES = ("python", "cpp")
MAX_INSTANCES = 1000
_KEY = re.compile(
    r"(?P<task>[a-z]\w*)@\w+:(?:x:[0-9a-f]{32}|\w+:(?P<level>\w+):\d+)\*(?P<count>\d+)(?::s\d+)?(?:#[0-9a-f]+)?"
)


@dataclass(eq=False)
class ProgramProblem:
    """One ground truth, read. What it says is checked in full when its first program is run."""

    row: str
    """Its fields as JSON."""
    key: str
    """Empty of a user's own instances."""
    task: str
    level: str
    """"x" of a user's own instances."""
    format: str
    maximise: bool
    number: int = field(default_factory=itertools.count(-2, -1).__next__)
    """Its own in this process, below those of other ground truths."""

    @property
    def data_source(self) -> str:
        """`optgap/program/<task>/<level>`."""
        return f"optgap/program/{self.task}/{self.level}"


def is_problem_key(key: object) -> bool:
    """Whether the text names a problem of programs rather than an instance."""
    return isinstance(key, str) and "*" in key.partition("#")[0]


def is_own(record: Mapping[str, Any]) -> bool:
    """Whether this ground truth names the folder or archive of a user's own problem (docs/problems.md)."""
    named = isinstance(record.get("problem"), str) and "language" in record
    return named and "key" not in record and "instances" not in record


def is_record(record: Mapping[str, Any]) -> bool:
    """Whether this ground truth is a program's, on instances of a task."""
    return is_problem_key(record.get("key")) or record.get("instances") is not None


def read(record: Mapping[str, Any], maximised: Mapping[str, bool]) -> ProgramProblem:
    """A ground truth. `maximised`: of every task by name, is more better? Raises ValueError or Error, which say what is wrong."""
    from optgap.core.keys import format_fields

    unknown = [name for name in record if name not in FIELDS]
    if unknown:
        raise ValueError(f"{unknown[0]}: is no field of a problem of programs; known are {', '.join(FIELDS)}")
    if record.get("language") not in LANGUAGES:
        raise ValueError(f"language: is {record.get('language')!r}, expected one of {', '.join(LANGUAGES)}")
    key, task, level = record.get("key"), record.get("task"), "x"
    if key is not None:
        named = _KEY.fullmatch(str(key))
        if named is None or not 1 <= int(named["count"]) <= MAX_INSTANCES:
            raise ValueError(
                f"key: {key!r} names no problem, expected one like tsp@1:train:easy:1*10 of at most {MAX_INSTANCES}"
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
    return ProgramProblem(json.dumps({**record, "format": form}), str(key or ""), task, level, text, maximised[task])
