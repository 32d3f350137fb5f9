"""Proposers, solvers and judges around one pool, on proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ... import _native
from ...core import arguments
from ...core.arguments import Spec
from ...core.engine import Engine
from ...core.errors import misuse
from ...core.results import Baselines, Instances
from ...core.scheduler import Scheduler
from ..pool import Pool
from ..pool.mixed import proposer_prompt
from .cells import StepForms, counted
from .checking import Checks, Reserved, Terms
from .gates import Gates
from .judging import Judgements, JudgeReport, read_judgements, reward_judges
from .kept import take, written
from .prompts import judge_prompt, question_prompt
from .proposers import UNIT, reward_proposers
from .rewarding import StepRewards, greedy_gaps, one_of
from .step import Asked, Problem, Proposal, RoleRow, RoleStep, Said

_FINISH = {"unknown": 0, "stop": 1, "length": 2, "abort": 3}
_REFERENCES = 64


class Roles:
    """Asks one model as proposer, solver and judge, and rewards all three by what is proven.

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
        proposer: Reward of `reward_proposers`.
        solver: Reward of Engine.score.
        judge: Reward of `reward_judges`.
        judge_parser: "strict" or "mae_repo".
        advantage: An estimator, "rae", or {"roles": {"proposer": one, "solver": one, "judge": one}}.
        format: Of the solvers' answers.
        limits: Of the gates, as `optgap score --proposals` reads them; "quota" is how many proposals of one task pass in a step
            of this rank.
        budget: Steps of each proof; -1: the task's own.
        references: Problems shown to a proposer.
        reference_share: Of the prompts to proposers, those that show them, evenly spread; 0 to 1.
        target: Percent of the way from the floor to the optimum that greed should miss, as proposers are told.
        held_out: Canonical keys of problems that no proposal may pose.
        scheduler: Takes texts as they come: proposals are checked and proven, and answers scored, while others are written;
            None: the former is done within `submit`, the latter within `collect`. The rows are the same bytes. It must block
            where it is full.
        level: Of 64 generated problems a task that say what is usual: their mean greedy gap is what counts as hard, their
            longest prompt is free of charge; the first fill an empty pool.
    """

    def __init__(
        self, engine: Engine, pool: Pool, *, tasks: Sequence[str], proposer: str = "proof", solver: Spec = "normalized",
        judge: str = "band", judge_parser: str = "strict", advantage: Spec = "task_reinforce_pp", format: Spec = "forge",
        limits: Mapping[str, Any] | None = None, budget: int = -1, references: int = 2, reference_share: float = 1.0,
        target: tuple[int, int] | None = None, held_out: Sequence[str] = (), level: str = "easy", scheduler: Scheduler | None = None,
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
        if not 0 <= reference_share <= 1:
            raise misuse("reference_share", f"is {reference_share}, expected 0 to 1")
        self.reference_share = reference_share
        reward_proposers(proposer, {"rows": [0]})  # refuses a wrong name now
        read_judgements([], judge_parser)
        self._parser = judge_parser
        reward_judges(Judgements([], np.empty(0), np.empty(0)), [], [], [], judge)
        self._advantages = _native.RoleAdvantages(arguments.spec(advantage, "advantage"))
        settings = dict(limits or {})
        self._checks = Checks(self, Gates(limits=settings, budget=self.budget, held_out=held_out))
        self._prompt_limit = {task: {**settings, **settings.get("tasks", {}).get(task, {})}.get("prompt", 16384)
                              for task in self.tasks}  # fmt: skip
        self._gap: dict[str, int] = {}
        self._free: dict[str, int] = {}
        self._task_of = [task.name for task in engine.tasks]
        self._level = level
        for task in self.tasks:
            self._learn_usual(task)
        self._fill()
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
        self._chosen: dict[int, range] = {}
        """Of answers that have not come and will be judged, by ticket: their judges' tickets."""
        self._lost: set[int] = set()
        """Solvers' tickets that will not be answered."""
        self._drawn = (0, 0, 0)
        """Of the pool's step that is said first: problems drawn for solvers, and sets of references."""
        self.report: JudgeReport | None = None
        """Of the judgements that were collected last."""

    def _learn_usual(self, task: str) -> None:
        usual = self.engine.generate(task, self._level, _REFERENCES)
        known = self.engine.solve(usual, self.budget)
        if not known.proven.all():
            raise misuse(
                "budget", f"does not prove all of {task} at {self._level}, expected one that does or an easier level"
            )
        self._gap[task] = max(1, int(np.mean(greedy_gaps(known) * UNIT)))
        self._free[task] = max(len(prompt) for prompt in self.engine.prompts(usual, self.format))

    def _fill(self) -> None:
        """An empty pool, at the end of its first step."""
        if len(self.pool) == 0:
            for task in self.tasks:
                self.pool.add(self.engine.generate(task, self._level, _REFERENCES))

    @property
    def waiting(self) -> list[Asked]:
        """All prompts that have no text yet, of whatever step, in the order of tickets."""
        found = (own for own in self._asked.values() if own.ticket not in self._said and own.ticket not in self._lost)
        return sorted(found, key=lambda own: own.ticket)

    def issue(
        self, proposals: int, solves: int, group: int = 8, judges: int = 0, *, questions: int = 0, copies: int = 1
    ) -> RoleStep:
        """Opens a step. One that is opened before another was collected draws other problems.

        Args:
            proposals: Prompts to proposers.
            solves: Problems of the pool, each for a group of solvers.
            group: Answers to each problem, and to each proposal that passes the gates.
            judges: Answers that are judged: those with the lowest tickets of this step, once they have come.
            questions: Judgements of each problem that a proposal poses; their mean is its quality for "mae_paper" and "mae_repo",
                which take the gates' where it is 0 or no judgement can be read.
            copies: How often each prompt to a proposer, or to a judge of an answer, is asked, a ticket each time.
        """
        for name, value in (("proposals", proposals), ("solves", solves), ("judges", judges), ("questions", questions)):
            arguments.integer(value, name, 0, 2**20)
        copies = arguments.integer(copies, "copies", 1, 2**20)
        group = arguments.integer(group, "group", 1, 2**20)
        if len(self.pool) == 0 or self.pool.steps == 0:
            self.pool.step()
        step, terms = RoleStep(self), Terms(group, questions, copies, judges)
        step.waiting = self.waiting
        self._checks.follow(step)
        of, drawn, shown = self._drawn if self._drawn[0] == self.pool.steps else (self.pool.steps, 0, 0)
        self._drawn = (of, drawn + solves, shown + proposals)
        proposers: list[Asked] = []
        for number in range(proposals):
            task = self.tasks[number % len(self.tasks)]
            prompt = proposer_prompt(task, self._references(task, shown + number), self.target)
            proposers += [self._ask("proposer", task, prompt, self._numbers(1), [step]) for _ in range(copies)]
        if solves:
            draws = self.pool.draw(solves, first=drawn)
            prompts = self.engine.prompts(draws.instances, self.format)
            first = self._numbers(solves * group)
            for row in range(solves):
                tickets = range(first + row * group, first + (row + 1) * group)
                self._pose([step], self._next_problem, tickets, prompts[row], draws.instances[row : row + 1],
                           one_of(draws.baselines, row), entry=int(draws.entry[row]))  # fmt: skip
                self._next_problem += 1
            self._next_ticket = self._choose(terms, range(first, first + solves * group), self._next_ticket)
        for asked in proposers:
            self._checks.reserved[asked.ticket] = self._reserve(terms)
        return step

    def _numbers(self, count: int) -> int:
        """The first of so many new tickets."""
        self._next_ticket += count
        return self._next_ticket - count

    def _reserve(self, terms: Terms) -> Reserved:
        self._next_problem += 1
        return Reserved(
            terms, self._next_problem - 1, self._numbers(terms.group), self._numbers(terms.questions),
            self._numbers(terms.group * terms.copies if terms.judges else 0),
        )  # fmt: skip

    def _references(self, task: str, number: int) -> Instances | None:
        if not self.references or int((number + 1) * self.reference_share) == int(number * self.reference_share):
            return None
        # Draws behind those of solvers, of any task: those of this one are shown.
        drawn = self.pool.draw(4 * self.references, first=(1 << 24) + number * 4 * self.references).instances
        own = [row for row, of in enumerate(drawn.task.tolist()) if self._task_of[of] == task]
        return drawn[own[: self.references]] if own else None

    def _ask(self, role: str, task: str, prompt: str, ticket: int, steps: Sequence[RoleStep] = ()) -> Asked:
        self._asked[ticket] = asked = Asked(ticket, role, task, prompt)
        for step in steps:
            step.waiting.append(asked)
        return asked

    def _pose(
        self, steps: Sequence[RoleStep], number: int, tickets: range, prompt: str, instance: Instances, baseline: Baselines,
        entry: int = -1, proposal: int = -1,
    ) -> Problem:  # fmt: skip
        task = self._task_of[int(instance.task[0])]
        problem = Problem(number, task, prompt, instance, baseline, entry, proposal, list(tickets))
        self._problems[number] = problem
        if self.scheduler is not None:
            problem.posed = self.scheduler.pose(instance, len(tickets), baseline, format=self.format)
        for ticket in tickets:
            self._ask("solver", task, prompt, ticket, steps)
        return problem

    def _pose_proposal(
        self,
        steps: Sequence[RoleStep],
        numbers: Reserved,
        prompt: str,
        instance: Instances,
        baseline: Baselines,
        proposal: int,
    ) -> Problem:
        tickets = range(numbers.solvers, numbers.solvers + numbers.terms.group)
        self._choose(numbers.terms, tickets, numbers.judges_of_answers)
        return self._pose(steps, numbers.problem, tickets, prompt, instance, baseline, proposal=proposal)

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
        if posing := [ticket for ticket in sorted(texts) if self._asked[ticket].role == "proposer"]:
            self._checks.begin(step, posing)
        solvers = [ticket for ticket in sorted(texts) if self._asked[ticket].role == "solver"]
        of = {ticket: problem for problem in self._problems.values() for ticket in problem.tickets}
        if self.scheduler is not None:
            for ticket in solvers:
                self.scheduler.submit(
                    of[ticket].answer(ticket), self._said[ticket].text, finish=[finish.get(ticket, "unknown")],
                    reward=self.solver,
                )  # fmt: skip
        self._ask_judges(step, solvers, of)

    def settle(self, until: Callable[[], bool]) -> None:
        """RoleStep.prompts calls it."""
        self._checks.settle(until)

    def checking(self, step: RoleStep) -> int:
        """RoleStep.checking calls it."""
        return self._checks.under_way(step)

    def give_up(self, step: RoleStep, tickets: Sequence[int]) -> None:
        """RoleStep.cancel calls it."""
        of = {ticket: problem for problem in self._problems.values() for ticket in problem.tickets}
        for ticket in tickets:
            self._chosen.pop(ticket, None)
            if ticket not in of:
                del self._asked[ticket]
                self._checks.reserved.pop(ticket, None)
                self._judged.pop(ticket, None)
                if ticket in self._questions:
                    self._proposals[self._questions.pop(ticket)].judges.remove(ticket)
                continue
            self._lost.add(ticket)
            if self.scheduler is not None:
                self.scheduler.cancel(of[ticket].answer(ticket))
        step.waiting = [asked for asked in step.waiting if asked.ticket not in set(tickets)]

    def _note(self, own: Proposal) -> None:
        """What the gates said of a proposal."""
        if own.problem is not None:
            self._fresh.append(own.ticket)
        if own.canonical:
            self._forms.note(own.canonical, own.cell if own.problem is not None else None)
        self._proposals[own.ticket] = own

    def _ask_about(self, steps: Sequence[RoleStep], ticket: int, prompt: str, task: str, numbers: Reserved) -> None:
        """Judges of what a proposal poses."""
        for number in range(numbers.judges, numbers.judges + numbers.terms.questions):
            self._ask("judge", task, question_prompt(prompt), number, steps)
            self._questions[number] = ticket
            self._proposals[ticket].judges.append(number)

    def _choose(self, terms: Terms, tickets: Sequence[int], first: int) -> int:
        """Chooses answers that will be judged, as many as the step still has: the lowest tickets, whichever come first. The
        number behind those of their judges."""
        for ticket in tickets[: terms.judges]:
            self._chosen[ticket] = range(first, first + terms.copies)
            first += terms.copies
        terms.judges -= min(terms.judges, len(tickets))
        return first

    def _ask_judges(self, step: RoleStep, tickets: Sequence[int], of: Mapping[int, Problem]) -> None:
        for ticket in tickets:
            if ticket not in self._chosen:
                continue
            problem = of[ticket]
            values = self.engine.parse([self._said[ticket].text], problem.instance, self.format).tolist()[0]
            prompt = judge_prompt(problem.prompt, values)
            for number in self._chosen.pop(ticket):
                self._ask("judge", problem.task, prompt, number, [step])
                self._judged[number] = ticket

    def delta(self, rank: int = 0) -> str:
        """What this rank's proposers posed in this step, as text to gather once all proposals are submitted. Later calls repeat
        it; a proposal that comes later is refused until the step is collected. Waits for proposals that are being checked."""
        self._checks.settle(lambda: False)
        return self._forms.delta(arguments.integer(rank, "rank", 0, 2**31 - 1))

    def merge(self, delta: str) -> bool:
        """Counts what a rank posed, this one's among them, before the step is collected: the novelty of a problem is shared by
        all that posed it, and less by all that are alike. False when it is there already. Error, and no change, for one of
        another step."""
        return self._forms.merge(arguments.name(delta, "delta"))

    def _count_forms(self) -> None:
        """The cells and sharers of this step's proposals, of all ranks; they are rewarded by them now or later."""
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
        rows = StepRewards(self).rows()
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
        """What a run that goes on needs beside the pool, for JSON: means, cells, numbers that were given, what was posed, prompts
        that are open. Error between `submit` and `collect` of a proposal."""
        return written(self)

    @state.setter
    def state(self, kept: Mapping[str, Any]) -> None:
        take(self, kept)

    def checkpoint(self) -> dict[str, Any]:
        """`state`, and the pool's step and hash that it belongs to."""
        return {"pool": [self.pool.steps, self.pool.hash], "roles": self.state}

    def resume(self, kept: Mapping[str, Any]) -> None:
        """Goes on from `checkpoint`'s, with the pool rewound to that step; where another process writes it, refreshed behind
        that one. Error, and no change, for the pool of another run."""
        self.pool.go_to(*kept["pool"])
        self.state = kept["roles"]
        self._fill()
