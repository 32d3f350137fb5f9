"""Ground truths of a dataset's rows: read, rebuilt into instances, and kept.

A ground truth is one string, as `optgap dataset` writes it: JSON with `key` (or `task` and `instance`), and optionally
`baseline` {objective, bound, proven[, floor, greedy]} and `format`; or with a `rubric` (docs/rubrics.md); or with a problem's key and
a `language`, whose answers are programs (docs/programs.md), or the folder of a `problem` (docs/problems.md); or with the columns of a kind of a
user's own, under OPTGAP_KINDS (docs/kinds.md). A bare key does as well. Baselines that it does not bring are
proven by `optgap.trainers.common.overlapped`.
"""

from __future__ import annotations

import itertools
import json
import os
import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from optgap.rows.external import problems as external
from optgap.rows.external.problems import ExternalProblem
from optgap.rows.programs import ground_truths as programs
from optgap.rows.programs.ground_truths import ProgramProblem
from optgap.rows.programs.runner import runner
from optgap.rows.programs.settings import SNAPSHOT, settings, snapshot_named
from optgap.trainers.common import own_kinds

if TYPE_CHECKING:
    from optgap import _native
    from optgap.core.engine import Engine
    from optgap.core.problem import RowProblems
    from optgap.rows import Scorer

PREFIX = "optgap/"
"""What the `data_source` of our rows begins with."""
ROLES = "optgap_roles/"
"""What that of a role's rows begins with; role and task follow (optgap.trainers.common.role_rows)."""

MAX_SCORERS = 8
"""Kept per process, as rewards and settings differ; the one that was used longest ago goes first."""

CAPACITY = 8192
"""Problems kept per process; a step of training has fewer distinct prompts."""


@dataclass(eq=False)
class Problem:
    """One ground truth, read: what `optgap score` reads of its rows, but for what the model wrote."""

    record: dict[str, Any]
    row: str
    """The record as JSON."""
    format: str
    """Empty where none is named and none is needed."""
    level: str
    """"/easy"; empty of what has none."""
    is_answer: bool = True
    """To an instance of a task."""
    number: int = field(default_factory=itertools.count().__next__)
    """Its own in this process."""
    asked: tuple[_native.Problem, str] | None = None
    """As the scheduler takes it, from the first sample on, and its kind of baseline where that is not proven (`overlapped.score`)."""

    @property
    def is_own(self) -> bool:
        """A user's own problem, whose completions are programs."""
        return programs.is_own(self.record)

    @property
    def key(self) -> str:
        """Empty of a user's own instance, and where the row has none of ours."""
        return str(self.record.get("key", "")) if self.is_answer and "instance" not in self.record else ""


class Unreadable(NamedTuple):
    """Why a row has no problem."""

    reason: str


Known = Problem | ExternalProblem | ProgramProblem | Unreadable
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
        self.scorers: OrderedDict[Hashable, list[Scorer]] = OrderedDict()
        """Those that are not in use, by what they were made with."""
        self.readers: tuple[RowProblems, RowProblems] | None = None
        """Of the kinds of rows: with a user's own kinds, and without."""


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
    from optgap.core import arguments
    from optgap.core.errors import misuse

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
                from optgap.core.engine import Engine

                # The node's daemon where the environment names one, also on the CPU: it proves once for all workers.
                named = os.environ.get("OPTGAP_SERVER") if _settings.device == "cpu" else None
                own_kinds.options()
                here.engine = Engine(
                    _settings.device, _settings.threads, server=named or None, baselines=snapshot_named()
                )
    return here.engine


@contextmanager
def scorer(reward: str, programs: bool = False) -> Iterator[Scorer]:
    """A scorer of this process's engine and settings, to be used by one thread: those of several would wait for each other.
    `programs`: whose programs run on the slots that all of this process share."""
    by, how, here, own = engine(), settings(), _process, own_kinds.options()
    made_with = (by, reward, budget(), how, programs, json.dumps(own))
    with here.lock:
        idle = here.scorers.setdefault(made_with, [])
        here.scorers.move_to_end(made_with)
        while len(here.scorers) > MAX_SCORERS:
            here.scorers.popitem(last=False)
        lent = idle.pop() if idle else None
    if lent is None:
        from optgap.rows import Scorer

        held: dict[str, Any] = {"isolation": how.isolation, "slots": how.slots}
        if programs:
            held = {"runner": runner(threads()), "fail_fast": how.fail_fast, "dedupe": how.dedupe}
        lent = Scorer(by, reward=reward, budget=budget(), external=True, **held, **own)
    try:
        yield lent
    finally:
        with here.lock:
            idle.append(lent)


def is_ours(ground_truth: object, data_source: object = None) -> bool:
    """Whether the row belongs to optgap: by its `data_source` where it has one, else by the form of the ground truth."""
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
        or not {"rubric", "chain"}.isdisjoint(record)
        or programs.is_record(record)
        or _is_of_a_package(record)
        or programs.is_own(record)
    )


def problems(ground_truths: Sequence[object]) -> list[Known]:
    """One entry per row; equal ones are one object. New ones are rebuilt, and nothing is solved."""
    kept = _process.kept
    texts = list(map(_text, ground_truths)) if set(map(type, ground_truths)) != {str} else ground_truths
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
            record = dict(json.loads(text))
        except (ValueError, RecursionError) as broken:
            raise ValueError(f"is not JSON: {broken}") from None
        for former in ("chain", "chain_preset"):  # what older data sets hold
            if former in record:
                record.setdefault(former.replace("chain", "rubric"), record.pop(former))
        return record
    if "@" not in text or len(text) > 200:
        raise ValueError("is neither JSON nor a key")
    return {"key": text}


def _build(texts: Sequence[str]) -> dict[str, Known]:
    built: dict[str, Known] = {}
    for text in texts:
        try:
            built[text] = _problem(text)
        except Exception as broken:  # noqa: BLE001  whatever a row holds, it is a row
            built[text] = unreadable(text, str(broken))
    return built


def unreadable(text: str, reason: str) -> Unreadable:
    """With the ground truth's beginning in the sentence."""
    return Unreadable(f"ground truth {text[:80]!r}: {reason}")


def threads() -> int:
    """Of the engine, as `configure` set them; 0: all processors."""
    return _settings.threads or 0


_ROLLOUT = ("completion", "finish", "length", "limit", "group", "external", "error")
"""Columns of a row that say what the model wrote, and what became of it: a ground truth holds none."""
_ROLES = ("role", "proposal", "judged")


def _problem(text: str) -> Problem | ExternalProblem | ProgramProblem:
    """Throws what says what is wrong with a ground truth, as far as that is seen before it is scored."""
    record = _record(text)
    for name in _ROLES:
        if name in record:
            raise ValueError(f"{name}: is a row of a role's, which the roles of optgap.trainers score")
    if "rubric" not in record:
        if programs.is_record(record):
            return programs.read(record, {task.name: task.sense == "maximise" for task in engine().tasks})
        if external.is_record(record):
            return external.read(record)
    fields = {name: value for name, value in record.items() if name not in _ROLLOUT}
    if _is_of_a_package(fields):
        return Problem(fields, json.dumps(fields), "", "", is_answer=False)
    if "rubric" in fields and fields.get("rubric_preset"):
        fields["rubric"] = {**_rubric(fields["rubric"]), "preset": fields.pop("rubric_preset")}
    if not fields.get("format"):
        fields.pop("format", None)
    own = programs.is_own(fields)
    is_answer = "rubric" not in fields and not own
    form = fields.get("format") or ("" if "rubric" in fields else "program" if own else "forge")
    level = "" if "rubric" in fields else "/x" if own or "instance" in fields else _level(fields.get("key"))
    return Problem(fields, json.dumps(fields), form if isinstance(form, str) else json.dumps(form), level, is_answer)


def _is_of_a_package(record: Mapping[str, Any]) -> bool:
    """Whether a kind of a user's own claims the row, under OPTGAP_KINDS."""
    own = own_kinds.options()
    if not own:
        return False
    by, here, row = engine(), _process, {**record, "completion": ""}
    if here.readers is None:
        from optgap.core.problem import RowProblems

        here.readers = RowProblems(by, own), RowProblems(by)
    with_own, without = here.readers
    return with_own.kind(row) != without.kind(row)


def _rubric(given: Any) -> dict[str, Any]:
    return dict(json.loads(given) if isinstance(given, str) else given)


def _level(key: object) -> str:
    """Of a key like tsp@1:train:easy:1."""
    parts = str(key).split(":")
    return f"/{parts[2]}" if len(parts) > 2 else ""
