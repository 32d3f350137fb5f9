"""This process's Scheduler behind the adapters: baselines are proven while the model decodes, and samples that come one by
one share native calls (docs/scheduler.md).

It is made on first use, anew in a forked child, and closed when the interpreter ends.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from optgap.integrations.ground_truth import Problem, budget, engine, rows_of

if TYPE_CHECKING:
    from optgap.engine import Engine
    from optgap.results import Baselines
    from optgap.scheduler import Scheduler
    from optgap.tickets import Issued, Score

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
            from optgap.scheduler import Scheduler

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
    from optgap.keys import spec_rows

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


def prove(problems: Sequence[Problem]) -> None:
    """Waits until every problem has its baseline. They are proven side by side, each once, whoever else asks for them."""
    bare = list({id(problem): problem for problem in problems if problem.baseline is None}.values())
    named = {problem.key: problem for problem in bare if problem.key}
    if named:
        found = dict(zip(named, rows_of(_collected(named))))
        for problem in bare:
            problem.baseline = found.get(problem.key)
    own = [problem for problem in bare if not problem.key]
    if own:
        from optgap.results import Instances

        known = engine().baselines(Instances.concat(problem.instance for problem in own), [None] * len(own), budget())
        for problem, baseline in zip(own, rows_of(known)):
            problem.baseline = baseline


async def score(problem: Problem, text: str | bytes, *, finish: str, length: int | None = None, reward: str) -> Score:
    """One completion's row. What others wait for holds it back only where it is the same baseline. Raises optgap.Error when
    the problem cannot be solved."""
    by = scheduler()
    if problem.asked is None:
        problem.asked = by.problem(problem.instance, problem.baseline)
    found = await by.score_async(
        problem.asked, text, finish=finish, length=length, format=problem.format, reward=reward
    )
    _forget(problem.key)
    if found.outcome != "scored":
        _require_scored(problem, found.outcome, found.reason)
    return found


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


def _forget(key: str) -> None:
    """Closes the ticket of a problem whose completions come: from now on they hold it themselves."""
    here = _process
    if key in here.issued:
        with here.lock:
            ticket = here.issued.pop(key, None)
        if ticket is not None:
            scheduler().forget(ticket)


def _collected(named: Mapping[str, Problem]) -> Baselines:
    """By the tickets that were issued for these keys; those of others are issued now."""
    from optgap.results import Instances

    by = scheduler()
    here = _process
    with here.lock:
        known = {key: here.issued.pop(key) for key in named if key in here.issued}
    fresh = [key for key in named if key not in known]
    if fresh:
        made = by.issue_instances(Instances.concat(named[key].instance for key in fresh))
        known.update(zip(fresh, made.tickets.tolist()))
    tickets = np.array([known[key] for key in named], np.uint64)
    try:
        by.submit(tickets, [""] * len(tickets))
        found = by.collect(tickets)
    finally:
        by.forget(tickets)
    for problem, outcome, reason in zip(named.values(), found.outcomes, found.reasons):
        _require_scored(problem, outcome, reason)
    return found.baselines


def _require_scored(problem: Problem, outcome: str, reason: str) -> None:
    if outcome != "scored":
        from optgap.errors import Error

        raise Error(
            f"{problem.key or 'an instance'}: its baseline is {outcome}: {reason}", "internal", "baseline", reason
        )
