"""Proposals between the text that came and the prompts that follow from it: gates, proofs, the pool, solvers and judges."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.errors import Error
from ...core.results import Instances
from ...core.tickets import Checked
from ...rows.code_table import codes
from .gates import Gates
from .proposers import UNIT
from .step import Proposal, RoleStep
from .tags import form_of

_KINDS = ("seed", "spec", "instance", "edit", "constrain")
_DUPLICATE = 10007
_NOT_RUN = codes("proposal")["not_run"]


@dataclass
class Terms:
    """What a step was issued with."""

    group: int
    questions: int
    copies: int
    judges: int
    """How many answers are still to be chosen that will be judged."""


@dataclass(frozen=True)
class Reserved:
    """Numbers that a proposal's problem and prompts will have, if it passes the gates: they are given with its own, so that no
    number depends on when a check ends."""

    terms: Terms
    problem: int
    solvers: int
    """The first of its solvers' tickets, and so on."""
    judges: int
    """Of judges of the question."""
    judges_of_answers: int
    """Of each answer `copies`."""


@dataclass(frozen=True)
class _Open:
    steps: list[RoleStep]
    """That ask what follows: the one that the texts came in, and those that were issued since."""
    tickets: list[int]
    """Of the proposals, in their order."""
    ticket: int
    """The scheduler's."""


class Checks:
    """The checks of one Roles: within `begin`, or by its scheduler; what they lead to is done in the order of `begin` on the
    thread that calls."""

    def __init__(self, roles: Any, gates: Gates) -> None:  # Roles, which makes these
        self._roles, self._gates = roles, gates
        self._open: deque[_Open] = deque()
        self.reserved: dict[int, Reserved] = {}
        """By the tickets of proposers that have not been checked."""

    @property
    def is_open(self) -> bool:
        """Whether texts are being checked."""
        return bool(self._open)

    def begin(self, step: RoleStep, tickets: list[int]) -> None:
        """Checks texts that came, one batch a call."""
        roles = self._roles
        said = [roles._said[ticket] for ticket in tickets]
        texts, ends = [one.text for one in said], np.asarray([one.finish for one in said], np.int32)
        number = roles._forms.step
        try:
            if roles.scheduler is not None:
                ticket = roles.scheduler.propose(self._gates, texts, finish=ends, step=number)
                self._open.append(_Open([step], tickets, ticket))
                return
            found = self._gates.check(texts, finish=ends, step=number)
        except BaseException:
            self._lose(tickets)
            raise
        self._take_in([step], tickets, found)

    def follow(self, step: RoleStep) -> None:
        """A step that is issued now asks what follows from all that is being checked."""
        for one in self._open:
            one.steps.append(step)

    def under_way(self, step: RoleStep) -> int:
        """Texts that are being checked and that this step waits for."""
        return sum(len(one.tickets) for one in self._open if step in one.steps)

    def settle(self, until: Callable[[], bool]) -> None:
        """Takes in what has ended, and waits for the others, in their order, until that holds."""
        by = self._roles.scheduler
        while self._open:
            first = self._open[0]
            assert by is not None
            if until() and not by.has_ended(first.ticket)[0]:
                return
            (found,) = by.collect_proposals(first.ticket)
            self._open.popleft()
            if found.outcome == "scored":
                self._take_in(first.steps, first.tickets, found)
                continue
            self._lose(first.tickets)
            if found.outcome == "failed":  # as the direct call throws
                raise Error(found.reason, "internal")

    def _lose(self, tickets: Sequence[int]) -> None:
        """They were not checked, and have no reward."""
        for ticket in tickets:
            del self.reserved[ticket]
            form = int(form_of(self._roles._said[ticket].text, "question") * UNIT)
            self._roles._proposals[ticket] = Proposal(ticket, {"code": _NOT_RUN, "kind": 0, "form": form}, "not_run")

    def _take_in(self, steps: Sequence[RoleStep], tickets: Sequence[int], found: Checked) -> None:
        """Who passes the gates is brought to the pool and posed to a group."""
        roles = self._roles
        said = [roles._said[ticket].text for ticket in tickets]
        codes, names = found.code.copy(), list(found.codes)
        sound = np.flatnonzero(codes == 0)
        if len(sound):
            fresh, known = found.problems(sound)
            kinds = [_KINDS[kind] for kind in found.kind[sound].tolist()]
            parents = [self._parent_of(said[row], found, row) for row in sound.tolist()]
            brought = roles.pool.add(fresh, kinds, parents, roles.budget, known)
            prompts = roles.engine.prompts(fresh, roles.format)
            for place, row in enumerate(sound.tolist()):
                if brought.code[place] == "duplicate":
                    codes[row], names[row] = _DUPLICATE, "duplicate"
        roles._canonical.update((key, form) for key, form in zip(found.key, found.canonical) if form)
        for row, ticket in enumerate(tickets):
            begin, end = int(found.begin[row]), int(found.end[row])
            form = {"form": int(form_of(said[row], "question") * UNIT)}
            own = Proposal(ticket, {"code": int(codes[row]), "kind": int(found.kind[row])} | form, names[row])
            own.canonical = found.canonical[row]
            own.question = said[row].encode("utf-8", "surrogatepass")[begin:end].decode("utf-8", "replace")
            if codes[row] == 0:
                place = int(np.searchsorted(sound, row))
                posed = roles._task_of[int(found.task[row])]
                own.cell = int(found.cell[row])
                own.columns |= {
                    "greedy_gap": int(found.greedy_gap[row]), "reference_gap": roles._gap.get(posed, UNIT),
                    "prompt": len(prompts[place]), "prompt_target": roles._free.get(posed, 0),
                    "prompt_limit": roles._prompt_limit.get(posed, 16384),
                }  # fmt: skip
                own.problem = roles._pose_proposal(
                    steps, self.reserved[ticket], prompts[place], *found.problems(np.asarray([row])), proposal=ticket
                )
            roles._note(own)
        offsets = found.instances.offsets
        posed_rows = [row for row in range(len(tickets)) if offsets[row + 1] > offsets[row] and codes[row] != _NOT_RUN]
        asking = [row for row in posed_rows if self.reserved[tickets[row]].terms.questions]
        if asking:
            self._ask_about(steps, [tickets[row] for row in asking], found.instances[asking])
        for ticket in tickets:
            del self.reserved[ticket]

    def _ask_about(self, steps: Sequence[RoleStep], tickets: Sequence[int], posed: Instances) -> None:
        """Judges of what proposals pose, whatever gate it failed."""
        roles = self._roles
        for ticket, prompt, task in zip(tickets, roles.engine.prompts(posed, roles.format), posed.task.tolist()):
            roles._ask_about(steps, ticket, prompt, roles._task_of[task], self.reserved[ticket])

    def _parent_of(self, text: str, found: Checked, row: int) -> str | None:
        """The canonical key of the problem that a sound proposal changed; None for one that changes nothing."""
        if _KINDS[int(found.kind[row])] not in ("edit", "constrain"):
            return None
        posed = json.loads(text.encode("utf-8", "surrogatepass")[int(found.begin[row]) : int(found.end[row])])
        key = str(posed["parent"])
        if key in self._roles._canonical:
            known: str = self._roles._canonical[key]
            return known
        name, _, level, seed = key.partition("#")[0].split(":")[:4]  # a generated one: the gates let no other pass
        spec = {"task": name.partition("@")[0], "level": level, "seed": int(seed)}
        named = Gates(budget=0).check([f"<question>{json.dumps(spec)}</question>"])  # and not proven
        return named.canonical[0]
