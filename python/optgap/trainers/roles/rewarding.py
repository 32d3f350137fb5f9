"""What the rows of a step earn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ... import _native
from ...core.results import NO_OBJECTIVE, Baselines, Instances, Scores
from ...rows.code_table import codes
from .judging import judge_report, read_judgements, reward_judges
from .proposers import UNIT, cluster_questions, reward_proposers, words_of_question
from .step import Problem, Proposal, RoleRow

_GATES = codes("proposal")
_PLACE = {"proposer": 0, "solver": 1, "judge": 2}
_NOT_SCORED, _NOT_RUN = -1, _GATES["not_run"]


def one_of(known: Baselines, row: int) -> Baselines:
    """One row."""
    return Baselines(**{name: getattr(known, name)[row : row + 1] for name in Baselines.columns})


def greedy_gaps(known: Baselines) -> npt.NDArray[np.float64]:
    """1 less the quality of each greedy answer, 1 where there is none."""
    best, greedy = known.objective.astype(np.float64), known.greedy.astype(np.float64)
    there = (known.greedy != NO_OBJECTIVE) & (known.objective != NO_OBJECTIVE)
    low, high = np.minimum(best, greedy), np.maximum(np.maximum(best, greedy), 1)
    return np.where(there, np.where(best == greedy, 0.0, 1 - np.clip(low / high, 0, 1)), 1.0)


def _quality(one: Proposal) -> int:
    """The mean of what judges say of it, in units; -1: nothing."""
    said = [value for _, value in sorted(one.qualities.items()) if not np.isnan(value)]
    return round(sum(said) / len(said) * UNIT) if said else -1


def _clusters(proposals: Sequence[Proposal]) -> list[int]:
    """How many proposals pose what repeats each; 0 for those in a broken form."""
    formed = [place for place, one in enumerate(proposals) if one.columns["code"] in (0, *_GATES.values())]
    found = cluster_questions([words_of_question(proposals[place].question) for place in formed]).tolist()
    sizes = Counter(found)
    out = [0] * len(proposals)
    for place, cluster in zip(formed, found):
        out[place] = sizes[cluster]
    return out


class StepRewards:
    """Rewards what is complete: groups of solvers whose texts are all there, proposals of such groups, judgements of answers
    that were rewarded."""

    def __init__(self, roles: Any) -> None:  # Roles, which makes these
        self._roles = roles
        self._found: list[RoleRow] = []

    def rows(self) -> list[RoleRow]:
        """In the order of tickets."""
        roles = self._roles
        ready = [one for _, one in sorted(roles._problems.items())
                 if all(ticket in roles._said or ticket in roles._lost for ticket in one.tickets)]  # fmt: skip
        self._solvers(ready)
        self._judges()
        self._proposers()
        for problem in ready:
            del roles._problems[problem.number]
        self._found.sort(key=lambda row: row.ticket)
        return self._compared()

    def _row(self, ticket: int, group: int, code: str, reward: float, components: dict[str, float]) -> None:
        asked = self._roles._asked[ticket]
        said = self._roles._said[ticket].text
        self._found.append(
            RoleRow(
                ticket, asked.role, asked.task, asked.cohort, group, asked.prompt, said, code, reward, 0.0, components
            )
        )

    def _solvers(self, ready: Sequence[Problem]) -> None:
        if not ready:
            return
        roles = self._roles
        given = [[ticket for ticket in problem.tickets if ticket not in roles._lost] for problem in ready]
        tickets = [ticket for some in given for ticket in some]
        of = np.repeat(np.arange(len(ready), dtype=np.int32), [len(some) for some in given])
        scores, sums = self._scored(ready, tickets, of) if roles.scheduler is None else self._collected(ready)
        quality = scores.normalized.astype(np.float64)
        bands, truths = _native.answer_truths(scores.feasible, scores.optimal, scores.proven, quality)
        judged = set(roles._judged.values())
        for row, ticket in enumerate(tickets):
            problem, parts = ready[int(of[row])], ("format", "feasible", "quality", "normalized", "optimal")
            self._row(ticket, problem.number, scores.codes[row], float(scores.reward[row]),
                      {name: float(getattr(scores, name)[row]) for name in parts})  # fmt: skip
            if ticket in judged:
                known = scores.code[row] != _NOT_SCORED
                roles._truths[ticket] = (
                    problem.number, int(bands[row]) if known else -1, float(truths[row]) if known else float("nan"),
                )  # fmt: skip
        drawn = np.asarray([problem.entry for problem in ready], np.int64)[of]
        seen = (drawn >= 0) & (scores.code != _NOT_SCORED)
        if seen.any():
            roles.pool.observe_rows(drawn[seen], scores.normalized[seen], scores.optimal[seen])
        for place, problem in enumerate(ready):
            if problem.proposal >= 0:
                roles._proposals[problem.proposal].sums = [int(column[place]) for column in sums]

    def _scored(
        self, ready: Sequence[Problem], tickets: Sequence[int], of: npt.NDArray[np.int32]
    ) -> tuple[Scores, Sequence[npt.NDArray[np.int64]]]:
        """Rows of all answers, and the sums of each problem's."""
        roles = self._roles
        columns: dict[str, Any] = {
            name: np.concatenate([getattr(one.baseline, name) for one in ready]) for name in Baselines.columns
        }
        said = [roles._said[ticket] for ticket in tickets]
        scores = roles.engine.score(
            Instances.concat([one.instance for one in ready]), [one.text for one in said], Baselines(**columns),
            instance_of=of, finish=np.asarray([one.finish for one in said], np.int32), format=roles.format,
            reward=roles.solver,
        )  # fmt: skip
        quality = scores.normalized.astype(np.float64)
        sums = _native.group_sums(len(ready), of.astype(np.int64), scores.feasible, scores.optimal, quality)
        for place, problem in enumerate(ready):
            if not roles._lost.isdisjoint(problem.tickets):
                self._lose(problem)
                for column in sums:
                    column[place] = 0
        return scores, sums

    def _collected(self, ready: Sequence[Problem]) -> tuple[Scores, Sequence[npt.NDArray[np.int64]]]:
        """The same from the scheduler, which has scored most of them by now."""
        by = self._roles.scheduler
        scores = by.collect(np.concatenate([one.posed.answers for one in ready if one.posed is not None]))
        ended = by.collect_questions([one.posed.question for one in ready if one.posed is not None])
        for problem, how in zip(ready, ended.outcome.tolist()):
            if how != 0:
                self._lose(problem)
        return scores, (ended.rows, ended.feasible, ended.solved, ended.sum, ended.sum_sq)

    def _lose(self, problem: Problem) -> None:
        """An answer to it is missing: who posed it has no reward."""
        if problem.proposal >= 0:
            lost = self._roles._proposals[problem.proposal]
            lost.columns["code"], lost.code = _NOT_RUN, "not_run"

    def _proposers(self) -> None:
        roles = self._roles
        ready: list[Proposal] = [one for _, one in sorted(roles._proposals.items()) if one.complete]
        if not ready:
            return
        names = sorted({name for one in ready for name in one.columns})
        usual = {"equal": 1, "reference_gap": UNIT, "prompt_limit": 1}
        columns: dict[str, list[int]] = {
            name: [one.columns.get(name, usual.get(name, 0)) for one in ready] for name in names
        }
        for place, name in enumerate(("rows", "feasible", "solved", "sum", "sum_sq")):
            columns[name] = [(one.sums or [0] * 5)[place] for one in ready]
        columns["quality"] = [_quality(one) for one in ready]
        repeats = roles.proposer == "r_zero"
        if repeats:
            columns["cluster"], columns["batch"] = _clusters(ready), [len(ready)] * len(ready)
        rewarded = reward_proposers(roles.proposer, columns)
        groups = {task: place for place, task in enumerate(roles.tasks)}
        for row, one in enumerate(ready):
            reward = float("nan") if rewarded["excluded"][row] else rewarded["reward"][row] / UNIT
            parts = {name: rewarded[name][row] / UNIT for name in ("signal", "novelty", "hardness", "price")}
            if one.judges:
                parts["quality"] = float(np.nan if columns["quality"][row] < 0 else columns["quality"][row] / UNIT)
            if repeats:
                parts["cluster"] = columns["cluster"][row] / len(ready)
            self._row(one.ticket, -1 - groups[roles._asked[one.ticket].task], one.code, float(reward), parts)

    def _judges(self) -> None:
        roles = self._roles
        asked = sorted(own for own in (*roles._judged, *roles._questions) if own in roles._said)
        asked = [own for own in asked if own in roles._questions or roles._judged[own] in roles._truths]
        said = read_judgements([roles._said[own].text for own in asked], roles._parser)
        truths = [self._truth_for(own) for own in asked]
        groups, bands, values = [one[0] for one in truths], [one[1] for one in truths], [one[2] for one in truths]
        rewarded = reward_judges(said, bands, values, groups, roles.judge)
        roles.report = judge_report(said, bands, values) if asked else None
        for row, own in enumerate(asked):
            self._row(own, groups[row], said.code[row], float(rewarded[row]),
                      {"value": float(said.value[row]), "truth": float(values[row])})  # fmt: skip
            if own in roles._questions:
                roles._proposals[roles._questions[own]].qualities[own] = float(said.value[row])

    def _truth_for(self, own: int) -> tuple[int, int, float]:
        """The group of a judgement, and band and value of what is proven."""
        roles = self._roles
        if own not in roles._questions:
            known: tuple[int, int, float] = roles._truths[roles._judged[own]]
            return known
        code = np.asarray([roles._proposals[roles._questions[own]].columns["code"]], np.int32)
        band, value = _native.question_truths(code)
        # Questions of one task are compared; the numbers behind those of proposers' groups are theirs.
        place = roles._task_of.index(roles._asked[own].task)
        return -1 - len(roles.tasks) - place, int(band[0]), float(value[0])

    def _compared(self) -> list[RoleRow]:
        columns: dict[str, Any] = {
            "role": [_PLACE[row.role] for row in self._found],
            "group": [row.group for row in self._found],
            "cohort": [self._roles._task_of.index(row.task) for row in self._found],
        }
        rewards = np.asarray([row.reward for row in self._found], np.float32)
        ids = {name: np.asarray(values, np.int32) for name, values in columns.items()}
        advantages = self._roles._advantages.advantages(ids["role"], rewards, ids["group"], ids["cohort"])
        return [replace(row, advantage=float(value)) for row, value in zip(self._found, advantages)]
