"""Proposers, solvers and judges of questions in free text, where a judge says what is right: Multi-Agent Evolve."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ... import _native
from ...core import arguments
from ...core.arguments import Spec
from ...core.errors import Error, misuse
from ...rows.code_table import codes
from ..pool import Pool
from . import text_state
from .embedding import Embed, NearQuestions
from .judging import read_judgements
from .proposers import UNIT, reward_proposers
from .step import Asked, RoleRow, RoleStep
from .tags import form_of, inside
from .text_prompts import TextPrompts
from .text_state import TASK, Question, TextProposal

_PLACE = {"proposer": 0, "solver": 1, "judge": 2}
_FINISH = ("unknown", "stop", "length", "abort")
_CODES = {"no_question": codes()["format_missing_answer"], "bad_question": codes("proposal")["bad_instance"],
          "duplicate": codes("proposal")["duplicate"], "near_duplicate": codes("proposal")["near_duplicate"]}  # fmt: skip
"""Codes of proposals as `reward_proposers` reads them; `low_quality` is found later, and its reward is by its quality."""
_LONGEST = 16384


class TextRoles:
    """Asks one model as proposer, solver and judge of questions in free text, as `Roles` does of problems with proofs: the same
    pool, the same steps, trainers and checkpoints.

        roles = optgap.TextRoles(optgap.Pool("pool.db", policy="uniform"), seeds=questions)
        step = roles.issue(proposals=64, solves=64, group=8, judges=16)
        while step.prompts:
            step.submit(model([asked.prompt for asked in step.prompts]))
        rows = step.collect()

    Prompts of the role "grader" are judgements that make rewards; the model is not trained on them. A proposer earns (quality + 1 - mean
    score of the answers + form) / 3, a solver half its mean score and half its form, a judge its form. Not to be shared by
    threads.

    Args:
        pool: Keeps questions; good ones that are posed go there.
        seeds: Questions of a pool that has none, or (questions, references) as `read_questions` gives them.
        proposer: "mae_paper", or "mae_repo": no difficulty below a quality of 0.7, 0 without a question.
        judge_parser: "strict" or "mae_repo".
        advantage: As of `Roles`.
        quality: Least mean score of a question that the pool takes, 0 to 1; 0: all.
        form: Whether form is rewarded; without, a judge earns 0.
        samples: Judgements of each question that is posed.
        judgements: Of each answer.
        reference_share: Of the prompts to proposers, those that show a question of the pool.
        prompts: TextPrompts, or templates by name, or a JSON file of them.
        embed: Vectors of questions, such as `EndpointEmbeddings`: those nearly alike are duplicates; None: equal words alone.
        near: Cosine from which on they are.
    """

    def __init__(
        self, pool: Pool, *, seeds: Sequence[str] | tuple[Sequence[str], Sequence[str]] = (), proposer: str = "mae_paper",
        judge_parser: str = "strict", advantage: Spec = "task_reinforce_pp", quality: float = 0.7, form: bool = True,
        samples: int = 5, judgements: int = 1, reference_share: float = 0.5,
        prompts: TextPrompts | Mapping[str, str] | str | None = None, embed: Embed | None = None, near: float = 0.95,
    ) -> None:  # fmt: skip
        if proposer not in ("mae_paper", "mae_repo"):
            raise misuse("proposer", f"is {proposer!r}, expected mae_paper or mae_repo: others need a proof")
        for name, value in (("quality", quality), ("reference_share", reference_share)):
            if not isinstance(value, (int, float)) or not 0 <= value <= 1:
                raise misuse(name, f"is {value!r}, expected 0 to 1")
        read_judgements([], judge_parser)
        self.pool, self.proposer, self.form = pool, proposer, bool(form)
        self.quality, self.reference_share, self._parser = quality, reference_share, judge_parser
        self.samples = arguments.integer(samples, "samples", 1, 2**10)
        self.judgements = arguments.integer(judgements, "judgements", 1, 2**10)
        self.prompts = TextPrompts.of(prompts)
        self._advantages = _native.RoleAdvantages(arguments.spec(advantage, "advantage"))
        self._near = None if embed is None else NearQuestions(embed, near)
        questions: Sequence[Any] = seeds
        self._references: list[str] | None = None
        if isinstance(seeds, tuple) and len(seeds) == 2 and not isinstance(seeds[0], str):
            questions, self._references = seeds[0], list(seeds[1])
        self._seeds = list(questions)
        self._next_ticket = self._next_question = 0
        self._group = 8
        self._drawn = (0, 0, 0)
        self._asked: dict[int, Asked] = {}
        self._said: dict[int, str] = {}
        self._questions: dict[int, Question] = {}
        self._proposals: dict[int, TextProposal] = {}
        self._judges: dict[int, int] = {}
        """Trained judges' tickets: the number of the question whose answer they judge."""
        self._chosen: dict[int, int] = {}
        """Answers that will be judged by a trained judge, with its copies."""
        self._keys: set[str] = set()
        """Canonical keys of questions that the pool has or that wait."""
        self._fill()
        self._learn()

    def _fill(self) -> None:
        if not self.pool.has_questions:
            if not self._seeds:
                raise misuse("seeds", f"expected questions: {self.pool.path} has none")
            self.pool.add_questions(self._seeds, self._references)

    def _learn(self) -> None:
        """What the pool has."""
        known = self.pool.questions().question
        self._keys = {_native.question_key(text.encode())[1] for text in known}
        waiting = [own.text for own in self._proposals.values() if own.number >= 0]
        self._keys.update(_native.question_key(text.encode())[1] for text in waiting)
        if self._near is not None:
            self._near.learn([*known, *waiting])

    @property
    def waiting(self) -> list[Asked]:
        """All prompts that have no text yet, of whatever step, in the order of tickets."""
        return [own for ticket, own in sorted(self._asked.items()) if ticket not in self._said]

    def issue(self, proposals: int, solves: int, group: int = 8, judges: int = 0, *, copies: int = 1) -> RoleStep:
        """Opens a step.

        Args:
            proposals: Prompts to proposers.
            solves: Questions of the pool, each for a group of solvers.
            group: Answers to each question, and to each that is posed.
            judges: Answers of this step that judges are trained on, the first ones.
            copies: How often each prompt to a proposer, or to a trained judge, is asked, a ticket each time.
        """
        for name, value in (("proposals", proposals), ("solves", solves), ("judges", judges)):
            arguments.integer(value, name, 0, 2**20)
        copies = arguments.integer(copies, "copies", 1, 2**20)
        self._group = group = arguments.integer(group, "group", 1, 2**20)
        if self.pool.steps == 0 or not self.pool.has_questions:
            self.pool.step()
            self._learn()
        step = RoleStep(self)
        step.waiting = self.waiting
        of, drawn, shown = self._drawn if self._drawn[0] == self.pool.steps else (self.pool.steps, 0, 0)
        self._drawn = (of, drawn + solves, shown + proposals)
        for number in range(shown, shown + proposals):
            prompt = self._proposer_prompt(number)
            for _ in range(copies):
                self._ask("proposer", prompt, step)
        if solves:
            found = self.pool.draw_questions(solves, first=drawn)
            for entry, text, reference in zip(found.entry.tolist(), found.question, found.reference):
                tickets = self._pose(text, reference, entry, group, step).tickets
                for ticket in tickets[:judges]:
                    self._chosen[ticket] = copies
                judges -= min(judges, len(tickets))
        return step

    def _proposer_prompt(self, number: int) -> str:
        if int((number + 1) * self.reference_share) == int(number * self.reference_share):
            return self.prompts.filled("propose")
        shown = self.pool.draw_questions(1, first=(1 << 24) + number)  # draws behind those of solvers
        return self.prompts.filled("propose_from", question=shown.question[0])

    def _ask(self, role: str, prompt: str, step: RoleStep) -> int:
        self._asked[self._next_ticket] = asked = Asked(self._next_ticket, role, TASK, prompt)
        step.waiting.append(asked)
        self._next_ticket += 1
        return asked.ticket

    def _pose(self, text: str, reference: str, entry: int, group: int, step: RoleStep) -> Question:
        prompt = self.prompts.filled("solve", question=text)
        tickets = [self._ask("solver", prompt, step) for _ in range(group)]
        self._questions[self._next_question] = own = Question(text, reference, entry, tickets)
        self._next_question += 1
        return own

    def take(self, step: RoleStep, texts: Mapping[int, str], finish: Mapping[int, str]) -> None:
        """RoleStep.submit calls it."""
        for ticket, text in texts.items():
            if not isinstance(text, str):
                raise misuse("texts", f"ticket {ticket} has {text!r}, expected a str")
            if finish.get(ticket, "unknown") not in _FINISH:
                raise misuse("finish", f"ticket {ticket} has {finish[ticket]!r}, expected {', '.join(_FINISH)}")
        posing = [ticket for ticket in sorted(texts) if self._asked[ticket].role == "proposer"]
        posed = {ticket: self._read(texts[ticket]) for ticket in posing}
        self._find_near(list(posed.values()))
        self._said.update(texts)
        step.waiting = [asked for asked in step.waiting if asked.ticket not in texts]
        for ticket, own in posed.items():
            self._proposals[ticket] = own
            if own.code == "ok":
                judged = self.prompts.filled("judge_question", question=own.text)
                own.graders = [self._ask("grader", judged, step) for _ in range(self.samples)]
                own.number = self._next_question
                self._pose(own.text, "", -1, self._group, step)
        of = {ticket: number for number, one in self._questions.items() for ticket in one.tickets}
        for ticket in sorted(set(texts) & of.keys()):
            self._ask_about(of[ticket], ticket, step)

    def _read(self, text: str) -> TextProposal:
        form, found = form_of(text, "question"), inside(text, "question")
        if found is None:
            return TextProposal("no_question", form)
        try:
            found, key = _native.question_key(found.encode(errors="surrogatepass"))
        except Error:
            return TextProposal("bad_question", form)
        if key in self._keys:
            return TextProposal("duplicate", form, found)
        self._keys.add(key)
        return TextProposal("ok", form, found)

    def _find_near(self, posed: Sequence[TextProposal]) -> None:
        fresh = [own for own in posed if own.code == "ok"]
        if self._near is None or not fresh:
            return
        for own, is_near in zip(fresh, self._near.taken([own.text for own in fresh])):
            if is_near:
                own.code = "near_duplicate"
                self._keys.discard(_native.question_key(own.text.encode())[1])

    def _ask_about(self, number: int, ticket: int, step: RoleStep) -> None:
        """Judges of an answer."""
        own, text = self._questions[number], self._said[ticket]
        answer = (inside(text, "answer") or text)[:_LONGEST]
        name = "judge_answer_by_reference" if own.reference else "judge_answer"
        values = {"question": own.text, "answer": answer, **({"reference": own.reference} if own.reference else {})}
        prompt = self.prompts.filled(name, **values)
        own.graders[str(ticket)] = [self._ask("grader", prompt, step) for _ in range(self.judgements)]
        for _ in range(self._chosen.pop(ticket, 0)):
            self._judges[self._ask("judge", prompt, step)] = number

    def settle(self, until: Callable[[], bool]) -> None:
        """RoleStep.prompts calls it: nothing is checked beside the caller."""

    def checking(self, step: RoleStep) -> int:
        """RoleStep.checking calls it."""
        return 0

    def give_up(self, step: RoleStep, tickets: Sequence[int]) -> None:
        """RoleStep.cancel calls it: a text that will not be written is empty."""
        self.take(step, dict.fromkeys(tickets, ""), {})

    def collect(self, end: bool) -> list[RoleRow]:
        """RoleStep.collect calls it."""
        rows = [*self._solved(), *self._judged(), *self._proposed()]
        if end:
            self.pool.step()
            self._learn()
        return self._compared(sorted(rows, key=lambda row: row.ticket))

    def _row(self, ticket: int, group: int, code: str, reward: float, components: dict[str, float]) -> RoleRow:
        asked, said = self._asked.pop(ticket), self._said.pop(ticket)
        return RoleRow(ticket, asked.role, TASK, asked.cohort, group, asked.prompt, said, code, reward, 0.0, components)

    def _mean(self, graders: Sequence[int]) -> float:
        """Of what they say, 0 to 1; NaN where nothing can be read."""
        said = [
            value
            for value in read_judgements([self._said[own] for own in graders], self._parser).value
            if value == value
        ]
        return float(sum(said) / len(said)) if said else float("nan")

    def _is_complete(self, own: Question) -> bool:
        return len(own.graders) == len(own.tickets) and all(
            one in self._said for some in own.graders.values() for one in some
        )

    def _solved(self) -> list[RoleRow]:
        """Answers to questions of the pool."""
        rows: list[RoleRow] = []
        for number, own in sorted(self._questions.items()):
            if own.entry < 0 or not self._is_complete(own):
                continue
            for ticket in own.tickets:
                graders = own.graders[str(ticket)]
                score, form = self._mean(graders), form_of(self._said[ticket], "answer")
                reward = (score + form) / 2 if self.form else score
                if score == score:
                    self.pool.observe_rows([own.entry], [score], [score == 1])
                code = "ok" if form == 1 else "no_answer" if form == 0 else "several"
                rows.append(self._row(ticket, number, code, reward, {"score": score, "format": form}))
                self._forget(graders)
            del self._questions[number]
        return rows

    def _forget(self, graders: Sequence[int]) -> None:
        for own in graders:
            del self._asked[own], self._said[own]

    def _judged(self) -> list[RoleRow]:
        ready = [own for own in sorted(self._judges) if own in self._said]
        said = read_judgements([self._said[own] for own in ready], self._parser)
        return [
            self._row(own, -1 - self._judges.pop(own), said.code[row], float(said.form[row]) if self.form else 0.0,
                      {"value": float(said.value[row]), "format": float(said.form[row])})
            for row, own in enumerate(ready)
        ]  # fmt: skip

    def _proposed(self) -> list[RoleRow]:
        rows: list[RoleRow] = []
        taken: list[tuple[str, float]] = []
        for ticket, own in sorted(self._proposals.items()):
            question = self._questions.get(own.number)
            if question is not None and not (
                self._is_complete(question) and all(one in self._said for one in own.graders)
            ):
                continue
            quality, solved = float("nan"), float("nan")
            if question is not None:
                quality = self._mean(own.graders)
                means = [self._mean(question.graders[str(answer)]) for answer in question.tickets]
                readable = [one for one in means if one == one]
                solved = sum(readable) / len(readable) if readable else float("nan")
                for answer in question.tickets:
                    self._forget([answer, *question.graders[str(answer)]])
                self._forget(own.graders)
                del self._questions[own.number]
                if quality == quality and quality >= self.quality:
                    taken.append((own.text, quality))
                else:
                    own.code = "low_quality"
            reward = self._reward(own, quality, solved)
            parts = {"quality": quality, "difficulty": 1 - solved, "format": own.form}
            rows.append(self._row(ticket, -(1 << 30), own.code, reward, parts))
            del self._proposals[ticket]
        if taken:
            texts, qualities = zip(*taken)
            self.pool.add_questions(list(texts), None, list(qualities), seeds=False, enough=self.quality)
        return rows

    def _reward(self, own: TextProposal, quality: float, solved: float) -> float:
        """NaN where a question was posed and no judge can be read: nothing is known of it."""
        posed = own.number >= 0
        if posed and (quality != quality or solved != solved):
            return float("nan")
        q, p = (round(quality * UNIT), round(solved * UNIT)) if posed else (0, UNIT)
        found = reward_proposers(self.proposer, {
            "code": [0 if posed else _CODES[own.code]], "quality": [q], "form": [round(own.form * UNIT) if self.form else 0],
            "rows": [1], "feasible": [1], "sum": [p], "sum_sq": [p * p],
        })["reward"][0] / UNIT  # fmt: skip
        return float(found if self.form else found * 3 / 2)

    def _compared(self, rows: list[RoleRow]) -> list[RoleRow]:
        """Advantages within each role."""
        role, group = (
            np.asarray(values, np.int32) for values in ([_PLACE[row.role] for row in rows], [row.group for row in rows])
        )
        rewards = np.asarray([row.reward for row in rows], np.float32)
        found = self._advantages.advantages(role, rewards, group, np.zeros(len(rows), np.int32))
        return [replace(row, advantage=float(value)) for row, value in zip(rows, found)]

    @property
    def state(self) -> dict[str, Any]:
        """What a run that goes on needs beside the pool, for JSON, prompts that are open among it."""
        return text_state.written(self)

    @state.setter
    def state(self, kept: Mapping[str, Any]) -> None:
        text_state.take(self, kept)

    def checkpoint(self) -> dict[str, Any]:
        """`state`, and the pool's step and hash that it belongs to."""
        return {"pool": [self.pool.steps, self.pool.hash], "roles": self.state}

    def resume(self, kept: Mapping[str, Any]) -> None:
        """Goes on from `checkpoint`'s, with the pool rewound to that step. Error, and no change, for the pool of another run."""
        self.pool.go_to(*kept["pool"])
        self.state = kept["roles"]
        self._fill()
        self._learn()
