"""Ground truths of a dataset's rows: read, rebuilt into instances, completed by baselines, and kept.

A ground truth is one string, as `optgap dataset` writes it: JSON with `key` (or `task` and `instance`), and optionally
`baseline` {objective, bound, proven[, floor, greedy]} and `format`. A bare key does as well.
"""

from __future__ import annotations

import json
import os
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from optgap.engine import Engine
    from optgap.results import Baselines, Instances

PREFIX = "optgap/"
"""What the `data_source` of our rows begins with."""

CAPACITY = 8192
"""Problems kept per process; a step of training has fewer distinct prompts."""


class Problem(NamedTuple):
    """What scoring needs to know of one ground truth."""

    instance: Instances
    baseline: Baselines
    """One row each."""
    format: str
    data_source: str
    """`optgap/<task>/<level>`."""
    maximise: bool


class Unreadable(NamedTuple):
    """Why a row has no problem."""

    reason: str


class Settings(NamedTuple):
    """What `configure` sets, for this process and its later forks."""

    device: str = "cpu"
    threads: int | None = None
    budget: int = -1


class _Process:
    """What belongs to one process: a fork starts with a fresh one, whatever lock its parent held."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.engine: Engine | None = None
        self.kept: OrderedDict[str, Problem | Unreadable] = OrderedDict()


_settings = Settings()
_process = _Process()


def _renew() -> None:
    global _process
    _process = _Process()


os.register_at_fork(after_in_child=_renew)


def configure(device: str = "cpu", threads: int | None = None, budget: int = -1) -> None:
    """Sets where this process scores. `budget`: steps to solve an instance whose row has no baseline, -1 is the task's
    own. The default is the CPU, because a trainer's reward workers should not open a GPU context each."""
    global _settings
    _settings = Settings(device, threads, budget)
    _renew()


def budget() -> int:
    """Steps to solve an instance whose row has no baseline, as `configure` set them."""
    return _settings.budget


def engine() -> Engine:
    """This process's engine, made on first use."""
    here = _process
    with here.lock:
        if here.engine is None:
            from optgap.engine import Engine

            here.engine = Engine(_settings.device, _settings.threads)
        return here.engine


def is_ours(ground_truth: object, data_source: object = None) -> bool:
    """Does this row belong to optgap? By its `data_source` where it has one, else by the ground truth's form."""
    if isinstance(data_source, str):
        return data_source.startswith(PREFIX)
    if isinstance(ground_truth, Mapping):
        return "key" in ground_truth or {"task", "instance"} <= ground_truth.keys()
    if isinstance(ground_truth, bytes):
        ground_truth = ground_truth.decode("utf-8", "replace")
    if not isinstance(ground_truth, str):
        return False
    try:
        record = _record(ground_truth)
    except ValueError:
        return False
    return "key" in record or {"task", "instance"} <= record.keys()


def problems(ground_truths: Sequence[object]) -> list[Problem | Unreadable]:
    """One entry per row. New ones are rebuilt and, where the row has no baseline, solved, all in one batch."""
    kept = _process.kept
    texts = [_text(each) for each in ground_truths]
    with _process.lock:
        found = {}
        for text in set(texts):
            if text in kept:
                kept.move_to_end(text)
                found[text] = kept[text]
    missing = [text for text in dict.fromkeys(texts) if text not in found]
    if missing:
        built = _build(missing)
        with _process.lock:
            kept.update(built)
            while len(kept) > CAPACITY:
                kept.popitem(last=False)
        found.update(built)
    return [found[text] for text in texts]


def _text(ground_truth: object) -> str:
    if isinstance(ground_truth, str):
        return ground_truth
    if isinstance(ground_truth, bytes):
        return ground_truth.decode("utf-8", "replace")
    if isinstance(ground_truth, Mapping):
        try:
            return json.dumps(ground_truth, sort_keys=True)
        except (TypeError, ValueError):
            pass
    return f"a ground truth of type {type(ground_truth).__name__}"


def _record(text: str) -> dict[str, Any]:
    """Throws ValueError when the text is no ground truth."""
    if text.lstrip().startswith("{"):
        try:
            return dict(json.loads(text))
        except (ValueError, RecursionError) as broken:
            raise ValueError(f"is not JSON: {broken}") from None
    if "@" not in text or len(text) > 200:
        raise ValueError("is neither JSON nor a key")
    return {"key": text}


def _build(texts: Sequence[str]) -> dict[str, Problem | Unreadable]:
    by = engine()
    built: dict[str, Problem | Unreadable] = {}
    drafts: list[_Draft] = []
    for text in texts:
        try:
            drafts.append(_draft(by, text))
        except Exception as broken:  # noqa: BLE001  whatever a row holds, it is a row
            built[text] = Unreadable(f"ground truth {text[:80]!r}: {broken}")
    _solve(by, drafts)
    for draft in drafts:
        assert draft.baseline is not None
        task = by.tasks[int(draft.instance.task[0])]
        source = f"{PREFIX}{task.name}/{draft.level}"
        built[draft.text] = Problem(draft.instance, draft.baseline, draft.format, source, task.sense == "maximise")
    return built


@dataclass
class _Draft:
    text: str
    instance: Instances
    level: str
    format: str
    baseline: Baselines | None
    """None until it is solved."""


def _draft(by: Engine, text: str) -> _Draft:
    """Throws what says what is wrong with a ground truth."""
    from optgap.keys import Key, format_fields

    record = _record(text)
    if "key" not in record and "task" not in record:
        raise ValueError("has no key")
    format_text = record.get("format") or "forge"
    format_fields(format_text)
    if not isinstance(format_text, str):
        format_text = json.dumps(format_text)
    if "instance" in record:
        task = record.get("task") or record["key"].split(":")[0]
        instance, level = by.from_json(task, record["instance"]), "x"
    else:
        instance = by.instances([record["key"]])
        level = Key.parse(record["key"]).level
    given = record.get("baseline") or {}
    says_something = given.get("objective") is not None or given.get("proven")
    return _Draft(text, instance, level, format_text, by.baselines(instance, [given]) if says_something else None)


def _solve(by: Engine, drafts: Sequence[_Draft]) -> None:
    """Baselines for those that have none, and the anchors that a dataset may leave out for the others."""
    from optgap.results import NO_OBJECTIVE, Instances

    unsolved = [draft for draft in drafts if draft.baseline is None]
    if unsolved:
        solved = by.solve(Instances.concat(draft.instance for draft in unsolved), _settings.budget)
        for row, draft in enumerate(unsolved):
            draft.baseline = _row(solved, row)
    bare = [draft for draft in drafts if NO_OBJECTIVE in _anchors(draft)]
    if bare:
        anchors = by.solve(Instances.concat(draft.instance for draft in bare), 0)
        for row, draft in enumerate(bare):
            for name in ("floor", "greedy"):
                mine = getattr(draft.baseline, name)
                mine[mine == NO_OBJECTIVE] = getattr(anchors, name)[row]


def _anchors(draft: _Draft) -> tuple[int, int]:
    assert draft.baseline is not None
    return int(draft.baseline.floor[0]), int(draft.baseline.greedy[0])


def _row(baselines: Baselines, row: int) -> Baselines:
    from optgap.results import Baselines

    return Baselines(*(column[row : row + 1].copy() for column in baselines.arrays()))


def joined(known: Sequence[Problem]) -> tuple[Instances, Baselines]:
    """The instances and baselines of several problems, one row each."""
    from optgap.results import Baselines, Instances

    if len(known) == 1:
        return known[0].instance, known[0].baseline
    columns = zip(*(problem.baseline.arrays() for problem in known))
    return Instances.concat(problem.instance for problem in known), Baselines(*map(np.concatenate, columns))
