"""What a Scheduler returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from .columns import Columns
from .results import Int32, Int64, Scores, UInt64

OUTCOMES = ("scored", "expired", "cancelled", "failed")


@dataclass(frozen=True, repr=False, eq=False)
class Issued(Columns):
    """Prompts and the tickets for their completions, one entry per instance."""

    prompts: list[str]
    """What the model is asked; empty for a task that is too long for a prompt (Task.direct)."""
    keys: list[str]
    """The instances' names."""
    tickets: UInt64
    """Never used twice by one scheduler. Ints and lists of ints serve as well."""

    columns: ClassVar[tuple[str, ...]] = ("tickets", "keys")


@dataclass(frozen=True, repr=False, eq=False)
class Collected(Scores):
    """Scores of tickets' rows joined in the tickets' order, as one Engine.score over all of them gives; `baselines` has
    a row per ticket. Rows of a ticket that was not scored have reward NaN, advantage 0 and code -1 (`not_scored`)."""

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


class Posed(NamedTuple):
    """A question's tickets, from Scheduler.pose."""

    question: int
    """It ends when those of all answers have ended."""
    answers: UInt64
    """For Scheduler.submit and collect."""


@dataclass(frozen=True, repr=False, eq=False)
class Questions(Columns):
    """How questions ended, a row each, and what their answers are worth together: all 0 where one was not scored."""

    outcome: Int32
    """0 scored: all answers were; else how the first that was not ended: 1 expired, 2 cancelled, 3 failed."""
    reasons: list[str]
    """Why one failed, else empty."""
    rows: Int64
    """Completions."""
    feasible: Int64
    solved: Int64
    """Answers that are proven optimal."""
    sum: Int64
    """Of qualities (normalized, 0 where negative or infeasible), in units of 2^-20."""
    sum_sq: Int64
    """Of their squares, in units of 2^-40."""

    columns: ClassVar[tuple[str, ...]] = ("outcome", "rows", "feasible", "solved", "sum", "sum_sq")

    @property
    def outcomes(self) -> list[str]:
        """Names of `outcome`."""
        return [OUTCOMES[code] for code in self.outcome]


class Score(NamedTuple):
    """One completion's row, of Python values; the names are those of Scores."""

    reward: float
    """NaN where a truncated row is excluded, and where the outcome is not "scored"."""
    format: bool
    feasible: bool
    quality: float
    raw_ratio: float
    normalized: float
    optimal: bool
    length_penalty: float
    objective: int | None
    """None when infeasible."""
    violation: int
    code: int
    """-1 where the outcome is not "scored"."""
    where: int
    begin: int
    end: int
    proven: bool
    truncated: bool
    outcome: str
    """"scored", "expired", "cancelled" or "failed"."""
    reason: str
    """Why it failed, else empty."""
    task: int
    """Index into optgap.tasks()."""
