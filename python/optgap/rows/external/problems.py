"""Ground truths of external problems. Importing this loads nothing native: adapters do it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from .keys import ExternalKey, is_external, parse, problem_hash
from .protocol import canonical


class ExternalProblem(NamedTuple):
    """One ground truth, read."""

    key: ExternalKey
    problem: str
    """Canonical JSON."""
    format: str

    @property
    def data_source(self) -> str:
        """`optgap/<task>/dN`."""
        return f"optgap/{self.key.task}/d{self.key.level}"

    @property
    def row(self) -> str:
        """As `optgap score` reads it, without completion and verdict: JSON."""
        return json.dumps(
            {"key": str(self.key), "format": self.format if "{" not in self.format else json.loads(self.format)}
        )

    @property
    def number(self) -> int:
        """-1: no baseline is the ground truth's own, and the verdict brings what it is measured against."""
        return -1

    @property
    def level(self) -> str:
        """ "/d3", behind the task in `data_source`."""
        return f"/d{self.key.level}"


def read(record: Mapping[str, Any]) -> ExternalProblem:
    """A ground truth {key, problem[, format]}. Raises ValueError or Error, which say what is wrong with it."""
    from ...core.keys import format_fields

    key = parse(str(record["key"]))
    if "problem" not in record:
        raise ValueError(f"{key}: has no problem, which an external key needs beside it")
    problem = record["problem"]
    found = problem_hash(problem)
    if key.hash and found != key.hash:
        raise ValueError(f"{key}: the problem beside it has the hash {found}")
    form = record.get("format") or "forge"
    format_fields(form)  # raises Error for one that is none
    return ExternalProblem(key, canonical(problem), form if isinstance(form, str) else json.dumps(form))


def is_record(record: Mapping[str, Any]) -> bool:
    """Whether this ground truth is an external problem's."""
    return is_external(record.get("key"))


def ground_truth(key: ExternalKey, problem: Any, format: str) -> str:
    """The string that scoring needs, as JSON."""
    record = {"key": str(key), "problem": json.loads(canonical(problem)), "format": format}
    return json.dumps(record, separators=(",", ":"))
