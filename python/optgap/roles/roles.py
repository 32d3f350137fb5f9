"""Proposers, solvers and judges around one pool, on proof."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .. import _native, arguments
from ..arguments import Spec
from ..engine import Engine
from ..errors import misuse
from ..pool import Pool
from ..pool.mixed import proposer_prompt
from ..results import Baselines, Instances
from ..scheduler import Scheduler
from .cells import StepForms, counted
from .judging import JudgeReport, Judgements, pay_judges, read_judgements
from .mae import form_of
from .paying import Payment, greedy_gaps, one_of
from .prompts import judge_prompt, question_prompt
from .proposers import UNIT, pay_proposers
from .step import Asked, Problem, Proposal, RoleRow, RoleStep, Said

_KINDS = ("seed", "spec", "instance", "edit", "constrain")
_FINISH = {"unknown": 0, "stop": 1, "length": 2, "abort": 3}
_REFERENCES = 64
_DUPLICATE = 10007
_NOT_RUN = 10012


class Roles:
    """Asks one model as proposer, solver and judge, and pays all three by what is proven.

        pool = optgap.Pool("pool.db", seed=7)
        roles = optgap.Roles(engine, pool, tasks=["tsp"])
        step = roles.issue(proposals=64, solves=64, group=8, judges=16)
        while step.prompts:
            step.submit(model([asked.prompt for asked in step.prompts]))
        rows = step.collect()      # reward, advantage, role, code, components; the pool's step has ended

    Nothing that a model wrote reaches another prompt: instances and answers are written anew from numbers. Not to be
    shared by threads. Of several ranks each has its own, and novelty counts what all of them posed:

        for delta in all_gather(roles.delta(rank)):
            roles.merge(delta)
        rows = step.collect(end=False)      # then the pool's deltas

    Args:
        engine: Solves and scores.
        pool: Problems to solve; where problems that pass the gates go. An empty pool is filled from the generator.
        tasks: Those that proposals are asked for, in turn.
        proposer: Reward of `pay_proposers`.
        solver: Reward of Engine.score.
        judge: Reward of `pay_judges`.
        judge_parser: "strict" or "mae_repo".
        advantage: An estimator, "rae", or {"roles": {"proposer": one, "solver": one, "judge": one}}.
        format: Of the solvers' answers.
        limits: Of the gates, as `optgap score --proposals` reads them; "quota" is how many proposals of one task pass in a step
            of this rank.
        budget: Steps of each proof; -1: the task's own.
        references: Problems shown to a proposer.
        target: Percent of the way from the floor to the optimum that greed should miss, as proposers are told.
        held_out: Canonical keys of problems that no proposal may pose.
        scheduler: Takes solvers' texts as they come and scores them while others are written; None: they are scored at
            `collect`. The rows are the same bytes. It must block where it is full.
        level: Of 64 generated problems a task that say what is usual: their mean greedy gap is what counts as hard, their
            longest prompt is free of charge; the first fill an empty pool.
    """

    def __init__(
        self, engine: Engine, pool: Pool, *, tasks: Sequence[str], proposer: str = "proof", solver: Spec = "normalized",
        judge: str = "band", judge_parser: str = "strict", advantage: Spec = "task_reinforce_pp", format: Spec = "forge",
        limits: Mapping[str, Any] | None = None, budget: int = -1, references: int = 2, target: tuple[int, int] | None = None,
        held_out: Sequence[str] = (), level: str = "easy", scheduler: Scheduler | None = None,
    ) -> None:  # fmt: skip
        if isinstance(tasks, str) or not tasks:
            raise misuse("tasks", f"is {tasks!r}, expected names of tasks")
        self.engine, self.pool, self.tasks = engine, pool, list(tasks)
        self.proposer, self.solver, self.judge = proposer, solver, judge
        self.scheduler = scheduler
        if scheduler is not None and scheduler.refuses:
            raise misuse("scheduler", "refuses texts when it is full, expected one made with when_full='block'")
        self.format, self.target, self.budget = format, target, arguments.integer(budget, "budget", -1, 2**62)
        self.references = arguments.integer(references, "references", 0, 64)
        pay_proposers(proposer, {"rows": [0]})  # refuses a wrong name now
        read_judgements([], judge_parser)
        self._parser = judge_parser
        pay_judges(Judgements([], np.empty(0), np.empty(0)), [], [], [], judge)
        self._advantages = _native.RoleAdvantages(arguments.spec(advantage, "advantage"))
        settings = dict(limits or {})
        self._checker = _native.ProposalChecker(json.dumps(settings) if settings else "", self.budget)
        for key in held_out:
            self._checker.hold_out(arguments.name(key, "held_out"))
        self._prompt_limit = {task: {**settings, **settings.get("tasks", {}).get(task, {})}.get("prompt", 16384)
                              for task in self.tasks}  # fmt: skip
        self._gap: dict[str, int] = {}
        self._free: dict[str, int] = {}
        self._task_of = [task.name for task in engine.tasks]
        for task in self.tasks:
            self._learn_usual(task, level)
        self._cells: Counter[int] = Counter()
        self._forms = StepForms(0)
        self._fresh: list[int] = []
        """Tickets of proposals that passed the gates in this step."""
        self._next_ticket = self._next_problem = 0
        self._canonical: dict[str, str] = {}
        """Of problems that were posed, by their keys."""
        self._proposals: dict[int, Proposal] = {}
        self._problems: dict[int, Problem] = {}
        self._judged: dict[int, int] = {}
        """Ticket of a judge: that of the answer."""
        self._questions: dict[int, int] = {}
        """Ticket of a judge: that of the proposal."""
        self._truths: dict[int, tuple[int, int, float]] = {}
        """Of answers that are judged, by ticket: the problem's number, band and value of what is proven."""
        self._asked: dict[int, Asked] = {}
        self._said: dict[int, Said] = {}
        self._lost: set[int] = set()
        """Solvers' tickets that nobody will answer."""
        self._drawn = (0, 0, 0)
        """Of the pool's step that is said first: problems drawn for solvers, and sets of references."""
        self.report: JudgeReport | None = None
        """Of the judgements that were collected last."""

    def _learn_usual(self, task: str, level: str) -> None:
        usual = self.engine.generate(task, level, _REFERENCES)
        known = self.engine.solve(usual, self.budget)
        if not known.proven.all():
            raise misuse(
                "budget", f"does not prove all of {task} at {level}, expected one that does or an easier level"
            )
        self._gap[task] = max(1, int(np.mean(greedy_gaps(known) * UNIT)))
        self._free[task] = max(len(prompt) for prompt in self.engine.prompts(usual, self.format))
        if len(self.pool) == 0:
            self.pool.add(usual)

    @property
    def waiting(self) -> list[Asked]:
        """All prompts that have no text yet, of whatever step, in the order of tickets."""
        return [asked for ticket, asked in self._asked.items() if ticket not in self._said and ticket not in self._lost]

    def issue(
        self, proposals: int, solves: int, group: int = 8, judges: int = 0, *, questions: int = 0, copies: int = 1
    ) -> RoleStep:
        """Opens a step. One that is opened before another was collected draws other problems.

        Args:
            proposals: Prompts to proposers.
            solves: Problems of the pool, each for a group of solvers.
            group: Answers to each problem, and to each proposal that passes the gates.
            judges: Answers that are judged.
            questions: Judgements of each problem that a proposal poses; their mean is its quality for "mae_paper" and "mae_repo",
                which take the gates' where it is 0 or no judgement can be read.
            copies: How often each prompt to a proposer, or to a judge of an answer, is asked, a ticket each time.
        """
        for name, value in (("proposals", proposals), ("solves", solves), ("judges", judges), ("questions", questions)):
            arguments.integer(value, name, 0, 2**20)
        copies = arguments.integer(copies, "copies", 1, 2**20)
        self._group = arguments.integer(group, "group", 1, 2**20)
        if len(self.pool) == 0 or self.pool.steps == 0:
            self.pool.step()
        step = RoleStep(self)
        step.judges, step.questions, step.copies = judges, questions, copies
        step.waiting = self.waiting
        of, drawn, shown = self._drawn if self._drawn[0] == self.pool.steps else (self.pool.steps, 0, 0)
        self._drawn = (of, drawn + solves, shown + proposals)
        for number in range(proposals):
            task = self.tasks[number % len(self.tasks)]
            prompt = proposer_prompt(task, self._references(task, shown + number), self.target)
            step.waiting += [self._ask("proposer", task, prompt) for _ in range(copies)]
        if solves:
            draws = self.pool.draw(solves, first=drawn)
            prompts = self.engine.prompts(draws.instances, self.format)
            for row in range(solves):
                self._pose(step, prompts[row], draws.instances[row : row + 1], one_of(draws.baselines, row),
                           entry=int(draws.entry[row]))  # fmt: skip
        return step

    def _references(self, task: str, number: int) -> Instances | None:
        if not self.references:
            return None
        # Draws behind those of solvers, of any task: those of this one are shown.
        drawn = self.pool.draw(4 * self.references, first=(1 << 24) + number * 4 * self.references).instances
        own = [row for row, of in enumerate(drawn.task.tolist()) if self._task_of[of] == task]
        return drawn[own[: self.references]] if own else None

    def _ask(self, role: str, task: str, prompt: str) -> Asked:
        asked = Asked(self._next_ticket, role, task, prompt)
        self._next_ticket += 1
        self._asked[asked.ticket] = asked
        return asked

    def _pose(
        self, step: RoleStep, prompt: str, instance: Instances, baseline: Baselines, entry: int = -1, proposal: int = -1
    ) -> Problem:
        task = self._task_of[int(instance.task[0])]
        problem = Problem(self._next_problem, task, prompt, instance, baseline, entry, proposal)
        self._next_problem += 1
        self._problems[problem.number] = problem
        if self.scheduler is not None:
            problem.posed = self.scheduler.pose(instance, self._group, baseline, format=self.format)
        for _ in range(self._group):
            asked = self._ask("solver", task, prompt)
            problem.tickets.append(asked.ticket)
            step.waiting.append(asked)
        return problem

    def take(self, step: RoleStep, texts: Mapping[int, str], finish: Mapping[int, str]) -> None:
        """RoleStep.submit calls it."""
        for ticket, text in texts.items():
            if not isinstance(text, str):
                raise misuse("texts", f"ticket {ticket} has {text!r}, expected a str")
            if finish.get(ticket, "unknown") not in _FINISH:
                raise misuse("finish", f"ticket {ticket} has {finish[ticket]!r}, expected {', '.join(_FINISH)}")
        if any(self._asked[ticket].role == "proposer" for ticket in texts):
            self._forms.require_open()
        for ticket, text in texts.items():
            self._said[ticket] = Said(text, _FINISH[finish.get(ticket, "unknown")])
        step.waiting = [asked for asked in step.waiting if asked.ticket not in texts]
        self._check(step, [ticket for ticket in sorted(texts) if self._asked[ticket].role == "proposer"])
        solvers = [ticket for ticket in sorted(texts) if self._asked[ticket].role == "solver"]
        of = {ticket: problem for problem in self._problems.values() for ticket in problem.tickets}
        if self.scheduler is not None:
            for ticket in solvers:
                self.scheduler.submit(
                    of[ticket].answer(ticket), self._said[ticket].text, finish=[finish.get(ticket, "unknown")],
                    reward=self.solver,
                )  # fmt: skip
        self._ask_judges(step, solvers, of)

    def give_up(self, step: RoleStep, tickets: Sequence[int]) -> None:
        """RoleStep.cancel calls it."""
        of = {ticket: problem for problem in self._problems.values() for ticket in problem.tickets}
        for ticket in tickets:
            if ticket not in of:
                del self._asked[ticket]
                self._judged.pop(ticket, None)
                if ticket in self._questions:
                    self._proposals[self._questions.pop(ticket)].judges.remove(ticket)
                continue
            self._lost.add(ticket)
            if self.scheduler is not None:
                self.scheduler.cancel(of[ticket].answer(ticket))
        step.waiting = [asked for asked in step.waiting if asked.ticket not in set(tickets)]

    def _check(self, step: RoleStep, tickets: Sequence[int]) -> None:
        """The gates; who passes them is brought to the pool and posed to a group."""
        if not tickets:
            return
        said = [self._said[ticket] for ticket in tickets]
        found = self._checker.check(
            [one.text for one in said], np.asarray([one.finish for one in said], np.int32), self._forms.step
        )
        words, offsets = found["instances"]
        kinds = [_KINDS[kind] if kind else "seed" for kind in found["kind"].tolist()]
        codes, names = found["code"].copy(), list(found["code_name"])
        nothing = np.zeros(len(codes), np.int32)
        every = Instances(found["task"], nothing, nothing - 1, nothing.astype(np.uint64), nothing, words, offsets)
        sound = np.flatnonzero(codes == 0)
        if len(sound):
            fresh = every[sound]
            parents = [self._parent_of(said[row].text, found, row) for row in sound.tolist()]
            brought = self.pool.add(fresh, [kinds[row] for row in sound.tolist()], parents, self.budget)
            prompts = self.engine.prompts(fresh, self.format)
            known = Baselines(**{name: column[sound] for name, column in found["baselines"].items()})
        for place, row in enumerate(sound.tolist()):
            if brought.code[place] == "duplicate":
                codes[row], names[row] = _DUPLICATE, "duplicate"
        self._canonical.update((key, form) for key, form in zip(found["key"], found["canonical"]) if form)
        for row, ticket in enumerate(tickets):
            begin, end = int(found["begin"][row]), int(found["end"][row])
            text = said[row].text.encode("utf-8", "surrogatepass")[begin:end].decode("utf-8", "replace")
            form = {"form": int(form_of(said[row].text, "question") * UNIT)}
            own = Proposal(ticket, {"code": int(codes[row]), "kind": int(found["kind"][row])} | form, names[row])
            own.canonical, own.question = found["canonical"][row], text
            if codes[row] == 0:
                place = int(np.searchsorted(sound, row))
                posed = self._task_of[int(found["task"][row])]
                own.cell = int(found["cell"][row])
                own.columns |= {
                    "greedy_gap": int(found["greedy_gap"][row]), "reference_gap": self._gap.get(posed, UNIT),
                    "prompt": len(prompts[place]), "prompt_target": self._free.get(posed, 0),
                    "prompt_limit": self._prompt_limit.get(posed, 16384),
                }  # fmt: skip
                own.problem = self._pose(
                    step, prompts[place], fresh[place : place + 1], one_of(known, place), proposal=ticket
                )
                self._fresh.append(ticket)
            if own.canonical:
                self._forms.note(own.canonical, own.cell if codes[row] == 0 else None)
            self._proposals[ticket] = own
        posed_rows = [row for row in range(len(tickets)) if offsets[row + 1] > offsets[row] and codes[row] != _NOT_RUN]
        if step.questions and posed_rows:
            self._ask_about(step, [tickets[row] for row in posed_rows], every[posed_rows])

    def _ask_about(self, step: RoleStep, tickets: Sequence[int], posed: Instances) -> None:
        """Judges of what proposals pose, whatever gate it failed."""
        for ticket, prompt, task in zip(tickets, self.engine.prompts(posed, self.format), posed.task.tolist()):
            for _ in range(step.questions):
                asked = self._ask("judge", self._task_of[task], question_prompt(prompt))
                self._questions[asked.ticket] = ticket
                self._proposals[ticket].judges.append(asked.ticket)
                step.waiting.append(asked)

    def _parent_of(self, text: str, found: Mapping[str, Any], row: int) -> str | None:
        """The canonical key of the problem that a sound proposal changed; None for one that changes nothing."""
        if _KINDS[int(found["kind"][row])] not in ("edit", "constrain"):
            return None
        posed = json.loads(text.encode("utf-8", "surrogatepass")[int(found["begin"][row]) : int(found["end"][row])])
        key = str(posed["parent"])
        if key in self._canonical:
            return self._canonical[key]
        name, _, level, seed = key.partition("#")[0].split(":")[:4]  # a generated one: the gates let no other pass
        spec = {"task": name.partition("@")[0], "level": level, "seed": int(seed)}
        checker = _native.ProposalChecker("", 0)  # it is named, and not proven
        return str(checker.check([f"<question>{json.dumps(spec)}</question>"], np.zeros(1, np.int32))["canonical"][0])

    def _ask_judges(self, step: RoleStep, tickets: Sequence[int], of: Mapping[int, Problem]) -> None:
        chosen = tickets[: step.judges]
        step.judges -= len(chosen)
        for ticket in chosen:
            problem = of[ticket]
            values = self.engine.parse([self._said[ticket].text], problem.instance, self.format).tolist()[0]
            prompt = judge_prompt(problem.prompt, values)
            for _ in range(step.copies):
                asked = self._ask("judge", problem.task, prompt)
                self._judged[asked.ticket] = ticket
                step.waiting.append(asked)

    def delta(self, rank: int = 0) -> str:
        """What this rank's proposers posed in this step, as text to gather once all proposals are submitted. Later calls repeat
        it; a proposal that comes later is refused until the step is collected."""
        return self._forms.delta(arguments.integer(rank, "rank", 0, 2**31 - 1))

    def merge(self, delta: str) -> bool:
        """Counts what a rank posed, this one's among them, before the step is collected: the novelty of a problem is shared by
        all that posed it, and less by all that are alike. False when it is there already. Error, and no change, for one of
        another step."""
        return self._forms.merge(arguments.name(delta, "delta"))

    def _count_forms(self) -> None:
        """The cells and sharers of this step's proposals, of all ranks; they are paid by them now or later."""
        forms = self._forms.all()
        fresh = counted(forms)
        for ticket in self._fresh:
            own = self._proposals[ticket]
            # Entries of its cell at the start of the step, and the others that the step brought.
            own.columns |= {"before": self._cells[own.cell] + fresh[own.cell] - 1, "equal": forms[own.canonical][1]}
        self._cells.update(fresh)
        self._fresh = []
        self._forms = StepForms(self._forms.step + 1)

    def collect(self, end: bool) -> list[RoleRow]:
        """RoleStep.collect calls it."""
        self._count_forms()
        rows = Payment(self).rows()
        for row in rows:
            for kept in (self._asked, self._said, self._proposals, self._judged, self._questions):
                kept.pop(row.ticket, None)
        judged = set(self._judged.values())
        self._truths = {answer: truth for answer, truth in self._truths.items() if answer in judged}
        still = {ticket for problem in self._problems.values() for ticket in problem.tickets}
        for ticket in self._lost - still:
            del self._asked[ticket]
        self._lost &= still
        if end:
            self.pool.step()
        return rows

    @property
    def state(self) -> dict[str, Any]:
        """What a run that goes on needs beside the pool: running means, how many entries each cell has, and the numbers that
        were given. Open prompts are not in it."""
        numbers = [self._next_ticket, self._next_problem, self._forms.step]
        return {"means": self._advantages.means, "cells": dict(self._cells), "numbers": numbers}

    @state.setter
    def state(self, kept: Mapping[str, Any]) -> None:
        self._advantages.restore([tuple(one) for one in kept["means"]])
        self._cells = Counter({int(cell): int(count) for cell, count in kept["cells"].items()})
        self._next_ticket, self._next_problem, step = kept["numbers"]
        self._forms = StepForms(step)
