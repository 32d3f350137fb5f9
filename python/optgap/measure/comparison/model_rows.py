"""The rows of a model, reduced to what a comparison needs: the instance and sample of each, and its outcome."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ...core.errors import Error, misuse
from ...core.files.reading import object_in, rows_of, text_of
from ...core.keys import Key
from ...rows.external import keys as external_keys
from ...rows.scoring import Scorer
from ..benchmark import settings

Row = dict[str, Any]
Sample = tuple[str, int]
"""The name of an instance, and which of the answers to it."""

ROLLOUTS, REPORT = "rollouts.jsonl", "report.json"
RATES = ("sr", "qr", "normalized", "optimal")
_COLUMNS = {"sr": "feasible", "qr": "quality", "normalized": "normalized", "optimal": "optimal"}
_BATCH = 1024  # rows scored at a time


@dataclass(frozen=True)
class Place:
    """The task and level of an instance; the level is "explicit" for an instance of a user's own."""

    task: str
    level: str


@dataclass(frozen=True)
class Outcome:
    """What became of a row. A value is None where the row does not have it."""

    code: str
    """"ok", or the first broken rule."""
    values: dict[str, float | None]
    """By RATES, 0 to 1 (`normalized`: -1 to 1), and `tokens`, a count."""


@dataclass
class ModelRows:
    """All rows of a model."""

    name: str
    source: str
    outcomes: dict[Sample, Outcome | None] = field(default_factory=dict)
    """None: the row is an error row, such as one whose request failed."""
    places: dict[str, Place] = field(default_factory=dict)
    """Of each instance, in the order of the rows."""
    samples: dict[str, int] = field(default_factory=dict)
    """Rows of each instance so far: the number of the next one that has none."""
    fingerprints: set[str] = field(default_factory=set)
    """What the numbers were computed under (docs/debugging.md)."""
    settings: Row = field(default_factory=dict)
    """Of the run of bench-model; empty for a file of rows."""
    nameless: int = 0
    """Error rows without an instance."""

    @property
    def failed(self) -> list[Sample]:
        return [sample for sample, outcome in self.outcomes.items() if outcome is None]


def read(path: str, scorer: Callable[[], Scorer]) -> dict[str, ModelRows]:
    """The rows of a folder of `optgap bench-model`, or of a file of JSONL, by model.

    Rows that `optgap score` wrote are taken as they are; others are scored, as `optgap eval` does it.

    Args:
        path: A folder with rollouts.jsonl, a report.json beside it, or a file.
        scorer: Called when the first row is to be scored.

    Raises:
        Error, ValueError: A row cannot be scored, has no instance, or stands for an answer that stood before. The sentence
            names file and line.
    """
    folder = folder_of(path)
    if folder is None:
        found: dict[str, ModelRows] = {}
        for place, row, scored in _scored(rows_of(path), scorer):
            said = row.get("model")
            name = said if isinstance(said, str) else ""
            _add(found.setdefault(name, ModelRows(name or os.path.basename(path), path)), place, row, scored)
        return found
    rollouts = os.path.join(folder, ROLLOUTS)
    if not os.path.isfile(rollouts):
        raise ValueError(f"{folder} holds no {ROLLOUTS}; expected a folder of optgap bench-model, or a file of rows")
    path = os.path.join(folder, settings.FILE)
    known = object_in(text_of(path), path) if os.path.isfile(path) else {}
    name = str(known.get("model", os.path.basename(os.path.normpath(folder))))
    whole = ModelRows(name, folder, settings=known)  # a server may call the model by several names
    if os.path.isfile(os.path.join(folder, REPORT)):
        report = report_of(folder)
        if isinstance(fingerprint := report.get("fingerprint"), str):
            whole.fingerprints.add(fingerprint)
    for place, row, scored in _scored(rows_of(rollouts), scorer):
        _add(whole, place, row, scored)
    return {name: whole}


def folder_of(path: str) -> str | None:
    """The folder of bench-model that a path names by itself or by its report.json; None for a file of rows."""
    if os.path.isdir(path):
        return path
    return os.path.dirname(path) or "." if os.path.basename(path) == REPORT else None


def report_of(folder: str) -> Row:
    """The report in a folder of bench-model. Raises ValueError."""
    path = os.path.join(folder, REPORT)
    if not os.path.isfile(path):
        raise ValueError(f"{folder} holds no {REPORT}; expected a folder of optgap bench-model whose run has ended")
    return object_in(text_of(path), path)


def instances_of(path: str) -> Iterator[str]:
    """The instance of each row of bench-model. Raises ValueError for another row."""
    for place, row in rows_of(path):
        named = _instance_of(row, place)
        if named is None:
            raise ValueError(f"{place} is no row of bench-model: expected a `key`")
        yield named[0]


def _scored(rows: Iterator[tuple[str, Row]], scorer: Callable[[], Scorer]) -> Iterator[tuple[str, Row, Row | None]]:
    """Each row with its place and its scored form, None for an error row; in the order of the file."""
    pending: list[tuple[str, Row]] = []
    for place, row in rows:
        pending.append((place, row))
        if len(pending) == _BATCH:
            yield from _scored_batch(pending, scorer)
            pending = []
    yield from _scored_batch(pending, scorer)


def _scored_batch(
    rows: list[tuple[str, Row]], scorer: Callable[[], Scorer]
) -> Iterator[tuple[str, Row, Row | None]]:  # fmt: skip
    raw = [row for _, row in rows if "error" not in row and not _is_scored(row)]
    fresh = iter(scorer().score(raw)) if raw else iter(())
    for place, row in rows:
        if "error" in row:
            yield place, row, None
            continue
        scored = row if _is_scored(row) else next(fresh)
        if isinstance(broken := scored.get("error"), dict):
            raise ValueError(f"{place}: {broken.get('field')}: {broken.get('rule')}")
        yield place, row, scored


def _is_scored(row: Row) -> bool:
    """As `optgap eval` tells it."""
    return all(name in row for name in ("reward", "feasible", "quality"))


def _add(model: ModelRows, place: str, row: Row, scored: Row | None) -> None:
    named = _instance_of(row, place)
    if named is None:
        if scored is not None:
            raise ValueError(
                f"{place}: a comparison pairs rows by their instance: expected `key`, or `task` and `instance`"
            )
        model.nameless += 1
        return
    instance, where = named
    sample = row.get("sample")
    if sample is None:
        sample = model.samples.get(instance, 0)
    elif type(sample) is not int or sample < 0:
        raise misuse("sample", f"{place}: is {json.dumps(sample)[:80]}, expected a whole number from 0 on")
    if (instance, sample) in model.outcomes:
        raise ValueError(f"{place}: sample {sample} of {instance} of {model.name} stood in {model.source} before")
    model.places.setdefault(instance, where)
    model.samples[instance] = model.samples.get(instance, 0) + 1
    model.outcomes[instance, sample] = None if scored is None else _outcome_of(scored, row, place)
    if scored is not None and isinstance(fingerprint := scored.get("fingerprint"), str):
        model.fingerprints.add(fingerprint)


def _outcome_of(scored: Row, row: Row, place: str) -> Outcome:
    values = {rate: _number(scored, column, place) for rate, column in _COLUMNS.items()}
    if not values["sr"]:
        values.update(qr=0.0, normalized=0.0 if values["normalized"] is not None else None)
    usage = row.get("usage")
    tokens = usage.get("completion_tokens") if isinstance(usage, dict) else None
    values["tokens"] = float(tokens) if type(tokens) is int else None
    code = scored.get("code")
    return Outcome(code if isinstance(code, str) else "not given", values)


def _number(row: Row, column: str, place: str) -> float | None:
    value = row.get(column)
    if value is None:
        return None
    if not isinstance(value, bool | int | float):
        raise misuse(column, f"{place}: is {json.dumps(value)[:80]}, expected a number")
    return float(value)


def _instance_of(row: Row, place: str) -> tuple[str, Place] | None:
    """The name of a row's instance, and its task and level. The style of the prompt and the hash make no other
    instance."""
    key, task, level = row.get("key"), row.get("task"), row.get("level")
    if isinstance(key, str):
        try:
            name, where = _named(key)
        except Error as wrong:
            raise ValueError(f"{place}: {wrong}") from None
    elif isinstance(task, str) and "instance" in row:
        name = f"{task} {json.dumps(row['instance'], sort_keys=True)}"
        where = Place(task.partition("@")[0], "explicit")
    else:
        return None
    return name, Place(where.task, level if isinstance(level, str) else where.level)


def _named(key: str) -> tuple[str, Place]:
    if external_keys.is_external(key):
        parts = external_keys.parse(key)
        return key.partition("#")[0], Place(parts.task, f"d{parts.level}")
    first, star, count = key.partition("*")  # several hidden instances, for a program
    one = Key.parse(first)
    if one.split == "x":
        return key, Place(one.task, "explicit")
    whole = Key(one.task, one.version, one.split, one.level, one.seed)
    return f"{whole}{star}{count.partition('#')[0]}", Place(one.task, one.level)
