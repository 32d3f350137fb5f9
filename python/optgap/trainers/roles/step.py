"""One step of all roles: prompts that go out, texts that come back, rows that are rewarded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ...core.errors import misuse
from ...core.results import Baselines, Instances
from ...core.tickets import Posed


@dataclass(frozen=True)
class Asked:
    """A prompt that waits for a text."""

    ticket: int
    """Its number, which no other prompt of the run has."""
    role: str
    """"proposer", "solver" or "judge"."""
    task: str
    prompt: str

    @property
    def cohort(self) -> str:
        """Rows whose rewards are on one scale."""
        return f"{self.role}/{self.task}"


@dataclass(frozen=True)
class RoleRow:
    """A text and what it earned."""

    ticket: int
    role: str
    task: str
    cohort: str
    group: int
    """Rows of one number answered one prompt, or judge one question."""
    prompt: str
    completion: str
    code: str
    reward: float
    """NaN for a row without one."""
    advantage: float
    components: dict[str, float] = field(default_factory=dict)


@dataclass
class Said:
    """A text that came back."""

    text: str
    finish: int


@dataclass
class Problem:
    """A problem of any proposer, and its group of solvers."""

    number: int
    task: str
    prompt: str
    instance: Instances
    baseline: Baselines
    entry: int = -1
    """Of the pool; -1: a proposal's."""
    proposal: int = -1
    """The ticket that posed it."""
    tickets: list[int] = field(default_factory=list)
    posed: Posed | None = None
    """Where a scheduler scores the answers."""

    def answer(self, ticket: int) -> int:
        """The scheduler's ticket for this one's text."""
        assert self.posed is not None
        return int(self.posed.answers[self.tickets.index(ticket)])


@dataclass
class Proposal:
    """What the gates say of a text."""

    ticket: int
    columns: dict[str, Any]
    """Of pay_proposers."""
    code: str
    problem: Problem | None = None
    cell: int = -1
    canonical: str = ""
    question: str = ""
    """What it poses, as it was written."""
    judges: list[int] = field(default_factory=list)
    """Tickets of those who judge it."""
    qualities: dict[int, float] = field(default_factory=dict)
    """What they say, by ticket; NaN where that cannot be read."""
    sums: list[int] | None = None
    """rows, feasible, solved, sum and sum_sq of its group, once that has answered."""

    @property
    def complete(self) -> bool:
        """Whether all that its reward depends on is there."""
        return (self.problem is None or self.sums is not None) and len(self.qualities) == len(self.judges)


class Desk(Protocol):
    """What a step hands its texts to: Roles."""

    def take(self, step: RoleStep, texts: Mapping[int, str], finish: Mapping[int, str]) -> None:
        """Keeps texts by ticket, and adds the prompts that follow from them."""

    def settle(self, until: Callable[[], bool]) -> None:
        """Adds the prompts that follow from proposals which have been checked; waits for more until that holds."""

    def checking(self, step: RoleStep) -> int:
        """Texts of this step that are being checked."""

    def give_up(self, step: RoleStep, tickets: Sequence[int]) -> None:
        """Forgets prompts."""

    def collect(self, end: bool) -> list[RoleRow]:
        """Rewards what is complete."""


class RoleStep:
    """From Roles.issue. Ask a model `prompts`, `submit` its texts, until no prompt is left; then `collect`.

    A proposal's solvers are asked once it has passed the gates, judges once there is an answer. A proposal is rewarded when
    its whole group and all judgements of it have come back; those that are late stay, and are collected with a later step.
    With a scheduler, proposals are checked while texts are written: their prompts come when the checks have ended, one batch of
    proposals a `submit`.
    """

    def __init__(self, roles: Desk) -> None:
        self._roles = roles
        self._collected = False
        self.waiting: list[Asked] = []
        """Prompts that have no text yet; new ones come behind the others."""
        self._read: set[int] = set()
        """How many `prompts` gave since the last change but at the end."""

    @property
    def prompts(self) -> list[Asked]:
        """What is to be asked now. Those of proposals that have been checked come behind the others; where there are no others,
        it waits for a check to end."""
        if not self._collected:
            self._roles.settle(lambda: bool(self.waiting) or not self.checking)
        self._read.add(len(self.waiting))
        return list(self.waiting)

    @property
    def checking(self) -> int:
        """Proposals of this step that are being checked: what follows from them is not in `prompts` yet."""
        return self._roles.checking(self)

    def settle(self) -> None:
        """Waits for proposals of this step that are being checked."""
        self._roles.settle(lambda: not self.checking)

    def submit(
        self, texts: Sequence[str | None] | Mapping[int, str], finish: Sequence[str] | Mapping[int, str] | None = None
    ) -> None:
        """Takes texts of prompts.

        Args:
            texts: One for each of `prompts` as it was read, None for those that are not ready; or by ticket.
            finish: "stop", "length", "abort" or "unknown", as texts are given.
        """
        if self._collected:
            raise misuse("texts", "this step was collected: expected them in the step that its rows went into")
        if isinstance(texts, Mapping):
            known = {asked.ticket for asked in self.waiting}
            for ticket in texts:
                if ticket not in known:
                    raise misuse("texts", f"no prompt waits under ticket {ticket}")
            given = dict(texts)
            ends = {} if finish is None else finish
            if not isinstance(ends, Mapping):
                raise misuse("finish", "expected a mapping from tickets, as texts are")
        else:
            if len(texts) not in {*self._read, len(self.waiting)}:
                raise misuse("texts", f"expected one for each of the {len(self.waiting)} prompts, got {len(texts)}")
            if finish is not None and len(finish) != len(texts):
                raise misuse("finish", f"expected {len(texts)} entries, got {len(finish)}")
            tickets = [asked.ticket for asked in self.waiting]
            given = {ticket: text for ticket, text in zip(tickets, texts) if text is not None}
            ends = {} if finish is None else dict(zip(tickets, finish if not isinstance(finish, Mapping) else ()))
        self._roles.take(self, given, dict(ends))
        self._read = set()

    def cancel(self, tickets: Sequence[int]) -> None:
        """Says that these prompts will not be answered. A group goes on without such an answer, and a proposal whose group
        lacks one is not rewarded (`not_run`, reward NaN): what a part of the answers says would depend on which were lost.

        Args:
            tickets: Of `prompts`.
        """
        known = {asked.ticket for asked in self.waiting}
        for ticket in tickets:
            if ticket not in known:
                raise misuse("tickets", f"no prompt waits under ticket {ticket}")
        self._read = set()
        self._roles.give_up(self, list(dict.fromkeys(tickets)))

    def collect(self, end: bool = True) -> list[RoleRow]:
        """Rewards what is complete and ends the step; a prompt without a text stays for the next step. Proposals that are being
        checked are waited for, so that what a step rewards depends on no clock; the prompts that follow from them stay.

        Args:
            end: End the pool's step, too. False where ranks merge their deltas first.
        """
        if self._collected:
            raise misuse("collect", "this step was collected before")
        self._roles.settle(
            lambda: False
        )  # those of other steps, too: all that was submitted is in this step of the pool
        self._collected = True
        return self._roles.collect(end)
