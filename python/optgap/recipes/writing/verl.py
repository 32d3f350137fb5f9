"""verl: a command line of overrides."""

from __future__ import annotations

import json
import shlex
from typing import Any

from ...errors import misuse
from .run import OF_TRAINING, Run

_ESTIMATORS = {"grpo_verl": "optgap_grpo", "grpo_slime": "optgap_grpo", "grpo": "optgap_grpo"}
"""verl's GRPO is ours with verl's constants; slime's differs in groups of one alone."""


def files(run: Run) -> dict[str, str]:
    """run.sh."""
    lines = " \\\n    ".join(shlex.quote(one) for one in overrides(run))
    validation = (
        f"optgap dataset {' '.join(run.tasks)} --trainer verl --level easy --count 20 --split val --format {run.format} "
        "--out val.parquet --quiet"
    )
    if any("/" in task for task in run.tasks):
        validation = "{ echo 'give val.parquet, rows of your own: these tasks are none of optgap' >&2; exit 2; }"
    return {
        "run.sh": f"#!/usr/bin/env bash\n# {run.name} in verl, written by `optgap recipe write`.\nset -euo pipefail\n"
        f'cd "$(dirname "$0")"\n[[ -f val.parquet ]] || {validation}\n'
        f'python3 -m verl.trainer.main_ppo \\\n    {lines} "$@"\n'
    }


def left_out(run: Run) -> dict[str, str]:
    """Settings of the arm that verl has no place for, and why."""
    reasons = {
        "partial_rollout": "verl's synchronous trainer finishes every rollout in its step",
        "off_policy": "verl takes rollout correction from algorithm.rollout_correction, whose presets are its own",
        "optimiser": "verl's AdamW in every arm",
        "epochs": "problems are fresh, total_training_steps ends the run",
        "micro_batch": "dynamic batches of 24,576 tokens a GPU in its place",
    }
    return {name: reasons[name] for name in OF_TRAINING if name in reasons and run.arm.used(name) is not None}


def overrides(run: Run) -> list[str]:
    """What stands behind `python3 -m verl.trainer.main_ppo`."""
    low, high = run.clip
    actor, rollout = "actor_rollout_ref.actor", "actor_rollout_ref.rollout"
    kl = run.number("kl", 0)
    words: dict[str, Any] = {
        "data.train_files": "optgap",
        "data.val_files": "val.parquet",
        "data.custom_cls.path": "pkg://optgap.trainers.verl.data",
        "data.custom_cls.name": "CurriculumDataset",
        "data.dataloader_num_workers": 0,
        **_plus("data.optgap", {"policy": run.policy, "tasks": list(run.tasks), "seed": run.seed, "format": run.format,
                                "length": run.steps * int(run.arm.used("oversampled", run.batch))}),
        "data.train_batch_size": run.batch,
        "data.max_prompt_length": int(run.number("prompt_tokens", 4096)),
        "data.max_response_length": int(run.number("response_tokens")),
        "data.truncation": "error",
        "actor_rollout_ref.model.path": run.rl_model,
        "actor_rollout_ref.model.use_remove_padding": True,
        "actor_rollout_ref.model.enable_gradient_checkpointing": True,
        f"{actor}.optim.lr": run.number("lr"),
        f"{actor}.optim.weight_decay": run.arm.used("weight_decay", 0.01),
        f"{actor}.ppo_mini_batch_size": run.mini_batch,
        f"{actor}.use_dynamic_bsz": True,
        f"{actor}.ppo_max_token_len_per_gpu": 24576,
        f"{actor}.clip_ratio_low": low,
        f"{actor}.clip_ratio_high": high,
        f"{actor}.use_kl_loss": bool(kl),
        f"{actor}.entropy_coeff": run.number("entropy", 0),
        f"{actor}.policy_loss.loss_mode": run.algorithm if run.algorithm in ("gspo", "gpg") else "vanilla",
        f"{rollout}.name": "vllm",
        f"{rollout}.n": run.group,
        f"{rollout}.temperature": run.number("temperature", 1.0),
        f"{rollout}.top_p": run.number("top_p", 1.0),
        f"{rollout}.log_prob_use_dynamic_bsz": True,
        "reward.reward_manager.name": "optgap",
        **_plus("reward.reward_kwargs.reward", run.reward if isinstance(run.reward, dict) else {"shape": run.reward}),
        "algorithm.adv_estimator": _estimator(run),
        "algorithm.use_kl_in_reward": False,
        "trainer.n_gpus_per_node": int(run.arm.used("gpus", 8)),
        "trainer.nnodes": 1,
        "trainer.total_epochs": 1,
        "trainer.total_training_steps": run.steps,
        "trainer.test_freq": 20,
        "trainer.save_freq": 50,
        "trainer.project_name": "optgap",
        "trainer.experiment_name": run.name,
        "trainer.logger": ["console"],
    }  # fmt: skip
    if kl:
        words[f"{actor}.kl_loss_coef"] = kl
    if run.algorithm == "gspo":
        words[f"{actor}.loss_agg_mode"] = "seq-mean-token-mean"
    if run.arm.used("betas") is not None:
        words[f"{actor}.optim.betas"] = run.arm.used("betas")
    if run.arm.used("grad_clip") is not None:
        words[f"{actor}.grad_clip"] = run.arm.used("grad_clip")
    if run.filters:
        words |= {"algorithm.filter_groups.enable": True, "algorithm.filter_groups.metric": "reward",
                  "data.gen_batch_size": int(run.arm.used("oversampled", run.batch))}  # fmt: skip
    return [f"{name}={_word(value)}" for name, value in words.items()]


def _estimator(run: Run) -> str:
    if not isinstance(run.advantage, str):
        raise misuse(
            "trainer", f"{run.name} takes an estimator with constants of its own: register it as docs/trainers.md says"
        )
    return _ESTIMATORS.get(run.advantage, f"optgap_{run.advantage}")


def _plus(where: str, fields: dict[str, Any]) -> dict[str, Any]:
    """Keys that verl's configuration does not have, one by one."""
    found: dict[str, Any] = {}
    for name, value in fields.items():
        found |= _plus(f"{where}.{name}", value) if isinstance(value, dict) else {f"+{where.lstrip('+')}.{name}": value}
    return found


def _word(value: Any) -> str:
    """As Hydra reads it."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "[" + ",".join(_word(one) for one in value) + "]"
    return json.dumps(value)
