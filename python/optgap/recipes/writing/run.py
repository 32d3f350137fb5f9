"""An arm with every choice made: what the trainers' writers read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...core.curriculum import Curriculum
from ...core.errors import misuse
from ...core.keys import tasks as known_tasks
from ...data import suites
from ..brought import Brought, Checked, check, named_environments
from ..recipe import Arm, Setting

OF_TRAINING = (
    "lr", "lr_schedule", "optimiser", "betas", "weight_decay", "grad_clip", "batch", "mini_batch", "micro_batch", "oversampled",
    "group", "filter", "partial_rollout", "kl", "entropy", "clip", "off_policy", "temperature", "top_p", "prompt_tokens",
    "response_tokens", "steps", "epochs",
)  # fmt: skip
"""Settings that a trainer must carry, or its writer says why it does not."""


CONTESTS = {"AHC055": "chests", "AHC058": "apples", "AHC059": "pairs"}
"""Contests whose rules are a task of optgap."""
POSED = (
    "bisection",
    "clique",
    "coloring",
    "hamiltonian",
    "independent_set",
    "knapsack",
    "meeting",
    "set_cover",
    "subset_sum",
    "tsp",
)
"""What roles pose and solve where no tasks are named: FORGE's ten."""

EXTERNAL = '{"trusted": true, "generate_seconds": 60}'
"""How RLVE's environments run where OPTGAP_EXTERNAL says nothing."""


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
    checked: Checked = Checked()
    """What the user brought."""

    @property
    def brought(self) -> Brought:
        return self.checked.brought

    @property
    def kinds(self) -> tuple[str, ...]:
        """What reinforcement learning trains on, of settings.ROWS."""
        return self.arm.rows

    @property
    def is_drawn(self) -> bool:
        """Whether problems come from a curriculum alone, as they are drawn."""
        return self.kinds == ("curriculum",)

    @property
    def has_free_text(self) -> bool:
        """Whether roles pose questions in free text, not instances."""
        return self.kinds == ("roles",) and self.brought.questions is not None

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


def settle(arm: Arm, model: str | None, tasks: Sequence[str] | None, seed: int, brought: Brought | None = None) -> Run:
    """The arm as a run. Raises Error that names what this version or its user lacks for it, or the choice that does not fit."""
    arm.refuse_missing()
    checked = check(arm, brought or Brought(), has_tasks=tasks is not None)
    own = tuple(arm.used("tasks", []))
    chosen = _own_tasks(arm, own, checked) if tasks is None else _given_tasks(arm, tasks)
    if chosen != own:
        arm = replace(arm, settings={**arm.settings, "tasks": Setting(list(chosen), "given")})
    arm.refuse_held_out(chosen)
    kinds = set(arm.rows) if "rl" in arm.stages else set()
    reward = arm.used("reward", "forge") if "curriculum" in kinds else "forge"
    policy = arm.used("curriculum") if "curriculum" in kinds else None
    if policy is not None and arm.used("held_out") is not None:
        policy = {**(policy if isinstance(policy, dict) else {"policy": policy}), "held_out": arm.used("held_out")}
    instead = own if chosen != own and tasks is not None else None
    run = Run(arm, model or str(arm.used("model")), chosen, instead, policy, reward, seed, checked)
    if "curriculum" in kinds and policy is not None:
        Curriculum(policy, list(chosen), seed)  # a policy that this version cannot read is an error now
    return run


def _own_tasks(arm: Arm, own: tuple[str, ...], checked: Checked) -> tuple[str, ...]:
    """The arm's tasks as this version has them."""
    if checked.brought.checkout is not None:
        return tuple(named_environments(checked.brought.checkout, own))
    if "programs" in arm.rows:
        return tuple(CONTESTS[task] for task in own if task in CONTESTS)
    if checked.brought.questions is not None:
        return own
    return POSED if "roles" in arm.rows and "rl" in arm.stages else own


def _given_tasks(arm: Arm, tasks: Sequence[str]) -> tuple[str, ...]:
    if arm.stages and not {"curriculum", "programs", "roles"} & set(arm.rows) and "teacher" not in arm.stages:
        raise misuse("tasks", f"has no effect on {arm.recipe} {arm.name}, which trains on what its user brings")
    ours = [task.name for task in known_tasks()]
    if list(tasks) == ["all"]:
        held_out = arm.used("held_out")
        kept = set() if held_out is None else {entry.native for entry in suites.load(held_out).native}
        return tuple(task for task in ours if task not in kept)
    for task in tasks:
        if task not in ours:
            raise misuse("tasks", f"names {task!r}, expected all or some of {', '.join(ours)}")
    return tuple(tasks)
