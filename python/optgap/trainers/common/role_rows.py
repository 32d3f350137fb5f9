"""Prompts of proposers, solvers and judges as rows of a trainer's data, and what their completions earn: behind the adapters
of roles (docs/coevolution.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from optgap.core import arguments
from optgap.trainers.common.evaluation import refuse
from optgap.trainers.common.ground_truth import ROLES
from optgap.trainers.roles import Asked, RoleRow, Roles, TextRoles

Row = dict[str, Any]
"""`prompt`, `role`, `task`, `data_source` and `tickets`, one for each of the row's completions."""

Model = Callable[[Sequence[str]], Sequence[str]]
"""Texts for prompts, in their order."""


_BESIDE = ("solver", "grader")
"""Roles that are asked beside the batch, when they have no row in it."""


class RoleRows:
    """A step of all roles as `prompts` rows, each answered `group` times:

        rows = RoleRows(roles, prompts=16, group=8, proposals=4, judges=2)
        batch = rows.rows()                       # the trainer's model answers each row `group` times
        rewarded = rows.reward_rows(texts, solve=model)       # by ticket; the pool has observed, and its step has ended

    A trainer asks a whole batch at once, so what a step's answers lead to comes later: judges see answers of the step
    before, and solvers the problems that were posed in it, as draws of the pool. A proposal is rewarded at once all the same:
    `solve` answers it, `group` texts of the policy that are not trained on. Rows may be made before those of the last step are
    rewarded. Not to be shared by threads.

    Args:
        roles: Of this process: on proof, or `TextRoles` on free text.
        prompts: Rows a step.
        group: Completions a row.
        proposals: Rows of a step that are a proposer's.
        judges: Answers of a step that the next one judges, a row each; while there are none, solvers have their rows.
    """

    def __init__(self, roles: Roles | TextRoles, *, prompts: int, group: int, proposals: int, judges: int = 0) -> None:
        self.roles = roles
        self.prompts = arguments.integer(prompts, "prompts", 1, 2**20)
        self.group = arguments.integer(group, "group", 2, 2**20)
        self.proposals = arguments.integer(proposals, "proposals", 0, 2**20)
        self.judges = arguments.integer(judges, "judges", 0, 2**20)
        if proposals + judges > prompts:
            raise refuse(
                "prompts", f"is {prompts}, and {proposals} proposals and {judges} judges are more rows than that"
            )
        self._open: dict[int, Row] = {}
        """Rows that were handed out and lack a text, by their first ticket."""
        self._handed: set[int] = set()
        """Tickets of rows that were handed out and have no text."""

    @property
    def pending(self) -> list[Row]:
        """Rows that were handed out and are not rewarded, in their order."""
        return [row for _, row in sorted(self._open.items())]

    def missing(self, row: Row) -> list[int]:
        """Its tickets that have no text yet."""
        return [ticket for ticket in row["tickets"] if ticket in self._handed]

    def checkpoint(self) -> dict[str, Any]:
        """What a run goes on from, as JSON has it: of the roles, with the pool's step and hash, and rows without their texts."""
        return {**self.roles.checkpoint(), "rows": self.pending, "handed": sorted(self._handed)}

    def resume(self, kept: Mapping[str, Any]) -> None:
        """Goes on from `checkpoint`'s, with the pool rewound to that step: `pending` are the rows that were handed out then.
        Error, and no change, where the pool is another run's or has not come so far."""
        self.roles.resume(kept)
        self._open = {row["tickets"][0]: dict(row) for row in kept.get("rows", [])}
        self._handed = set(kept.get("handed", []))

    def rows(self) -> list[Row]:
        """The next step's."""
        judged = [asked for asked in self.roles.waiting if asked.role == "judge" and asked.ticket not in self._handed]
        judged = judged[: self.judges * self.group]
        solves = self.prompts - self.proposals - len(judged) // self.group
        known = {asked.ticket for asked in self.roles.waiting}
        step = self.roles.issue(self.proposals, solves, self.group, self.judges, copies=self.group)
        fresh = judged + [asked for asked in step.prompts if asked.ticket not in known]
        made = [_row(fresh[first : first + self.group]) for first in range(0, len(fresh), self.group)]
        self._open.update((row["tickets"][0], row) for row in made)
        self._handed.update(asked.ticket for asked in fresh)
        return made

    def reward_rows(
        self,
        texts: Mapping[int, str],
        solve: Model | None = None,
        finish: Mapping[int, str] | None = None,
        judge: Model | None = None,
    ) -> dict[int, RoleRow]:
        """What texts earn, by ticket; a row whose texts are not all there is rewarded with a later step.

        Args:
            texts: By the tickets of rows.
            solve: Answers to what was posed. Error where it is needed and None.
            judge: Scores that make rewards, of `TextRoles`; None: `solve` writes them, too.
            finish: "stop", "length", "abort" or "unknown" by ticket; "unknown" for those that it lacks.
        """
        step = self.roles.issue(0, 0, self.group, copies=self.group)
        step.submit(dict(texts), dict(finish or {}))
        self._handed.difference_update(texts)
        while True:
            step.settle()  # the whole batch is there: nothing is left to overlap with
            posed = [asked for asked in step.prompts if asked.role in _BESIDE and asked.ticket not in self._handed]
            if not posed:
                break
            role = posed[0].role
            posed = [asked for asked in posed if asked.role == role]
            model = solve if role == "solver" or judge is None else judge
            if model is None:
                raise refuse(
                    "solve", "is None, and proposals are rewarded by answers to them: give a model that solves"
                )
            said = model([asked.prompt for asked in posed])
            if len(said) != len(posed):
                raise refuse("solve" if model is solve else "judge", f"gave {len(said)} texts for {len(posed)} prompts")
            step.submit({asked.ticket: text for asked, text in zip(posed, said)})
        self._open = {first: row for first, row in self._open.items() if not self._handed.isdisjoint(row["tickets"])}
        return {row.ticket: row for row in step.collect()}


def _row(asked: Sequence[Asked]) -> Row:
    one = asked[0]
    return {
        "prompt": one.prompt,
        "role": one.role,
        "task": one.task,
        "data_source": f"{ROLES}{one.role}/{one.task}",
        "tickets": [each.ticket for each in asked],
    }


def measures(rows: Sequence[RoleRow]) -> dict[str, float]:
    """What a step's log shows: each role's mean reward, and of proposers and solvers how many were sound or feasible."""
    found: dict[str, float] = {}
    for role, count in sorted(Counter(row.role for row in rows).items()):
        mine = [row for row in rows if row.role == role]
        rewarded = [row.reward for row in mine if row.reward == row.reward]
        if rewarded:
            found[f"{ROLES}{role}/reward"] = sum(rewarded) / len(rewarded)
        good = sum(row.code == "ok" for row in mine)
        found[f"{ROLES}{role}/{'sound' if role == 'proposer' else 'readable' if role == 'judge' else 'feasible'}"] = (
            good / count
        )
    return found
