"""What a recipe may say: names of settings with the form of their values, what an arm may need, and what its user brings."""

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
         "held_out", "judge_scale", "keywords", "keywords_by", "levels", "lr_schedule", "model", "off_policy", "optimiser", "order", "preset",
         "proposer_reward", "reference_filter", "sft_precision", "sft_schedule", "sft_source", "teacher", "untrained_role"),
        "text",
    ),
    **dict.fromkeys(
        ("billions", "dpo_beta", "entropy", "grad_clip", "keywords_share", "kl", "lr", "mean_program_seconds", "mean_prompt_tokens",
         "mean_response_tokens", "pool_quality", "program_seconds", "reference_share", "rows_share", "sft_lr", "sft_warmup", "step_seconds", "temperature",
         "top_p", "verifier_ms", "weight_decay"),
        "number",
    ),
    **dict.fromkeys(
        ("answers_per_question", "batch", "dpo_answers", "epochs", "gpus", "group", "instances", "instances_per_prompt",
         "judgements_per_answer", "micro_batch", "mini_batch", "oversampled", "ppo_epochs", "prompt_tokens", "response_tokens",
         "seed_questions", "sft_accumulation", "sft_batch", "sft_batch_per_device", "sft_devices", "sft_epochs",
         "sft_lora_rank", "sft_rows", "sft_rows_per_task", "sft_tokens", "steps", "teacher_samples"),
        "count",
    ),
    **dict.fromkeys(("harness", "other_models", "rows", "tasks"), "names"),
    **dict.fromkeys(("betas", "clip", "gpu_hours"), "pair"),
    **dict.fromkeys(("advantage", "curriculum", "reward"), "rule"),
    **dict.fromkeys(("format_reward", "one_level", "partial_rollout"), "flag"),
}  # fmt: skip
"""Name of a setting and the form of its value. `clip` is [below, above], `kl` the coefficient in the loss, `batch` and
`mini_batch` count prompts, `oversampled` the prompts asked for a step, `gpu_hours` is [least, most], `curriculum` a policy of
docs/curriculum.md, `held_out` a suite whose tasks no arm trains on, `reward` and `advantage` specs of docs/rewards.md and docs/advantages.md.
`rows` says what the run trains on (ROWS), `rows_share` the share of the last of two kinds, `preset` whose arithmetic rewards rubrics
(docs/rubrics.md), `harness` tasks of lm-evaluation-harness."""

ROWS = {
    "curriculum": "problems that a curriculum draws",
    "rubrics": "texts that are rewarded by rubrics",
    "programs": "programs that are run on hidden instances",
    "roles": "problems that the model poses, solves and judges",
    "maths": "problems with an answer that math-verify reads",
    "judged": "texts that a language model judges",
    "modelled": "texts that a reward model scores",
    "likely": "reasoning by which the reference becomes likelier",
}
"""What an arm trains on, by the name that `rows` uses."""

STAGES = ("teacher", "filter", "sft", "dpo", "rl")

NEEDS: dict[str, str] = {}
"""What this version does not have, by the name that arms use."""

BRINGS = {
    "checkout": "RLVE's environments: --checkout DIR, a folder that holds RLVE's Gym (or --tasks with tasks of optgap in their place)",
    "data": "mathematics: --data FILE, JSONL with `prompt` and `answer`",
    "pairs": "open-ended pairs: --pairs FILE, JSONL with `prompt` and `references`, perhaps with `rubric`",
    "reward-model": "a reward model: --reward-model M, a folder or Hub id of a sequence classifier with one label",
    "questions": "questions in free text: --questions FILE, JSONL with `question` and perhaps `answer`, as GSM8K has them",
    "judge-url": "a language model as judge: --judge-url URL and --judge-model NAME, an OpenAI-compatible server",
}
"""What the user of an arm brings, by the option that names it."""


def form(name: str) -> str:
    """What a value of this setting must be, in words."""
    return str(_FORMS[SETTINGS[name]][0])


def fits(name: str, value: Any) -> bool:
    """Whether `value` has the form of this setting."""
    return bool(_FORMS[SETTINGS[name]][1](value))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
