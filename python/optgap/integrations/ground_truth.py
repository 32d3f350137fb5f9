"""Ground truths of a dataset's rows: read, rebuilt into instances, and kept.

A ground truth is one string, as `optgap dataset` writes it: JSON with `key` (or `task` and `instance`), and optionally
`baseline` {objective, bound, proven[, floor, greedy]} and `format`; or with a `chain` (docs/chains.md); or with a problem's key and
a `language`, whose answers are programs (docs/programs.md). A bare key does as well. Baselines that it does not bring are
proven by `optgap.integrations.shadow`.
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

from optgap.chains import problems as chains
from optgap.chains.problems import ChainProblem
from optgap.external import problems as external
from optgap.external.problems import ExternalProblem
from optgap.programs import ground_truths as programs
from optgap.programs.ground_truths import ProgramProblem
from optgap.programs.settings import SNAPSHOT, snapshot_named

if TYPE_CHECKING:
    from optgap import _native
    from optgap.engine import Engine
    from optgap.results import Baselines, Instances

PREFIX = "optgap/"
"""What the `data_source` of our rows begins with."""
ROLES = "optgap_roles/"
"""What that of a role's rows begins with; role and task follow (optgap.integrations.roles.rows)."""

CAPACITY = 8192
"""Problems kept per process; a step of training has fewer distinct prompts."""


@dataclass(eq=False)
class Problem:
    """What scoring needs to know of one ground truth; instance and baseline have one row each."""

    instance: Instances
    baseline: Baselines | None
    """None until it is proven (`shadow.prove`)."""
    key: str
    """Empty of a user's own instance."""
    format: str
    data_source: str
    """`optgap/<task>/<level>`."""
    maximise: bool
    asked: _native.Problem | None = None
    """As the scheduler takes it, from the first sample on (`shadow.score`)."""

    @property
    def cohort(self) -> int:
        """A number for the task."""
        return int(self.instance.task[0])


class Unreadable(NamedTuple):
    """Why a row has no problem."""

    reason: str


Known = Problem | ExternalProblem | ChainProblem | ProgramProblem | Unreadable
"""What a ground truth may be."""


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
        self.kept: OrderedDict[str, Known] = OrderedDict()


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


def use_snapshot(path: str | os.PathLike[str] | None) -> None:
    """What an adapter's `baselines` names: baselines that rows do not bring come from that snapshot, in this process and in
    those that it starts (OPTGAP_BASELINES). None changes nothing. Raises Error for what is no snapshot, and where another
    one is read already: a run is measured against one."""
    if path is None:
        return
    from optgap import arguments
    from optgap.errors import misuse

    named, known = arguments.path(path, "baselines"), snapshot_named()
    named = named if named == "served" else os.path.abspath(named)
    if known is not None and named != (known if known == "served" else os.path.abspath(known)):
        raise misuse(
            "baselines", f"is {named}, and this process reads {known} already: a run is measured against one snapshot"
        )
    if known is None:
        os.environ[SNAPSHOT] = named
        _renew()
        try:
            engine()
        except BaseException:
            del os.environ[SNAPSHOT]
            raise


def snapshot_hash() -> str:
    """Of the content of the snapshot that baselines come from; empty without one."""
    if snapshot_named() is None:
        return ""
    frozen = engine().snapshot
    return "" if frozen is None else frozen.hash


def engine() -> Engine:
    """This process's engine, made on first use."""
    here = _process
    if here.engine is None:
        with here.lock:
            if here.engine is None:
                from optgap.engine import Engine

                # The node's daemon where the environment names one, also on the CPU: it proves once for all workers.
                named = os.environ.get("OPTGAP_SERVER") if _settings.device == "cpu" else None
                here.engine = Engine(
                    _settings.device, _settings.threads, server=named or None, baselines=snapshot_named()
                )
    return here.engine


def is_ours(ground_truth: object, data_source: object = None) -> bool:
    """Does this row belong to optgap? By its `data_source` where it has one, else by the ground truth's form."""
    if isinstance(data_source, str):
        return data_source.startswith(PREFIX)
    if isinstance(ground_truth, Mapping):
        return _names_a_problem(ground_truth)
    if isinstance(ground_truth, bytes):
        ground_truth = ground_truth.decode("utf-8", "replace")
    if not isinstance(ground_truth, str):
        return False
    try:
        record = _record(ground_truth)
    except ValueError:
        return False
    return _names_a_problem(record)


def _names_a_problem(record: Mapping[str, Any]) -> bool:
    return (
        "key" in record
        or {"task", "instance"} <= record.keys()
        or chains.is_record(record)
        or programs.is_record(record)
    )


def problems(ground_truths: Sequence[object]) -> list[Known]:
    """One entry per row; equal ones are one object. New ones are rebuilt, and nothing is solved."""
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


def problem_of(ground_truth: object) -> Known:
    """The same of one row."""
    if isinstance(ground_truth, str):
        with _process.lock:
            found = _process.kept.get(ground_truth)
            if found is not None:
                _process.kept.move_to_end(ground_truth)
                return found
    return problems([ground_truth])[0]


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


def _build(texts: Sequence[str]) -> dict[str, Known]:
    by = engine()
    built: dict[str, Known] = {}
    for text in texts:
        try:
            built[text] = _problem(by, text)
        except Exception as broken:  # noqa: BLE001  whatever a row holds, it is a row
            built[text] = Unreadable(f"ground truth {text[:80]!r}: {broken}")
    _set_anchors(by, list(built.values()))
    return built


def threads() -> int:
    """Of the engine, as `configure` set them; 0: all processors."""
    return _settings.threads or 0


def _problem(by: Engine, text: str) -> Problem | ExternalProblem | ChainProblem | ProgramProblem:
    """Throws what says what is wrong with a ground truth."""
    from optgap.keys import Key, format_fields

    record = _record(text)
    if chains.is_record(record):
        # A `key` without task@version is the data set's own: IFEval and IFBench number their prompts.
        if "@" in str(record.get("key")) or "task" in record:
            raise ValueError("has a chain and names a task: expected one of them")
        return chains.read(record)
    if programs.is_record(record):
        return programs.read(record, {task.name: task.sense == "maximise" for task in by.tasks})
    if "key" not in record and "task" not in record:
        raise ValueError("has no key")
    if external.is_record(record):
        return external.read(record)
    format_text = record.get("format") or "forge"
    format_fields(format_text)
    if not isinstance(format_text, str):
        format_text = json.dumps(format_text)
    if "instance" in record:
        task = record.get("task") or record["key"].split(":")[0]
        instance, key, level = by.from_json(task, record["instance"]), "", "x"
    else:
        key = record["key"]
        instance, level = by.instances([key]), Key.parse(key).level
    given = record.get("baseline") or {}
    says_something = given.get("objective") is not None or given.get("proven")
    task = by.tasks[int(instance.task[0])]
    return Problem(
        instance,
        by.baselines(instance, [given]) if says_something else None,
        key,
        format_text,
        f"{PREFIX}{task.name}/{level}",
        task.sense == "maximise",
    )


def _set_anchors(by: Engine, known: Sequence[Known]) -> None:
    """Floor and greedy answer of those baselines whose row leaves them out."""
    from optgap.results import NO_OBJECTIVE, Instances

    bare = [one for one in known if isinstance(one, Problem) and one.baseline is not None
            and NO_OBJECTIVE in (one.baseline.floor[0], one.baseline.greedy[0])]  # fmt: skip
    if bare:
        anchors = by.solve(Instances.concat(one.instance for one in bare), 0)
        for row, one in enumerate(bare):
            for name in ("floor", "greedy"):
                mine = getattr(one.baseline, name)
                mine[mine == NO_OBJECTIVE] = getattr(anchors, name)[row]


def rows_of(baselines: Baselines) -> list[Baselines]:
    """Each row by itself."""
    from optgap.results import Baselines

    columns = baselines.arrays()
    return [Baselines(*(column[row : row + 1].copy() for column in columns)) for row in range(len(baselines))]


def joined(known: Sequence[Problem]) -> tuple[Instances, Baselines]:
    """The instances and baselines of several proven problems, one row each."""
    from optgap.results import Baselines, Instances

    if len(known) == 1:
        return known[0].instance, known[0].baseline
    columns = zip(*(problem.baseline.arrays() for problem in known))
    return Instances.concat(problem.instance for problem in known), Baselines(*map(np.concatenate, columns))
