"""This process's Scheduler behind the adapters: baselines are proven while the model decodes, and samples that come one by
one share native calls (docs/scheduler.md).

It is made on first use, anew in a forked child, and closed when the interpreter ends.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from optgap.trainers.common.ground_truth import Problem, budget, engine

if TYPE_CHECKING:
    from optgap import _native
    from optgap.core.engine import Engine
    from optgap.core.scheduler import Scheduler
    from optgap.core.tickets import Issued, Score

OPEN = 8192
"""Issued problems whose completions have not come. Beyond, the oldest are forgotten: a proof that has begun goes on, one
that has not is made when the completions come after all."""


class _Process:
    """What belongs to one process: a fork starts with a fresh one, whatever lock its parent held."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.scheduler: tuple[Engine, Scheduler] | None = None
        self.issued: OrderedDict[str, int] = OrderedDict()
        """Tickets by key."""


_process = _Process()


def _renew() -> None:
    global _process
    _process = _Process()


os.register_at_fork(after_in_child=_renew)


def scheduler() -> Scheduler:
    """This process's, over `ground_truth.engine` and with its budget."""
    here, by = _process, engine()
    known = here.scheduler
    if known is not None and known[0] is by:
        return known[1]
    with here.lock:
        if here.scheduler is None or here.scheduler[0] is not by:  # `configure` may have changed it
            from optgap.core.scheduler import Scheduler

            here.scheduler = by, Scheduler(by, budget=budget())
            here.issued.clear()
        return here.scheduler[1]


@overload
def issue(
    task: str, level: str | int, seed: int, format: str | Mapping[str, Any] = "forge", style: int | str = 0,
    split: str = "train",
) -> tuple[str, str]: ...  # fmt: skip
@overload
def issue(
    task: Sequence[str], level: Sequence[str | int], seed: Sequence[int], format: str | Mapping[str, Any] = "forge",
    style: int | str = 0, split: str = "train",
) -> tuple[list[str], list[str]]: ...  # fmt: skip
def issue(task: Any, level: Any, seed: Any, format: str | Mapping[str, Any] = "forge", style: int | str = 0,
          split: str = "train") -> tuple[Any, Any]:  # fmt: skip
    """Prompts and keys of problems, one or columns of them. Their baselines are proven from now on, while the model decodes;
    a ground truth with such a key and no baseline finds it. The keys mean the same in any process. Completions need not
    come: of the problems without them, OPEN are held.

    Raises optgap.Error for a task, level, split, format or style that does not exist.
    """
    from optgap.core.keys import spec_rows

    alone = isinstance(task, str)
    named = [(task, level, seed)] if alone else list(zip(task, level, seed, strict=True))
    if not named:
        return [], []
    rows = [spec_rows(name, step, 1, int(number), split, style, direct=True) for name, step, number in named]
    made = _issued(*(np.concatenate(column) for column in zip(*rows)), format)
    return (made.prompts[0], made.keys[0]) if alone else (made.prompts, made.keys)


def issue_keys(keys: Sequence[str]) -> None:
    """Starts the baselines of problems that are known by their keys, as those of a run that is resumed."""
    from optgap import _native

    specs = [_native.spec_of_key(key) for key in keys]
    if specs:
        task, level, split, seed, style, _ = zip(*specs)
        codes = (np.asarray(column, np.int32) for column in (task, level, split))
        _issued(*codes, np.asarray(seed, np.uint64), np.asarray(style, np.int32))


async def score(
    problem: Problem, text: str | bytes, *, finish: str, length: int | None = None, reward: str
) -> tuple[Score, str]:
    """One completion's row, and its kind of baseline. What others wait for holds it back only where it is the same baseline.
    Raises NotRead for what is wrong with the ground truth, and optgap.Error when the problem cannot be solved."""
    from optgap.core.errors import Error, NotRead

    by = scheduler()
    if problem.asked is None:
        try:
            problem.asked = _asked(by, problem)
        except Exception as broken:  # noqa: BLE001  whatever a row holds, it is a row
            raise NotRead(str(broken)) from None
    found = await by.score_async(
        problem.asked[0], text, finish=finish, length=length, format=problem.format, reward=reward
    )
    forget([problem.key])
    if found.outcome != "scored":
        raise Error(f"{problem.key or 'an instance'}: its baseline is {found.outcome}: {found.reason}", "internal", "baseline",
                    found.reason)  # fmt: skip
    return found, "proven" if found.proven else problem.asked[1]


def forget(keys: Iterable[str]) -> None:
    """Closes the tickets of problems whose completions have come: their baselines are known."""
    here = _process
    if here.issued:
        with here.lock:
            tickets = [here.issued.pop(key) for key in keys if key in here.issued]
        if tickets:
            scheduler().forget(tickets)


def _asked(by: Scheduler, problem: Problem) -> tuple[_native.Problem, str]:
    """As the scheduler takes it, and what its baseline is where that is not proven. Our solvers always know a bound; a row's own
    may come without."""
    from optgap.core.keys import format_fields
    from optgap.core.results import NO_OBJECTIVE

    source, record = engine(), problem.record
    format_fields(problem.format)
    if "instance" in record:
        instance = source.from_json(record.get("task") or record["key"].split(":")[0], record["instance"])
    else:
        instance = source.instances([record["key"]])
    given = record.get("baseline") or {}
    if given.get("objective") is None and not given.get("proven"):
        return by.problem(instance, None), "bounded"
    known = source.baselines(instance, [given])
    if NO_OBJECTIVE in (known.floor[0], known.greedy[0]):
        anchors = source.solve(instance, 0)
        for name in ("floor", "greedy"):
            mine = getattr(known, name)
            mine[mine == NO_OBJECTIVE] = getattr(anchors, name)[0]
    return by.problem(instance, known), "unknown" if int(known.bound[0]) == NO_OBJECTIVE else "bounded"


def _issued(task: Any, level: Any, split: Any, seed: Any, style: Any, format: Any = "forge") -> Issued:
    by = scheduler()
    made = by.issue_rows(task, level, split, seed, style, format)
    here = _process
    with here.lock:
        over = []
        for key, ticket in zip(made.keys, made.tickets.tolist()):
            over += [here.issued.pop(key)] if key in here.issued else []
            here.issued[key] = ticket
        over += [here.issued.popitem(last=False)[1] for _ in range(len(here.issued) - OPEN)]
    by.forget(over)
    return made
