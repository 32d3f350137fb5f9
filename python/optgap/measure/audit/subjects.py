"""What is audited: something that rewards a completion. Ours: the engine, and the four adapters over it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple, Protocol

from ...core.arguments import Spec
from ...core.errors import misuse
from ..attacks.writing import Writing
from .cases import Ability, Case
from .questions import Questions


class Failure(NamedTuple):
    """A call that gave no reward."""

    kind: str
    """"raised", "hung", "died", "no number"."""
    message: str


Rewarded = float | Failure


class Subject(Protocol):
    """Something that rewards completions."""

    name: str
    ability: Ability

    def reward_rows(self, cases: Sequence[Case], writing: Writing, questions: Questions) -> list[Rewarded]:
        """One entry a case."""

    def stop(self) -> None:
        """Gives back what it holds."""


class Ours:
    """Our formats and rewards. `through`: who is asked, one of THROUGH."""

    def __init__(self, spec: Spec = "forge", through: str = "engine") -> None:
        if through not in THROUGH:
            raise misuse("through", f"is {through!r}, expected one of {', '.join(THROUGH)}")
        self.name = through
        self.ability = Ability(ours=True, knows_finish=through != "verl")
        self._spec = spec
        self._reward = THROUGH[through]

    def reward_rows(self, cases: Sequence[Case], writing: Writing, questions: Questions) -> list[Rewarded]:
        return [float(value) for value in self._reward(cases, writing, questions, self._spec)] if cases else []

    def stop(self) -> None:
        pass


_Rewards = Sequence[Any]


def _engine(cases: Sequence[Case], writing: Writing, questions: Questions, spec: Spec) -> _Rewards:
    asked = questions.asked
    if asked is None or writing.format is None:
        raise misuse("questions", "our engine judges our own tasks in our own formats")
    found = asked.engine.score(
        asked.instances,
        [case.text for case in cases],
        asked.baselines,
        instance_of=[case.question for case in cases],
        finish=[case.finish for case in cases],
        format=writing.format,
        reward=spec,
    )
    return list(found.reward.tolist())


_SPACE = 2
"""Tokens of a completion that fills its room, where finish is told by their number."""


def _trl(cases: Sequence[Case], writing: Writing, questions: Questions, spec: Spec) -> _Rewards:
    from optgap.trainers.trl.reward import RewardFunction

    columns, prompts = _asked_of(cases, writing, questions)
    return RewardFunction("reward", spec, max_completion_length=_SPACE)(
        prompts,
        [[{"role": "assistant", "content": case.text}] if row % 2 else case.text for row, case in enumerate(cases)],
        ground_truth=[row["ground_truth"] for row in columns],
        data_source=[row["data_source"] for row in columns],
        completion_ids=[[0] * (1 if case.finish == "stop" else _SPACE) for case in cases],
    )


def _verl(cases: Sequence[Case], writing: Writing, questions: Questions, spec: Spec) -> _Rewards:
    from optgap.trainers.verl.reward import compute_score

    columns, _ = _asked_of(cases, writing, questions)
    rows = zip(cases, columns)
    return [
        compute_score(row["data_source"], case.text, row["ground_truth"], reward=spec)["score"] for case, row in rows
    ]


_END = "<|im_end|>"


def _openrlhf(cases: Sequence[Case], writing: Writing, questions: Questions, spec: Spec) -> _Rewards:
    from optgap.trainers.openrlhf.reward import configured

    columns, prompts = _asked_of(cases, writing, questions)
    ends = [_END if case.finish == "stop" else "" for case in cases]
    queries = [prompt + case.text + end for prompt, case, end in zip(prompts, cases, ends)]
    found = configured(spec)(queries, prompts, [row["ground_truth"] for row in columns])["rewards"]
    return list(found.tolist() if hasattr(found, "tolist") else found)


_STATUS = {"stop": "completed", "length": "truncated", "abort": "aborted"}


def _slime(cases: Sequence[Case], writing: Writing, questions: Questions, spec: Spec) -> _Rewards:
    from optgap.trainers.slime.reward import rm

    columns, _ = _asked_of(cases, writing, questions)
    samples = [
        SimpleNamespace(label=row["ground_truth"], response=case.text + (_END if case.finish == "stop" else ""),
                        status=SimpleNamespace(value=_STATUS.get(case.finish, "")), response_length=1, metadata=None)
        for case, row in zip(cases, columns)
    ]  # fmt: skip
    return list(asyncio.run(rm(SimpleNamespace(optgap_reward=spec, reward_key=None), samples)))


THROUGH: dict[str, Callable[[Sequence[Case], Writing, Questions, Spec], _Rewards]] = {
    "engine": _engine,
    "trl": _trl,
    "verl": _verl,
    "openrlhf": _openrlhf,
    "slime": _slime,
}
"""Our ways to a reward."""


def _asked_of(cases: Sequence[Case], writing: Writing, questions: Questions) -> tuple[list[Any], list[str]]:
    """Columns and prompt of each case."""
    columns, prompts = (of(writing.format or "forge") for of in (questions.columns, questions.prompts))
    return [columns[case.question] for case in cases], [str(prompts[case.question]) for case in cases]
