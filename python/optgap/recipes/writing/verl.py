"""verl: a command line of overrides."""

from __future__ import annotations

import json
import math
import shlex
from typing import Any

from ...core.errors import misuse
from . import roles, rows
from .run import EXTERNAL, OF_TRAINING, POSED, Run

_ESTIMATORS = dict.fromkeys(("grpo_verl", "grpo_slime", "grpo_openrlhf", "grpo"), "optgap_grpo")
"""verl's GRPO is ours with verl's constants; slime's differs in groups of one alone, OpenRLHF's in its ε."""


def files(run: Run) -> dict[str, str]:
    """run.sh, and data.sh and rewards.py where rows come from a file."""
    _refuse(run)
    lines = " \\\n    ".join(shlex.quote(one) for one in overrides(run))
    before, others = _before(run), {}
    if not run.is_drawn and run.kinds != ("roles",):
        others = {**rows.script(run, "verl", "train.parquet"), **rows.rewards_file(run, "for_verl", "compute_score")}
    return {
        "run.sh": f"#!/usr/bin/env bash\n# {run.name} in verl, written by `optgap recipe write`.\nset -euo pipefail\n"
        f'cd "$(dirname "$0")"\n{before}'
        f'python3 -m verl.trainer.main_ppo \\\n    {lines} "$@"\n',
        **others,
    }


def _before(run: Run) -> str:
    """What run.sh makes before it trains."""
    tasks = POSED if run.has_free_text else run.tasks  # questions have no proof to validate by
    validation = (
        f"optgap dataset {' '.join(tasks)} --trainer verl --level easy --count 20 --split val --format {run.format} "
        "--out val.parquet --quiet"
    )
    if run.kinds == ("roles",):
        server = ': "${SOLVER_URL:?a server of the policy, which answers proposals}" "${SOLVER_MODEL:?its model}"\n'
        if run.has_free_text:
            return server + f"[[ -f val.parquet ]] || {validation}\n"
        pool = "".join(
            f"    optgap generate {task} --level easy --count {roles.seeds(run)} --quiet\n" for task in run.tasks
        )
        return (f"{server}[[ -f val.parquet ]] || {validation}\n[[ -f pool.db ]] || {{\n{pool}}} | optgap pool add pool.db - > pool.jsonl\n")  # fmt: skip
    if not run.is_drawn:
        return "[[ -f train.parquet ]] || ./data.sh\n"
    if any("/" in task for task in run.tasks):
        validation = "{ echo 'give val.parquet, rows of your own: these tasks are none of optgap' >&2; exit 2; }"
    return checkout(run) + f"[[ -f val.parquet ]] || {validation}\n"


def checkout(run: Run) -> str:
    """Lines that let worker processes find RLVE's environments."""
    folder = run.brought.checkout
    if folder is None:
        return ""
    where = shlex.quote(folder)
    return (
        f"export PYTHONPATH={where}${{PYTHONPATH:+:$PYTHONPATH}}\n"
        f"export OPTGAP_RLVE_VERSION=${{OPTGAP_RLVE_VERSION:-$(git -C {where} rev-parse --short HEAD 2>/dev/null || echo unknown)}}\n"
        f"export OPTGAP_EXTERNAL=${{OPTGAP_EXTERNAL:-'{EXTERNAL}'}}\n"
    )


def _refuse(run: Run) -> None:
    """Raises Error for what verl has no place for."""
    if rows.ranks(run):
        raise misuse("trainer", f"verl hands its estimators one reward a rollout, and {run.name} ranks programs by their scores on each "
                     "instance: trl and slime see them")  # fmt: skip
    rows.refuse_in_process(run, "verl")
    if run.arm.used("untrained_role") is not None:
        raise misuse("trainer", f"verl has no place for {run.name}: its estimators reward every role; trl has")


def left_out(run: Run) -> dict[str, str]:
    """Settings of the arm that verl has no place for, and why."""
    reasons = {
        "partial_rollout": "verl's synchronous trainer finishes every rollout in its step",
        "off_policy": "verl takes rollout correction from algorithm.rollout_correction, whose presets are its own",
        "optimiser": "verl's AdamW in every arm",
        "epochs": "problems are fresh, total_training_steps ends the run"
        if run.is_drawn
        else "total_training_steps ends the run",
        "micro_batch": "dynamic batches of 24,576 tokens a GPU in its place",
    }
    if run.kinds == ("roles",):
        reasons |= {"group": "difficulty takes several answers to a question, and rows of a step have equally many",
                    "batch": "counted in prompts of each role"}  # fmt: skip
    return {name: reasons[name] for name in OF_TRAINING if name in reasons and run.arm.used(name) is not None}


def overrides(run: Run) -> list[str]:
    """What stands behind `python3 -m verl.trainer.main_ppo`."""
    low, high = run.clip
    prompts = roles.prompts(run) if run.kinds == ("roles",) else run.batch
    actor, rollout = "actor_rollout_ref.actor", "actor_rollout_ref.rollout"
    kl = run.number("kl", 0)
    words: dict[str, Any] = {
        **_data(run),
        "data.max_prompt_length": int(run.number("prompt_tokens", 4096)),
        "data.max_response_length": int(run.number("response_tokens")),
        "data.truncation": "error",
        "actor_rollout_ref.model.path": run.rl_model,
        "actor_rollout_ref.model.use_remove_padding": True,
        "actor_rollout_ref.model.enable_gradient_checkpointing": True,
        f"{actor}.optim.lr": run.number("lr"),
        f"{actor}.optim.weight_decay": run.arm.used("weight_decay", 0.01),
        f"{actor}.ppo_mini_batch_size": math.ceil(prompts / run.updates),
        f"{actor}.use_dynamic_bsz": True,
        f"{actor}.ppo_max_token_len_per_gpu": 24576,
        f"{actor}.clip_ratio_low": low,
        f"{actor}.clip_ratio_high": high,
        f"{actor}.use_kl_loss": bool(kl),
        f"{actor}.entropy_coeff": run.number("entropy", 0),
        f"{actor}.policy_loss.loss_mode": run.algorithm if run.algorithm in ("gspo", "gpg") else "vanilla",
        f"{rollout}.name": "vllm",
        f"{rollout}.n": roles.group(run) if run.kinds == ("roles",) else run.group,
        f"{rollout}.temperature": run.number("temperature", 1.0),
        f"{rollout}.top_p": run.number("top_p", 1.0),
        f"{rollout}.log_prob_use_dynamic_bsz": True,
        "reward.reward_manager.name": "optgap",
        **_rewarded(run),
        **_plus("reward.reward_kwargs.reward", run.reward if isinstance(run.reward, dict) else {"shape": run.reward}),
        "algorithm.adv_estimator": _estimator(run),
        "algorithm.use_kl_in_reward": False,
        "trainer.n_gpus_per_node": int(run.arm.used("gpus", 8)),
        "trainer.nnodes": 1,
        "trainer.total_epochs": 1 if run.is_drawn else 1000,
        "trainer.total_training_steps": run.steps,
        "trainer.test_freq": 20 if _validates(run) else -1,
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


def _validates(run: Run) -> bool:
    return run.is_drawn or run.kinds == ("roles",)


def _data(run: Run) -> dict[str, Any]:
    """Problems that are drawn, rows of all roles, or a file."""
    if run.kinds == ("roles",):
        options = {name: value for name, value in roles.options(run).items() if name != "advantage"}
        asked: dict[str, Any] = {"tasks": list(run.tasks)}
        if run.has_free_text:
            asked = {"questions": run.brought.questions}
            options["seeds"] = int(run.number("seed_questions"))
        return {
            "data.train_files": "optgap", "data.val_files": "val.parquet",
            "data.custom_cls.path": "pkg://optgap.trainers.verl.roles_data", "data.custom_cls.name": "RolesDataset",
            "data.dataloader_num_workers": 0,
            **_plus("data.optgap", {
                "pool": "pool.db", **asked, "seed": run.seed, "group": roles.group(run),
                "length": run.steps * roles.prompts(run), "proposals": roles.each(run), "judges": roles.judges(run),
                "advantage": run.advantage, "options": options,
                "solver": {"base_url": "${oc.env:SOLVER_URL}", "model": "${oc.env:SOLVER_MODEL}"},
            }),
            "data.train_batch_size": roles.prompts(run),
        }  # fmt: skip
    if not run.is_drawn:
        return {"data.train_files": "train.parquet", "data.val_files": "train.parquet", "trainer.val_before_train": False,
                "data.shuffle": "curriculum" not in run.kinds, "data.train_batch_size": run.batch}  # fmt: skip
    return {
        "data.train_files": "optgap",
        "data.val_files": "val.parquet",
        "data.custom_cls.path": "pkg://optgap.trainers.verl.data",
        "data.custom_cls.name": "CurriculumDataset",
        "data.dataloader_num_workers": 0,
        **_plus("data.optgap", {"policy": run.policy, "tasks": list(run.tasks), "seed": run.seed, "format": run.format,
                                "length": run.steps * int(run.arm.used("oversampled", run.batch))}),
        "data.train_batch_size": run.batch,
    }  # fmt: skip


def _rewarded(run: Run) -> dict[str, Any]:
    """Who rewards rows that are none of optgap's: the manager `optgap` asks this function."""
    if not rows.others(run):
        return {}
    return {"reward.custom_reward_function.path": "rewards.py", "reward.custom_reward_function.name": "compute_score"}


def _estimator(run: Run) -> str:
    if run.kinds == ("roles",):
        return "optgap_roles"
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
