"""Programs through a scheduler: each is run when its own completion comes, awaitable, with deadlines that kill."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from optgap import _native
from optgap._former import keywords as former_keywords
from optgap.core import arguments
from optgap.core.arguments import Spec, Text, Tickets, seconds_until, tickets_of
from optgap.core.errors import misuse
from optgap.core.results import Int32, Int64
from optgap.core.scheduler import EngineLike, Scheduler
from optgap.core.tickets import OUTCOMES, Issued
from optgap.rows.programs.running import Problem, ProgramRunner, ProgramScores, program_scores
from optgap.rows.programs.settings import ISOLATION_LEVELS, check_dedupe


@dataclass(frozen=True, repr=False, eq=False)
class CollectedPrograms(ProgramScores):
    """Rows of tickets of programs joined in the tickets' order, as one `ProgramRunner.run` over all of them gives. Rows of a
    ticket that was not scored are masked: reward NaN, advantage 0, all codes -1."""

    offsets: Int64
    """Ticket t has rows offsets[t]:offsets[t + 1]."""
    outcome: Int32
    """Per ticket: 0 scored, 1 expired, 2 cancelled, 3 failed."""
    reasons: list[str]
    """Per ticket: why it failed, else empty."""

    @property
    def outcomes(self) -> list[str]:
        """Names of `outcome`."""
        return [OUTCOMES[code] for code in self.outcome]


class ProgramScheduler(Scheduler):
    """A Scheduler whose tickets may be of programs, too (docs/scheduler.md): one is begun when its completions are there,
    and while it runs, the baselines of its hidden instances are proven. Its deadline, `cancel` and a cancelled task kill
    what runs.

    Args:
        engine: As of a Scheduler.
        slots: Programs at once; None: the processors less a quarter.
        isolation: "auto" or an isolation level of `optgap sandbox`, opened with the first program.
        runner: A ProgramRunner whose slots and compiled programs are shared, in place of `slots` and `isolation`. Closing it
            ends its own calls alone.
        fail_fast: A program that is invalid on its first three instances is not run on the rest.
        dedupe: "deterministic": equal programs of one problem run once for all tickets where the isolation level gives the same every
            time; "always": at any isolation level.
        options: Those of Scheduler.
    """

    def __init__(
        self,
        engine: EngineLike,
        *,
        slots: int | None = None,
        isolation: str = "auto",
        runner: ProgramRunner | None = None,
        fail_fast: bool = False,
        dedupe: str = "deterministic",
        **options: Any,
    ) -> None:
        if isolation not in ISOLATION_LEVELS:
            raise misuse("isolation", f"is {isolation!r}, expected one of {', '.join(ISOLATION_LEVELS)}")
        if runner is not None and (slots is not None or isolation != "auto"):
            raise misuse("runner", "has slots and an isolation of its own: leave those away")
        check_dedupe(dedupe)
        self._program_options = {
            "slots": 0 if slots is None else arguments.integer(slots, "slots", 0, 4096),
            "isolation": isolation,
            "runner": None if runner is None else runner._native,
            "fail_fast": bool(fail_fast),
            "dedupe_always": dedupe == "always",
        }
        super().__init__(engine, **options)

    def issue_programs(self, problems: Sequence[Problem], style: int = 0) -> Issued:
        """Prompts and tickets of problems of programs; the proofs of their hidden instances begin. A problem whose completions
        come one by one stands here as often, say a group's 16 times: each program then runs when its own completion comes.
        `submit` takes the completions, in the problem's format.

        Args:
            problems: Rows of `optgap.problems`, ground truths as mappings or JSON, or what `ProgramRunner.read` made of them.
            style: Of the statement, 0 to 2. The prompt of a user's own instances is empty.

        Raises:
            Error: For what is no problem, by the field that is wrong; a style that does not exist; too many open tickets.
        """
        read: dict[int, _native.ProgramProblem] = {}
        made = [read.get(id(one)) or read.setdefault(id(one), ProgramRunner.read(one)) for one in problems]
        return Issued(*self._native.issue_programs(made, arguments.integer(style, "style", 0, 2)))

    def collect_programs(
        self,
        tickets: Tickets,
        timeout: float | None = None,
        *,
        advantage: Spec = "grpo",
        group: npt.ArrayLike | Sequence[Any] | None = None,
    ) -> CollectedPrograms:
        """Waits for these tickets of programs and takes them, each once, with advantages over all of their rows.

        Raises TimeoutError when the time is up, and Error for tickets of answers and for a group that is ranked and mixes
        numbers of instances: the tickets stay.

        Args:
            tickets: One or several.
            timeout: Seconds; None waits for ever, 0 does not wait.
            advantage: An estimator's or trainer's name, JSON, or a mapping; those that rank compare objectives instance by
                instance.
            group: An id per ticket; None: by the hidden instances.
        """
        wanted = tickets_of(tickets)
        groups = None if group is None else arguments.group_rows(group, len(wanted))
        estimator = arguments.spec(advantage, "advantage")
        found = self._native.collect_programs(wanted, seconds_until(timeout, "timeout"), estimator, groups)
        if found is None:
            raise TimeoutError(f"not all of {len(wanted)} tickets have ended within {timeout} seconds")
        return _collected(found)

    @former_keywords(of="problem")
    async def score_programs_async(
        self,
        problem: int | Problem,
        texts: Text | Sequence[Text],
        *,
        finish: str | Sequence[str] | None = None,
        length: npt.ArrayLike | None = None,
        reward: Spec | None = None,
        advantage: Spec = "grpo",
        deadline: float | None = None,
    ) -> CollectedPrograms:
        """Runs the programs of completions of one problem without blocking the event loop. Cancelling the awaiting task kills
        what runs.

        Args:
            problem: A ticket of `issue_programs`, or a problem as it takes them.
            texts: One completion, or several, which share the ticket and end together.
            finish: "stop", "length", "abort" or "unknown", a row where `texts` is a sequence.
            length: Tokens, a row where `texts` is a sequence.
            reward: None: the scheduler's.
            advantage: Over these rows.
            deadline: Seconds from now; what has not ended by then is killed and ends as "expired".

        Raises:
            Error: For wrong arguments, and where the scheduler is shut down or its queue refuses. Where nothing here holds
                the language the ticket's outcome is "failed", and its reason says what each isolation level lacks.
        """
        alone = isinstance(texts, (str, bytes))
        rows = 1 if alone else arguments.rows_of(texts, "texts")
        said: Any = [finish] if alone and finish is not None else finish
        finishes = [] if said is None else arguments.finish_codes(said, rows)
        counted: Any = [length] if alone and length is not None else length
        lengths = [] if counted is None else arguments.column(counted, np.int32, "length", rows).tolist()
        rule = None if reward is None else arguments.spec(reward, "reward")
        here, seconds = self._loops.running(), seconds_until(deadline)
        if isinstance(problem, (int, np.integer)):
            send = functools.partial(
                self._native.send, here.queue, arguments.integer(problem, "problem", 0, 2**64 - 1), texts, finishes, lengths, [], rule,
                seconds, False,
            )  # fmt: skip
        else:
            send = functools.partial(
                self._native.send_program,
                here.queue,
                ProgramRunner.read(problem),
                texts,
                finishes,
                lengths,
                rule,
                seconds,
            )
        ticket = send() or await here.room(send, self.refuses)
        try:
            ended = await here.end_of(ticket)
        except BaseException:  # the task is cancelled, or its loop is closed
            here.forget(ticket)
            raise
        return _collected(ended.program_columns(arguments.spec(advantage, "advantage"), lengths))


def _collected(found: Mapping[str, Any]) -> CollectedPrograms:
    return program_scores(CollectedPrograms, found)
