"""A Scheduler's results, and its tickets of rows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from .arguments import Text, Tickets, seconds_until, tickets_of
from .columns import Columns
from .errors import misuse
from .results import Answers, Baselines, Bool, Instances, Int32, Int64, Scores, UInt64, _rows_taken

if TYPE_CHECKING:
    from .. import _native

OUTCOMES = ("scored", "expired", "cancelled", "failed")


@dataclass(frozen=True, repr=False, eq=False)
class Issued(Columns):
    """Prompts and the tickets for their completions, one entry per instance."""

    prompts: list[str]
    """The model's prompt; empty for a task that is too long for a prompt (Task.direct)."""
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
    """The ends of questions, a row each, with sums over their answers: all 0 where one was not scored."""

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
    """The sum of qualities (normalized, 0 where negative or infeasible), in units of 2^-20."""
    sum_sq: Int64
    """The sum of their squares, in units of 2^-40."""

    columns: ClassVar[tuple[str, ...]] = ("outcome", "rows", "feasible", "solved", "sum", "sum_sq")

    @property
    def outcomes(self) -> list[str]:
        """Names of `outcome`."""
        return [OUTCOMES[code] for code in self.outcome]


class CollectedRows(NamedTuple):
    """Tickets of rows of any kind, as one run."""

    rows: list[dict[str, Any]]
    """As Scorer.score gives them; of a ticket that was not scored with `error`."""
    offsets: Int64
    """Ticket t has rows offsets[t]:offsets[t + 1]."""
    outcome: Int32
    """Per ticket: 0 scored, 1 expired, 2 cancelled, 3 failed."""
    reasons: list[str]
    """Per ticket: why it failed, else empty."""
    remarks: list[str]
    """The text that `optgap score` writes on stderr about these rows."""

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


@dataclass(frozen=True, repr=False, eq=False)
class Checked(Columns):
    """The results of gates and proofs for completions that pose problems, one a row."""

    code: Int32
    """0 where all gates are passed."""
    kind: Int32
    """1 spec, 2 instance, 3 edit, 4 constrain; 0 where it cannot be read."""
    task: Int32
    """Index into optgap.tasks(); -1 where it cannot be read."""
    where: Int64
    """Byte of the question at which it stops being what it must be; -1: no place."""
    levels: Int32
    """Distinct objectives of sixteen noisy greedy answers; 0 where it was not solved."""
    cell: Int64
    """Problems that are alike for novelty have one; -1 where nothing is proven."""
    greedy_gap: Int64
    """1 less the greedy answer's quality, in units of 2^-20."""
    coarse: Bool
    """Another problem may have this canonical key."""
    begin: Int64
    """First UTF-8 byte of the question in the completion."""
    end: Int64
    """The byte behind its last."""
    codes: list[str]
    """Names of `code`, "ok" for 0."""
    field: list[str]
    """The question's field that breaks `rule`."""
    rule: list[str]
    key: list[str]
    """The instance's name; empty, as those below, where it was not read to its end."""
    canonical: list[str]
    """The problem's hash under all its labels."""
    duplicate_of: list[str]
    """The key of the first one, of a duplicate."""
    instances: Instances
    """The posed instance; an empty row where it was not read to its end."""
    baselines: Baselines
    """Status 0 where it was not solved; with answers."""
    outcome: str = "scored"
    """The end of a scheduler's ticket: "scored", or why there are no rows: "expired", "cancelled", "failed"."""
    reason: str = ""
    """Why it failed."""

    columns: ClassVar[tuple[str, ...]] = (
        "code", "kind", "task", "where", "levels", "cell", "greedy_gap", "coarse", "begin", "end",
    )  # fmt: skip

    def problems(self, rows: npt.NDArray[np.intp]) -> tuple[Instances, Baselines]:
        """The problems of some rows, and what is known of them, answers and all."""
        answers = self.baselines.answers
        assert answers is not None
        words, offsets = _rows_taken(answers.words, answers.offsets, rows)
        some = Answers(answers.task[rows], answers.code[rows], answers.where[rows], words, offsets)
        known = {name: getattr(self.baselines, name)[rows] for name in Baselines.columns}
        return self.instances[rows], Baselines(**known, answers=some)


def checked(found: dict[str, Any], outcome: str = "scored", reason: str = "") -> Checked:
    """Made of the native module's columns."""
    words, offsets = found.pop("instances")
    answer_words, answer_offsets = found.pop("answers")
    task, none = found["task"], np.zeros(len(found["task"]), np.int32)
    answers = Answers(task, none, none - 1, answer_words, answer_offsets)
    return Checked(
        codes=list(found.pop("code_name")), baselines=Baselines(**found.pop("baselines"), answers=answers),
        instances=Instances(task, none, none - 1, none.astype(np.uint64), none, words, offsets),
        outcome=outcome, reason=reason, **found,
    )  # fmt: skip


class RowTickets:
    """A Scheduler's verbs for rows of JSON; its methods are the scheduler's."""

    _native: _native.Scheduler

    def submit_row(
        self,
        row: Mapping[str, Any] | str | bytes,
        completion: Text | Sequence[Text] | None = None,
        *,
        deadline: float | None = None,
    ) -> int:
        """A row of any kind, as Scorer.score takes it: a ticket that collect_rows makes a part of a run of. Its baselines are
        proven, its program runs, while others decode. Error where there is no room under `when_full="refuse"`.

        Args:
            row: A dict of what JSON holds, or a JSON object. One that cannot be scored is collected with `error`.
            completion: Put into the row; of a sequence, one row each.
            deadline: Seconds from now; what is not graded by then ends as "expired".
        """
        text = row if isinstance(row, (str, bytes)) else json.dumps(row, ensure_ascii=False, default=_listed)
        if isinstance(text, str):
            text = text.encode("utf-8", "replace")
        ticket = self._native.submit_row(text, completion, seconds_until(deadline))
        if ticket == 0:
            raise misuse("row", "there is no room for it: expected fewer open tickets, or when_full='block'")
        return ticket

    def collect_rows(self, tickets: Tickets, timeout: float | None = None) -> CollectedRows:
        """Waits for these tickets of `submit_row` and takes them, each once, as one run: groups, duplicates, ranks and
        advantages are of these rows, in this order, as Scorer.score gives them. TimeoutError as in collect."""
        found = self._native.collect_rows(tickets_of(tickets), seconds_until(timeout, "timeout"))
        if found is None:
            raise TimeoutError(f"not all of these rows have been graded within {timeout} seconds")
        rows, offsets, outcome, reasons, remarks = found
        return CollectedRows([json.loads(row) for row in rows], offsets, outcome, reasons, remarks)


def _listed(value: Any) -> Any:
    """NumPy's numbers and arrays, and torch's."""
    if not hasattr(value, "tolist"):
        raise misuse("row", f"holds what JSON cannot: {type(value).__name__}")
    return value.tolist()
