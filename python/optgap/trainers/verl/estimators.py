"""Estimators for verl, as `algorithm.adv_estimator=optgap_river`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from typing import Any

from optgap.trainers.common.evaluation import group_advantages, refuse
from optgap.trainers.common.reward_rules import spec_text, specs

PREFIX = "optgap_"
ROLES = "roles"
"""By a table of roles, in a run that has them."""
VALID_FROM = 0.75
"""Ranking needs to know which rollouts are feasible. Under the default reward a feasible one earns at least 1 and any
other at most 0.5, also where `infeasible` is graded."""

_KEEPS_APART = {"shape", "infeasible", "truncated", "grid", "proven_bonus"}

Estimator = Callable[..., tuple[Any, Any]]


def names() -> list[str]:
    """Of the estimators of this build. Loads nothing native: verl asks when it is imported."""
    return resources.files("optgap").joinpath("estimators.txt").read_text(encoding="utf-8").split()


def why_refused(name: str) -> str:
    """Why verl cannot give an estimator what it reads; "" where it can."""
    reads = estimators()[name]["reads"]
    if "components" in reads:
        return "weighs components, and verl hands a registered estimator the rewards alone"
    if "cohort" in reads:
        return "compares rows of a task, and verl hands a registered estimator no task"
    return ""


def needs_validity(name: str) -> bool:
    """Whether the estimator needs to know which rollouts are feasible."""
    return name in estimators() and bool(estimators()[name]["needs_validity"])


def estimators() -> dict[str, dict[str, Any]]:
    from optgap.core import keys

    return keys.estimators()


def keeps_feasible_apart(reward: str | Mapping[str, Any]) -> bool:
    """Whether VALID_FROM separates feasible from infeasible rollouts under this reward. So it does under forge's constants."""
    return all(
        spec.get("shape", "forge") == "forge" and set(spec) <= _KEEPS_APART and spec.get("proven_bonus", 0) >= 0
        for spec in specs(reward)
    )


def require_threshold(adv_estimator: object, reward: str | Mapping[str, Any]) -> None:
    """Refuses a ranking whose rewards hide which rollouts are feasible."""
    name = str(adv_estimator).removeprefix(PREFIX)
    if name != ROLES and needs_validity(name) and not keeps_feasible_apart(reward):
        raise refuse(
            "adv_estimator",
            f"{adv_estimator} takes a reward of {VALID_FROM} or more for feasible, which {spec_text(reward)!r} breaks: take "
            "the default reward, or register optgap.trainers.verl.estimators.estimator with its own valid_from",
        )


def estimator(name: str, spec: Any = None, valid_from: float | None = None) -> Estimator:
    """An estimator for verl: rewards summed over tokens, grouped by `index` (verl's uid). `spec`: what the library
    takes, the name's own form when None. `valid_from`: the least reward of a feasible rollout, for rankings under
    another reward than the default; below it a candidate is invalid."""
    wanted = name if spec is None else spec

    def estimate(token_level_rewards: Any, response_mask: Any, index: Any = None, config: Any = None, **_: Any) -> Any:
        if valid_from is not None and _use_kl_in_reward(config):
            raise refuse(
                "adv_estimator",
                f"{PREFIX}{name} takes rewards of {valid_from} or more for feasible, and algorithm.use_kl_in_reward moves them: "
                "take actor.use_kl_loss",
            )
        if index is None:
            raise refuse("index", f"{PREFIX}{name} compares rollouts of one prompt, and the batch has no uid")
        import torch

        rewards = token_level_rewards.sum(dim=-1).to(torch.float32).cpu().numpy()
        lengths = response_mask.sum(dim=-1).cpu().numpy()
        scores = None
        if valid_from is not None:
            scores = rewards.astype("float64")
            scores[rewards < valid_from] = float("nan")
        values = group_advantages(rewards, list(index), wanted, lengths, scores=scores)
        column = torch.tensor(values, dtype=torch.float32, device=token_level_rewards.device).unsqueeze(-1)
        spread = column * response_mask
        return spread, spread

    estimate.__name__ = PREFIX + name
    return estimate


def by_role() -> Estimator:
    """Proposers, solvers and judges each by their own estimator: the table is the run's (data.optgap.advantage of
    optgap.trainers.verl.roles), whose roles know which rollout is whose by `index` (verl's uid)."""

    def estimate(token_level_rewards: Any, response_mask: Any, index: Any = None, config: Any = None, **_: Any) -> Any:
        if index is None:
            raise refuse("index", f"{PREFIX}{ROLES} asks whose rollouts these are, and the batch has no uid")
        import torch

        from optgap.trainers.verl.role_rewards import advantages

        values = advantages(list(index), token_level_rewards.sum(dim=-1).to(torch.float32).cpu().tolist())
        column = torch.tensor(values, dtype=torch.float32, device=token_level_rewards.device).unsqueeze(-1)
        spread = column * response_mask
        return spread, spread

    estimate.__name__ = PREFIX + ROLES
    return estimate


def _use_kl_in_reward(config: Any) -> bool:
    known = config.get("use_kl_in_reward") if hasattr(config, "get") else getattr(config, "use_kl_in_reward", False)
    return bool(known)


def _by_name(name: str) -> Estimator:
    """What the name's declaration asks for, which is read with the first call."""

    def estimate(*given: Any, **named: Any) -> Any:
        if reason := why_refused(name):
            raise refuse("adv_estimator", f"{PREFIX}{name} cannot work in verl: {name} {reason}")
        return estimator(name, valid_from=VALID_FROM if needs_validity(name) else None)(*given, **named)

    estimate.__name__ = PREFIX + name
    return estimate


def register() -> Sequence[str]:
    """Registers those that are not yet there; returns the names of all."""
    from verl.trainer.ppo.core_algos import ADV_ESTIMATOR_REGISTRY, register_adv_est

    made = {name: _by_name(name) for name in names()}
    made[ROLES] = by_role()
    for name, function in made.items():
        if PREFIX + name not in ADV_ESTIMATOR_REGISTRY:
            register_adv_est(PREFIX + name)(function)
    return [PREFIX + name for name in made]
