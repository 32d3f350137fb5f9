"""Algorithm 1 of Multi-Agent Evolve on free text, where a judge says what is right: for comparison, and for questions that
are no instance of any task."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ... import _native
from ...core import arguments
from ...core.errors import misuse
from .judging import read_judgements
from .proposers import UNIT, reward_proposers

Model = Callable[[Sequence[str]], Sequence[str]]
"""Texts for prompts, in their order."""

SETTINGS = {"zero": 0.5, "none": 0.0, "half": 0.5, "with": 1.0}
"""Shares of proposals that are shown a question of the pool."""
ABLATIONS = ("solver", "proposer", "judge", "filter", "format")
"""What may be left out: training of a role, the quality filter, rewards for form."""
ZERO_SEEDS = 16
_ROLES = ("proposer", "solver", "judge")
_MARK = "[Your designed task]"
INVALID = "The question is a invalid question"
"""As the paper's code words it."""
_ENOUGH = 0.7


@dataclass(frozen=True)
class MaeSettings:
    """What a run does. The usual values are the paper's."""

    batch: int = 128
    samples: int = 5
    """Judgements of a question, solver's answers to it, and judgements of each answer."""
    setting: str = "half"
    """"zero" (sixteen seeds of its own), "none", "half" or "with" references."""
    without: str | None = None
    """One of ABLATIONS; None: nothing is left out."""
    rewards: str = "mae_paper"
    """"mae_paper" or "mae_repo"."""
    seed: int = 0

    def __post_init__(self) -> None:
        arguments.integer(self.batch, "batch", 1, 2**20)
        arguments.integer(self.samples, "samples", 1, 2**10)
        if self.setting not in SETTINGS:
            raise misuse("setting", f"is {self.setting!r}, expected {', '.join(SETTINGS)}")
        if self.without is not None and self.without not in ABLATIONS:
            raise misuse("without", f"is {self.without!r}, expected {', '.join(ABLATIONS)} or None")
        if self.rewards not in ("mae_paper", "mae_repo"):
            raise misuse("rewards", f"is {self.rewards!r}, expected mae_paper or mae_repo")


@dataclass
class MaeStep:
    """What a step generated and earned."""

    rows: list[tuple[str, str, str, float, float]] = field(default_factory=list)
    """role, prompt, completion, reward, advantage: what the update is made of."""
    generations: dict[str, int] = field(default_factory=dict)
    """By purpose: propose, judge_question, solve_question, judge_sample, solve, judge_answer, judge."""
    added: int = 0
    """Questions that the pool took."""
    quality: list[float] = field(default_factory=list)
    difficulty: list[float] = field(default_factory=list)

    @property
    def total(self) -> int:
        """Texts that were generated."""
        return sum(self.generations.values())

    @property
    def for_reward(self) -> int:
        """Of them those that a judge wrote for a reward."""
        return sum(self.generations[name] for name in ("judge_question", "judge_sample", "judge_answer"))


def question_of(text: str) -> str | None:
    """The last <question> behind the last mark that the prompt asks for; without the mark, in the whole text."""
    found = re.findall(r"<question>(.*?)</question>", text.rpartition(_MARK)[2], re.DOTALL)
    return found[-1].strip() or None if found else None


def form_of(text: str, tag: str) -> float:
    """1 for one pair of tags, 1/2 for several that match in number, else 0."""
    opens, closes = text.count(f"<{tag}>"), text.count(f"</{tag}>")
    return 0.0 if opens != closes or opens == 0 else 1.0 if opens == 1 else 0.5


class MultiAgentEvolve:
    """Proposes, solves from the pool, judges, and rewards all three in one batch (the paper's Algorithm 1).

        run = MultiAgentEvolve(propose, solve, judge, seeds=questions)
        step = run.step()      # step.rows: role, prompt, completion, reward, advantage

    Args:
        propose, solve, judge: One model, or three; a judge behind a server is an `EndpointRole`.
        seeds: Questions of the pool; with the setting "zero" the first sixteen are taken, the proposer's own.
        settings: What is done.
    """

    def __init__(
        self, propose: Model, solve: Model, judge: Model, seeds: Sequence[str], settings: MaeSettings | None = None
    ) -> None:
        self.settings = settings or MaeSettings()
        self._models = {"propose": propose, "solve": solve, "judge": judge}
        zero = self.settings.setting == "zero"
        if not seeds or (zero and len(seeds) < ZERO_SEEDS):
            raise misuse("seeds", f"expected {f'{ZERO_SEEDS} or more' if zero else 'questions'}, got {len(seeds)}")
        self.pool: list[str] = list(seeds[:ZERO_SEEDS] if zero else seeds)
        self.steps = 0
        self._parser = "mae_repo"

    def step(self) -> MaeStep:
        """One step; draws are a function of the settings' seed, the step and the pool."""
        made, how = MaeStep(), self.settings
        draws = random.Random(f"{how.seed}:{self.steps}")
        prompts, proposals, rewards = self._propose(made, draws)
        asked = [draws.choice(self.pool) for _ in range(how.batch)]
        solver_prompts = [solver_prompt(question) for question in asked]
        answers = self._say(made, "solve", "solve", solver_prompts)
        judge_prompts = [judge_prompt(question, answer) for question, answer in zip(asked, answers)]
        values = self._values(self._say(made, "judge_answer", "judge", judge_prompts))
        judgements = self._say(made, "judge", "judge", judge_prompts)
        formed = how.without != "format"
        solved = [(value + form_of(text, "answer")) / 2 if formed else value for value, text in zip(values, answers)]
        # A score that cannot be read earns nothing for its form.
        read = [code == "ok" for code in read_judgements(judgements, self._parser).code]
        judged = [form_of(text, "score") if formed and good else 0.0 for text, good in zip(judgements, read)]
        self._compare(
            made,
            ((prompts, proposals, rewards), (solver_prompts, answers, solved), (judge_prompts, judgements, judged)),
        )
        self.steps += 1
        return made

    def _propose(self, made: MaeStep, draws: random.Random) -> tuple[list[str], list[str], list[float]]:
        how = self.settings
        shown = round(how.batch * SETTINGS[how.setting])
        prompts = [proposer_prompt(draws.choice(self.pool) if row < shown else None) for row in range(how.batch)]
        texts = self._say(made, "propose", "propose", prompts)
        questions = [question_of(text) for text in texts]
        posed = [INVALID if question is None else question for question in questions]
        many = [question for question in posed for _ in range(how.samples)]
        quality = self._means(
            self._values(self._say(made, "judge_question", "judge", [quality_prompt(one) for one in many]))
        )
        answers = self._say(made, "solve_question", "solve", [solver_prompt(one) for one in many])
        pairs = [judge_prompt(question, answer) for question, answer in zip(many, answers) for _ in range(how.samples)]
        solved = self._means(self._means(self._values(self._say(made, "judge_sample", "judge", pairs))))
        forms = [form_of(text, "question") for text in texts]
        made.quality, made.difficulty = quality, [1 - one for one in solved]
        rewards = self._reward(quality, solved, forms, [question is not None for question in questions])
        for question, good in zip(questions, quality):
            if question is not None and (good >= _ENOUGH or how.without == "filter"):
                self.pool.append(question)
                made.added += 1
        return prompts, texts, rewards

    def _reward(
        self, quality: Sequence[float], solved: Sequence[float], forms: Sequence[float], there: Sequence[bool]
    ) -> list[float]:
        def units(values: Sequence[float]) -> list[int]:
            return [round(value * UNIT) for value in values]

        q, p, f = units(quality), units(solved), units(forms)
        rewarded = reward_proposers(self.settings.rewards, {
            "quality": q, "form": f, "rows": [1] * len(q), "sum": p, "sum_sq": [one * one for one in p],
            "feasible": [1] * len(q), "code": [0 if one else 2 for one in there],
        })["reward"].tolist()  # fmt: skip
        if self.settings.without == "format":
            dropped = [self.settings.rewards == "mae_repo" and 10 * good < 7 * UNIT for good in q]
            rewarded = [0 if not is_there and self.settings.rewards == "mae_repo"
                    else (good if drop or not is_there else good + UNIT - mean) // 2
                    for good, mean, drop, is_there in zip(q, p, dropped, there)]  # fmt: skip
        return [one / UNIT for one in rewarded]

    def _compare(self, made: MaeStep, parts: Sequence[tuple[Sequence[str], Sequence[str], Sequence[float]]]) -> None:
        """Three cohorts, one a role; a role that is not trained has no rows."""
        rows = [(place, prompt, text, reward) for place, part in enumerate(parts) if _ROLES[place] != self.settings.without
                for prompt, text, reward in zip(*part)]  # fmt: skip
        role = np.asarray([row[0] for row in rows], np.int32)
        advantages = _native.RoleAdvantages("task_reinforce_pp").advantages(
            role, np.asarray([row[3] for row in rows], np.float32), role, role
        )
        made.rows = [(_ROLES[place], prompt, text, reward, float(own))
                     for (place, prompt, text, reward), own in zip(rows, advantages)]  # fmt: skip

    def _say(self, made: MaeStep, purpose: str, model: str, prompts: Sequence[str]) -> list[str]:
        texts = list(self._models[model](prompts))
        if len(texts) != len(prompts):
            raise misuse(model, f"gave {len(texts)} texts for {len(prompts)} prompts")
        made.generations[purpose] = made.generations.get(purpose, 0) + len(texts)
        return texts

    def _values(self, texts: Sequence[str]) -> list[float]:
        return [float(value) for value in read_judgements(texts, self._parser).value]

    def _means(self, values: Sequence[float]) -> list[float]:
        size = self.settings.samples
        return [sum(values[at : at + size]) / size for at in range(0, len(values), size)]


def proposer_prompt(reference: str | None) -> str:
    """Asks for a new question, perhaps beside one of the pool."""
    shown = "" if reference is None else f"A question to start from:\n{reference}\n\n"
    return (
        f"{shown}Write one new question that is clear, solvable and hard. Write {_MARK}, then <question>...</question>."
    )


def solver_prompt(question: str) -> str:
    """Asks for an answer."""
    return f"{question}\n\nWrite the final answer between <answer> and </answer>."


def quality_prompt(question: str) -> str:
    """Asks how good a question is."""
    return ("Score the question from 1 (unsolvable) over 4 to 7 (ambiguous) to 10 (clear), an integer between <score> and "
            f"</score>.\n\nQuestion:\n{question}")  # fmt: skip


def judge_prompt(question: str, answer: str) -> str:
    """Asks how good an answer is."""
    return ("Score the answer: 1 to 3 with any error, 4 to 7 with omissions, 8 to 10 flawless, an integer between <score> "
            f"and </score>.\n\nQuestion:\n{question}\n\nAnswer:\n{answer}")  # fmt: skip
