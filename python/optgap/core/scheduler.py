"""The scheduler between a trainer and the engine: tickets, deadlines, awaitables."""

from __future__ import annotations

import atexit
import functools
import json
import weakref
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar, overload

import numpy as np
import numpy.typing as npt

from .. import _native
from .._former import keywords as former_keywords
from . import arguments
from .answering import with_answers
from .arguments import Spec, Text, Tickets, seconds_until, tickets_of
from .errors import misuse
from .keys import Key, spec_rows
from .problem import Source, problem_from, spec_of_key
from .results import Baselines, Instances, Int32, UInt64
from .tickets import OUTCOMES, Checked, Collected, Issued, Posed, Questions, RowTickets, Score, checked

if TYPE_CHECKING:
    from .awaiting import Loops

_INT32, _INT64, _UINT64 = 2**31 - 1, 2**63 - 1, 2**64 - 1
_KEYS_KEPT = 1 << 16

_Scored = int | str | Key | Instances | _native.Problem
_NativeEngine = _native.Engine


class EngineLike(Protocol):
    """An Engine, as far as a scheduler needs one."""

    _native: _NativeEngine
    _source: Source

    @property
    def scheduler(self) -> Scheduler:
        """Its own."""


class Checker(Protocol):
    """Gates, as far as a scheduler needs them."""

    _native: _native.ProposalChecker


class Scheduler(RowTickets):
    """Prompts out, completions in, rows back, while baselines are proven overlapped with decoding (docs/scheduler.md).

    Engine.issue, submit, collect and score_async use one that the engine makes on first use; make one for other
    options. Its threads start with it. Thread-safe, and awaitable from any number of event loops. Misuse raises Error,
    an item never does: it ends with an outcome. Close it with `shutdown` or `with`; what is open when the interpreter
    ends is cancelled. It does not survive os.fork: in a child its calls raise Error.

    Texts are copied when a call's texts have less than 64 KiB together, else kept alive: until they are scored and any
    further call has been made.

    Args:
        engine: The Engine whose device and threads are used.
        reward: Of submissions that do not say theirs: a shape's name, JSON, or a mapping.
        budget: Steps of every proof, as in Engine.solve.
        solve_threads: Threads for proofs; None for as many as the engine has.
        window: Microseconds, 0 to 1000, that a batch which is not full waits for more after a crowded one.
        batch_rows, batch_bytes: A batch is full with so many rows or bytes of text.
        queue_rows, queue_bytes: Limits of what is submitted and has not ended.
        open_tickets: Limit of tickets that are not handed out.
        when_full: "block": submit waits for room, first come first served; "refuse": it does not take the tickets, and
            score_async raises Error. score_async never blocks its event loop.
        instance_cache_bytes, baseline_cache_bytes: Kept of what no open ticket needs; None for the engine's baselines.
        rows: How rows of `submit_row` are scored: keywords of Scorer, such as {"isolation": "auto"}.
    """

    _program_options: Mapping[str, Any] = MappingProxyType(
        {"slots": 0, "isolation": "auto", "runner": None, "fail_fast": False, "dedupe_always": False}
    )
    """The tickets of programs.scheduling.ProgramScheduler."""

    def __init__(
        self, engine: EngineLike, *, reward: Spec = "forge", budget: int = -1, solve_threads: int | None = None, window: int = 0,
        batch_rows: int = 1024, batch_bytes: int = 16 << 20, queue_rows: int = 1 << 16, queue_bytes: int = 1 << 30,
        open_tickets: int = 1 << 20, when_full: str = "block", instance_cache_bytes: int = 256 << 20,
        baseline_cache_bytes: int | None = None, rows: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        if when_full not in ("block", "refuse"):
            raise misuse("when_full", f"is {when_full!r}, expected block or refuse")
        at_least = functools.partial(arguments.integer, high=_INT64)
        self.refuses = when_full == "refuse"
        own = None if baseline_cache_bytes is None else at_least(baseline_cache_bytes, "baseline_cache_bytes", 0)
        self._native = engine._native.scheduler(
            reward=arguments.spec(reward, "reward"),
            budget=at_least(budget, "budget", -1),
            solve_threads=0 if solve_threads is None else arguments.integer(solve_threads, "solve_threads", 1, _INT32),
            window=arguments.integer(window, "window", 0, 1000),
            batch_rows=at_least(batch_rows, "batch_rows", 1),
            batch_bytes=at_least(batch_bytes, "batch_bytes", 1),
            queue_rows=at_least(queue_rows, "queue_rows", 1),
            queue_bytes=at_least(queue_bytes, "queue_bytes", 1),
            open_tickets=at_least(open_tickets, "open_tickets", 1),
            refuse=self.refuses,
            instance_cache_bytes=at_least(instance_cache_bytes, "instance_cache_bytes", 0),
            row_options=json.dumps(dict(rows or {})),
            baselines=engine._source.native if own is None else engine._source.sized(own),
            **self._program_options,
        )
        known_spec = functools.lru_cache(_KEYS_KEPT)(functools.partial(spec_of_key, engine._native))
        self._problem_from = functools.partial(problem_from, known_spec)
        self._problem_of_key = functools.lru_cache(_KEYS_KEPT)(self._problem_from)
        _alive.add(self)

    @functools.cached_property
    def _loops(self) -> Loops:
        from .awaiting import Loops  # asyncio, which not every process needs

        return Loops(self._native)

    def __enter__(self) -> Scheduler:
        return self

    def __exit__(self, *problem: object) -> None:
        self.shutdown(drain=problem[0] is None)

    # In

    def issue(
        self, task: str | Sequence[str], level: str | int = "easy", count: int = 1, seed: int = 0, split: str = "train",
        style: int | str = 0, format: Spec = "forge",
    ) -> Issued:  # fmt: skip
        """Prompts and tickets of the instances that Engine.generate names so, but of tasks that are too long for a prompt
        (Task.direct); the proofs of their baselines begin.

        `format` is the one the prompts ask for and the completions are read by.
        """
        return self.issue_rows(*spec_rows(task, level, count, seed, split, style, direct=True), format)

    def issue_instances(self, instances: Instances, format: Spec = "forge") -> Issued:
        """The same for generated instances, such as Engine.instances(keys) or a Curriculum's; each in its style."""
        if (instances.split < 0).any():
            raise misuse("instances", "a user's own cannot be issued: score_async takes them")
        return self.issue_rows(
            instances.task, instances.level, instances.split, instances.seed, instances.style, format
        )

    def issue_rows(
        self, task: Int32, level: Int32, split: Int32, seed: UInt64, style: Int32, format: Spec = "forge"
    ) -> Issued:
        """The same for a row each, in the codes that Instances' columns have."""
        index = _native.format_index(arguments.format_text(format))
        prompts, keys = [""] * len(style), [""] * len(style)
        tickets = np.zeros(len(style), np.uint64)
        for one in np.unique(style):
            rows = np.flatnonzero(style == one)
            some = self._native.issue(task[rows], level[rows], split[rows], seed[rows], int(one), index)
            for row, prompt, key in zip(rows, some[0], some[1]):
                prompts[row], keys[row] = prompt, key
            tickets[rows] = some[2]
        return Issued(prompts, keys, tickets)

    @former_keywords(of="problem")
    def pose(
        self, problem: str | Key | Instances | _native.Problem, answers: int, baseline: Baselines | Mapping[str, Any] | None = None, *,
        format: Spec = "forge", deadline: float | None = None,
    ) -> Posed:  # fmt: skip
        """A question, such as a proposal that passed the gates, and 1 to 2^20 tickets for answers to it, whose completions are
        read by `format`. The question ends when all of them have ended; a late one is collected with a later step. Where it
        is cancelled, or expires (`deadline`: seconds from now), so do the answers that have no completions; the others stay.
        `problem` and `baseline` are as in score_async; without a baseline its proof begins.
        """
        one = problem if isinstance(problem, _native.Problem) and baseline is None else self.problem(problem, baseline)  # type: ignore[arg-type]
        index = _native.format_index(arguments.format_text(format))
        count = arguments.integer(answers, "answers", 1, 1 << 20)
        return Posed(*self._native.pose(one, count, index, seconds_until(deadline)))

    def propose(
        self, gates: Checker, completions: Sequence[Text], *, finish: Sequence[str] | npt.ArrayLike | None = None, step: int = 0,
        deadline: float | None = None,
    ) -> int:  # fmt: skip
        """Completions that pose problems, whose gates and proofs run on the threads for proofs: a ticket for all of them.

        Tickets of one Gates are checked in the order in which they came, one completion at a time, after what completions wait
        for and before baselines that only prompts wait for. The rows are those of `gates.check` in that order; what is
        cancelled or expires before its turn is nothing to the gates. Error where there is no room under `when_full="refuse"`.

        Args:
            gates: Of the run, an optgap.Gates.
            completions, finish, step: As in Gates.check.
            deadline: Seconds from now; a ticket whose turn has not come by then ends as "expired".
        """
        ends = arguments.finishes(finish, arguments.rows_of(completions, "completions"))
        number = arguments.integer(step, "step", 0, 2**62)
        ticket = self._native.propose(gates._native, completions, ends, number, seconds_until(deadline))
        if ticket == 0:
            raise misuse("completions", "there is no room for them: expected fewer open tickets, or when_full='block'")
        return ticket

    def submit(
        self, tickets: Tickets, completions: Text | Sequence[Text], *, finish: Sequence[str] | npt.ArrayLike | None = None,
        length: npt.ArrayLike | None = None, format: Spec | Sequence[Spec] | None = None, reward: Spec | None = None,
        deadline: float | None = None,
    ) -> int:  # fmt: skip
        """The completions of issued tickets, once. How many tickets were taken, in their order: all, unless the queue
        is full and the scheduler refuses. Error for a ticket that has its completions; those before it were taken.

        Args:
            tickets: One, or several with as many consecutive completions each.
            completions: One, or a sequence.
            finish: "stop", "length", "abort" or "unknown" a row.
            length: Tokens a row, for estimators that weigh by them.
            format: One for all, or one a row; None: the one that was issued.
            reward: None: the scheduler's.
            deadline: Seconds from now; tickets whose batch has not begun by then end as "expired".
        """
        wanted = tickets_of(tickets)
        texts = [completions] if isinstance(completions, (str, bytes)) else completions
        rows = arguments.rows_of(texts, "completions")
        if (rows and not len(wanted)) or (len(wanted) and rows % len(wanted)):
            raise misuse("completions", f"{rows} are not as many for each of {len(wanted)} tickets")
        lengths = arguments.lengths(length, rows)
        ways = arguments.finishes(finish, rows), lengths, arguments.formats(format, rows), arguments.reward(reward)
        return self._native.submit(wanted, texts, *ways, seconds_until(deadline))

    # Out

    def collect(
        self, tickets: Tickets, timeout: float | None = None, *, advantage: Spec = "grpo",
        group: npt.ArrayLike | Sequence[Any] | None = None,
    ) -> Collected:  # fmt: skip
        """Waits for these tickets, submitted or to be submitted by another thread, and takes them, each once.

        Raises TimeoutError when the time is up: the tickets stay.

        Args:
            tickets: One or several.
            timeout: Seconds; None waits for ever, 0 does not wait.
            advantage: An estimator's or trainer's name, JSON, or a mapping.
            group: An id per ticket; None: by instance.
        """
        wanted = tickets_of(tickets)
        groups = None if group is None else arguments.group_rows(group, len(wanted))
        estimator = arguments.spec(advantage, "advantage")
        found = self._native.collect(wanted, seconds_until(timeout, "timeout"), estimator, groups)
        if found is None:
            raise TimeoutError(f"not all of {len(wanted)} tickets have ended within {timeout} seconds")
        return _collected(found)

    def collect_questions(self, tickets: Tickets, timeout: float | None = None) -> Questions:
        """Waits for these questions of `pose` and takes them, each once; their answers stay. TimeoutError as in collect."""
        found = self._native.collect_questions(tickets_of(tickets), seconds_until(timeout, "timeout"))
        if found is None:
            raise TimeoutError(f"not all of these questions have ended within {timeout} seconds")
        return Questions(**found)

    def collect_proposals(self, tickets: Tickets, timeout: float | None = None) -> list[Checked]:
        """Waits for these tickets of `propose` and takes them, each once: one Checked a ticket, without rows where its
        outcome is not "scored". TimeoutError as in collect."""
        found = self._native.collect_proposals(tickets_of(tickets), seconds_until(timeout, "timeout"))
        if found is None:
            raise TimeoutError(f"not all of these proposals have been checked within {timeout} seconds")
        return [checked(columns, OUTCOMES[how], reason) for how, reason, columns in found]

    def has_ended(self, tickets: Tickets) -> npt.NDArray[np.bool_]:
        """Whether each of these tickets can be collected without waiting."""
        return self._native.has_ended(tickets_of(tickets))

    @former_keywords(of="instance")
    def problem(
        self, instance: str | Key | Instances, baseline: Baselines | Mapping[str, Any] | None = None
    ) -> _native.Problem:
        """An instance and its baseline, read once, for score_async with many completions. It stays valid
        whatever becomes of the scheduler, and in a forked child."""
        if baseline is None and isinstance(instance, (str, Key)):
            return self._problem_of_key(str(instance))
        return self._problem_from(instance, baseline)

    @overload
    async def score_async(  # type: ignore[overload-overlap]  # a str is a sequence of str
        self, problem: _Scored, texts: Text, baseline: Baselines | Mapping[str, Any] | None = None, *,
        finish: str | None = None, length: int | None = None, format: Spec | None = None, reward: Spec | None = None,
        deadline: float | None = None,
    ) -> Score: ...  # fmt: skip
    @overload
    async def score_async(
        self, problem: _Scored, texts: Sequence[Text], baseline: Baselines | Mapping[str, Any] | None = None, *,
        finish: Sequence[str] | None = None, length: npt.ArrayLike | None = None,
        format: Spec | Sequence[Spec] | None = None, reward: Spec | None = None, advantage: Spec = "grpo",
        deadline: float | None = None,
    ) -> Collected: ...  # fmt: skip
    @former_keywords(of="problem")
    async def score_async(
        self, problem: _Scored, texts: Text | Sequence[Text], baseline: Baselines | Mapping[str, Any] | None = None, *,
        finish: str | Sequence[str] | None = None, length: npt.ArrayLike | None = None,
        format: Spec | Sequence[Spec] | None = None, reward: Spec | None = None, advantage: Spec = "grpo",
        deadline: float | None = None,
    ) -> Score | Collected:  # fmt: skip
        """Scores completions of one instance without blocking the event loop: a Score for one text, Collected for a
        sequence. One descriptor per event loop tells it of all that has ended; there is no thread per item. Cancelling
        the awaiting task cancels the item.

        Args:
            problem: A ticket, an instance's key, Instances of one row (a user's own, too), or what `problem` made of them.
            texts: One completion, or the group's.
            baseline: Of an instance that is no ticket: a record as in Engine.baselines, or Baselines of one row; None:
                solved, once for all that ask.
            finish: "stop", "length", "abort" or "unknown", a row where `texts` is a sequence.
            length: Tokens, a row where `texts` is a sequence, for rewards and estimators that read them.
            format: One for all, or one a row; None: the one that was issued, else "forge".
            reward: None: the scheduler's.
            advantage: Of a sequence, over its rows.
            deadline: Seconds from now; what no batch has begun by then ends as "expired".
        """
        alone = isinstance(texts, (str, bytes))
        if alone:  # without what sequences need: that would cost more than scoring one
            finishes = [] if finish is None else [arguments.finish_code(finish)]
            lengths = [] if length is None else [arguments.integer(length, "length", 0, _INT32)]
            formats = [] if format is None else [arguments.format_code(format)]  # type: ignore[arg-type]
        else:
            rows = arguments.rows_of(texts, "texts")
            finishes, lengths = arguments.finishes(finish, rows), arguments.lengths(length, rows)
            formats = arguments.formats(format, rows)
        send: Callable[..., int] = self._native.send_to
        one: _native.Problem | int
        if isinstance(problem, (str, Key, Instances)):
            one = self.problem(problem, baseline)
        elif baseline is not None:
            raise misuse("baseline", "a ticket and a problem have one already")
        elif isinstance(problem, _native.Problem):
            one = problem
        else:
            one, send = arguments.integer(problem, "problem", 0, _UINT64), self._native.send
        here = self._loops.running()
        rule, seconds = arguments.reward(reward), seconds_until(deadline)
        what = here.queue, one, texts, finishes, lengths, formats, rule, seconds
        # A later try is in another turn of the loop: it holds nothing.
        ticket = send(*what, here.holds()) or await here.room(functools.partial(send, *what, False), self.refuses)
        try:
            ended = await here.end_of(ticket)
        except BaseException:  # the task is cancelled, or its loop is closed
            here.forget(ticket)
            raise
        if alone:
            return Score._make(ended.row())
        return _collected(ended.columns(arguments.spec(advantage, "advantage"), lengths))

    def cancel(self, tickets: Tickets) -> int:
        """Ends tickets that no batch has begun as "cancelled"; how many. They are still collected."""
        return self._native.cancel(tickets_of(tickets))

    def forget(self, tickets: Tickets) -> None:
        """Cancels tickets, or drops their rows: nothing is left to collect."""
        self._native.forget(tickets_of(tickets))

    def shutdown(self, drain: bool = True) -> None:
        """Takes nothing in any more and returns when every ticket has ended: those with completions by their rows, or
        at once where `drain` is False, others as cancelled. A proof that runs is waited for. Rows can still be
        collected."""
        self._native.shutdown(drain)

    def statistics(self) -> dict[str, Any]:
        """Counters, queue depths, caches, and each stage's p50 and p99 in seconds (docs/scheduler.md)."""
        return dict(json.loads(self._native.statistics()))


_alive: weakref.WeakSet[Scheduler] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    """Threads that still work while the interpreter and the library's tables are taken down would crash."""
    for one in list(_alive):
        one._native.close()


_Rest = ParamSpec("_Rest")
_Result = TypeVar("_Result")


def by_own_scheduler(
    verb: Callable[Concatenate[Scheduler, _Rest], _Result],
) -> Callable[Concatenate[EngineLike, _Rest], _Result]:
    """The verb as a method of Engine, which has a scheduler of its own."""

    @functools.wraps(verb)
    def call(self: EngineLike, /, *args: _Rest.args, **options: _Rest.kwargs) -> _Result:
        return verb(self.scheduler, *args, **options)

    return call


def _collected(found: dict[str, Any]) -> Collected:
    scores, baselines = found.pop("scores"), Baselines(**found.pop("baselines"))
    return Collected(**with_answers(scores, scores["task"]), baselines=baselines, **found)
