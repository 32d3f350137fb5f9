"""What a recipe may say: names of settings with the form of their values, and names of what an arm may need."""

from __future__ import annotations

from typing import Any

_FORMS: dict[str, tuple[str, Any]] = {
    "text": ("a text", lambda value: isinstance(value, str) and value != ""),
    "number": ("a number, 0 or more", lambda value: _is_number(value) and value >= 0),
    "count": ("an integer, 1 or more", lambda value: type(value) is int and value >= 1),
    "flag": ("true or false", lambda value: isinstance(value, bool)),
    "names": ("a list of texts", lambda value: isinstance(value, list) and all(isinstance(one, str) for one in value)),
    "pair": (
        "a list of two numbers",
        lambda value: isinstance(value, list) and len(value) == 2 and all(map(_is_number, value)),
    ),
    "rule": ("a name or an object", lambda value: isinstance(value, str | dict) and bool(value)),
}

SETTINGS = {
    **dict.fromkeys(
        ("algorithm", "candidate", "evaluation", "evaluation_sampling", "filter", "filter_quality", "format", "hardware",
         "held_out",
         "judge_scale", "keywords", "levels", "lr_schedule", "model", "off_policy", "optimiser", "order", "reference_filter",
         "sft_precision", "sft_schedule", "teacher"),
        "text",
    ),
    **dict.fromkeys(
        ("billions", "dpo_beta", "entropy", "grad_clip", "kl", "lr", "mean_program_seconds", "mean_prompt_tokens",
         "mean_response_tokens", "pool_quality", "program_seconds", "sft_lr", "sft_warmup", "step_seconds", "temperature",
         "top_p", "verifier_ms", "weight_decay"),
        "number",
    ),
    **dict.fromkeys(
        ("answers_per_question", "batch", "epochs", "gpus", "group", "instances", "instances_per_prompt",
         "judgements_per_answer", "micro_batch", "mini_batch", "oversampled", "ppo_epochs", "prompt_tokens", "response_tokens",
         "seed_questions", "sft_accumulation", "sft_batch", "sft_batch_per_device", "sft_devices", "sft_epochs",
         "sft_lora_rank", "sft_rows", "sft_rows_per_task", "sft_tokens", "steps", "teacher_samples"),
        "count",
    ),
    **dict.fromkeys(("tasks", "other_models"), "names"),
    **dict.fromkeys(("betas", "clip", "gpu_hours"), "pair"),
    **dict.fromkeys(("advantage", "curriculum", "reward"), "rule"),
    "partial_rollout": "flag",
}  # fmt: skip
"""Name of a setting and the form of its value. `clip` is [below, above], `kl` the coefficient in the loss, `batch` and
`mini_batch` count prompts, `oversampled` the prompts asked for a step, `gpu_hours` is [least, most], `curriculum` a policy of
docs/curriculum.md, `held_out` a suite whose tasks no arm trains on, `reward` and `advantage` specs of docs/rewards.md and docs/advantages.md."""

STAGES = ("teacher", "filter", "sft", "dpo", "rl")

NEEDS = {
    "BLEU reward": "BLEU with references as a reward",
    "chains": "chains: content and style of a reference as a reward",
    "programs on hidden instances": "programs run on hidden instances, and their contest tasks",
    "reward without ground truth": "a reward without ground truth, whose form the paper does not state",
    "roles": "roles (proposer, solver, judge), their pool and parsers",
    "suite C256": "the suite C256: its names are not part of this version",
    "suite of all 400": "the suite of all 400 environments: its names are not part of this version",
    "DPO": "direct preference optimisation, which is outside optgap",
    "LLM judge": "a language model as judge, which is outside optgap",
    "RLPR reward": "RLPR's reward, which is outside optgap",
    "math data": "mathematics data and their reward, which are outside optgap (a trainer takes them beside it: docs/trainers.md)",
    "open-ended data": "open-ended pairs, which are outside optgap",
    "other data": "data of others, which are outside optgap",
    "reward model": "a reward model, which is outside optgap",
    "rlve": "RLVE's environments: a checkout of RLVE on PYTHONPATH (or --tasks with tasks of optgap in their place)",
}
"""What this version does not have, by the name that arms use."""

ENVIRONMENTS = frozenset({"rlve", "suite C256", "suite of all 400"})
"""Needs that are met by training on other tasks."""


def form(name: str) -> str:
    """What a value of this setting must be, in words."""
    return str(_FORMS[SETTINGS[name]][0])


def fits(name: str, value: Any) -> bool:
    """Whether `value` has the form of this setting."""
    return bool(_FORMS[SETTINGS[name]][1](value))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
