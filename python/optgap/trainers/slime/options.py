"""What slime's --custom-config-path may say to optgap, read by the hooks and by the data source."""

from __future__ import annotations

from typing import Any

from optgap.trainers.common.evaluation import fingerprint, refuse
from optgap.trainers.common.ground_truth import use_snapshot
from optgap.trainers.common.reward_rules import excludes_truncated, spec_text

OPTIONS = {
    "optgap_reward": "forge",
    "optgap_advantage": "decoupled",
    "optgap_fallback": None,
    "optgap_tasks": ("tsp", "knapsack"),
    "optgap_levels": ("easy",),
    "optgap_curriculum": None,
    "optgap_prompt_chars": None,
    "optgap_format": "forge",
    "optgap_seed": 0,
    "optgap_baselines": None,
}
"""Attributes of slime's `args`, which --custom-config-path adds, and what they are when absent. `optgap_fallback` is
the dotted name of another `async rm(args, sample)`, for the samples of other data. `optgap_curriculum` is a policy, a
name or a mapping, in place of `optgap_levels`; `optgap_prompt_chars` is its table for a policy with max_prompt_chars.
`optgap_baselines` is the snapshot that baselines come from."""

HOOKS = "optgap.trainers.slime.reward"
"""Where slime is told to find the hooks."""
_FORMER = "optgap.integrations.slime"


def names_hook(path: object, hook: str) -> bool:
    """Whether the dotted path names one of our hooks, perhaps by its former name."""
    return path in (f"{HOOKS}.{hook}", f"{_FORMER}.{hook}")


def is_given(args: Any, name: str) -> bool:
    return getattr(args, name, None) is not None


def option(args: Any, name: str) -> Any:
    return getattr(args, name) if is_given(args, name) else OPTIONS[name]


def reward_of(args: Any) -> str:
    """The reward's spec; refused where slime has no place for what it asks."""
    reward = option(args, "optgap_reward")
    if excludes_truncated(reward):
        raise refuse("truncated", "slime has no sample without a reward: take 'penalise' or 'zero', not 'exclude'")
    return spec_text(reward)


def fingerprint_of(args: Any) -> str:
    """Of the reward and the snapshot, which is read from here on; of the estimator, too, where the run takes advantages from
    `post_process`."""
    use_snapshot(option(args, "optgap_baselines"))
    ours = names_hook(getattr(args, "custom_reward_post_process_path", None), "post_process")
    return fingerprint(reward_of(args), option(args, "optgap_advantage") if ours else "grpo")
