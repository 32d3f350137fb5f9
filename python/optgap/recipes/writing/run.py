"""An arm with every choice made: what the trainers' writers read."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...curriculum import Curriculum
from ...errors import misuse
from ...keys import tasks as known_tasks
from ..recipe import Arm, Setting
from ..settings import ENVIRONMENTS

OF_TRAINING = (
    "lr", "lr_schedule", "optimiser", "betas", "weight_decay", "grad_clip", "batch", "mini_batch", "micro_batch", "oversampled",
    "group", "filter", "partial_rollout", "kl", "entropy", "clip", "off_policy", "temperature", "top_p", "prompt_tokens",
    "response_tokens", "steps", "epochs",
)  # fmt: skip
"""Settings that a trainer must carry, or its writer says why it does not."""


@dataclass(frozen=True)
class Run:
    """An arm on one trainer's desk: what it trains on is settled, every number is there."""

    arm: Arm
    model: str
    tasks: tuple[str, ...]
    instead_of: tuple[str, ...] | None
    """The arm's own tasks where others stand in for them."""
    policy: Any
    reward: Any
    seed: int

    @property
    def name(self) -> str:
        return f"{self.arm.recipe}-{self.arm.name}"

    @property
    def rl_model(self) -> str:
        """Where RL starts: at the model, or at what supervised training made of it."""
        return "sft" if "sft" in self.arm.stages else self.model

    @property
    def algorithm(self) -> str:
        return str(self.arm.used("algorithm"))

    @property
    def advantage(self) -> Any:
        return self.arm.used("advantage")

    @property
    def format(self) -> str:
        return str(self.arm.used("format", "forge"))

    @property
    def clip(self) -> tuple[float, float]:
        low, high = self.arm.used("clip", [0.2, 0.2])
        return low, high

    @property
    def filters(self) -> bool:
        """Whether groups of equal rewards are left out."""
        return self.arm.used("filter") is not None

    def number(self, name: str, default: float | None = None) -> Any:
        """A setting that training cannot do without. Raises Error where nothing is stated, chosen or the default."""
        value = self.arm.used(name, default)
        if value is None:
            raise misuse("arm", f"{self.name} states no {name}")
        return value

    @property
    def batch(self) -> int:
        return int(self.number("batch"))

    @property
    def group(self) -> int:
        return int(self.number("group"))

    @property
    def steps(self) -> int:
        return int(self.number("steps"))

    @property
    def mini_batch(self) -> int:
        return int(self.number("mini_batch", self.batch))

    @property
    def updates(self) -> int:
        """Of the model in one step."""
        return math.ceil(self.batch / self.mini_batch)


def settle(arm: Arm, model: str | None, tasks: Sequence[str] | None, seed: int) -> Run:
    """The arm as a run. Raises Error that names what this version lacks for it, or the choice that does not fit."""
    if not arm.stages:
        raise misuse("arm", f"{arm.recipe} {arm.name} is an untrained model: there is nothing to write")
    own = tuple(arm.used("tasks", []))
    arm.refuse_missing(ENVIRONMENTS if tasks is not None else frozenset({"rlve"} if _has_rlve() else ()))
    ours = [task.name for task in known_tasks()]
    chosen = own if tasks is None else tuple(ours if list(tasks) == ["all"] else tasks)
    if tasks is not None:
        for task in chosen:
            if task not in ours:
                raise misuse("tasks", f"names {task!r}, expected all or some of {', '.join(ours)}")
        arm = replace(arm, settings={**arm.settings, "tasks": Setting(list(chosen), "given")})
    reward = arm.used("reward", "forge")
    if reward == "environment":
        reward = "power"  # RLVE's shape; what an external environment pays does not ask for it
    arm.refuse_held_out(chosen)
    policy = arm.used("curriculum")
    if policy is not None and arm.used("held_out") is not None:
        policy = {**(policy if isinstance(policy, dict) else {"policy": policy}), "held_out": arm.used("held_out")}
    run = Run(arm, model or str(arm.used("model")), chosen, None if chosen == own else own, policy, reward, seed)
    if "rl" in arm.stages:
        Curriculum(policy, list(chosen), seed)  # a policy that this version cannot read is an error now
    return run


def _has_rlve() -> bool:
    return importlib.util.find_spec("Gym") is not None  # RLVE's package of environments
