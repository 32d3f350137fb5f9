"""slime: its command line, and the YAML of --custom-config-path."""

from __future__ import annotations

import json
import shlex
from typing import Any

from ...core.errors import misuse
from . import rows
from .run import OF_TRAINING, Run
from .verl import checkout

_HOOKS = "optgap.trainers.slime.reward"


def files(run: Run) -> dict[str, str]:
    """optgap.yaml and run.sh, and data.sh and rewards.py where rows come from a file."""
    if run.kinds == ("roles",):
        raise misuse("trainer", f"slime has no place for the roles of {run.name}: trl and verl have")
    rows.refuse_in_process(run, "slime")
    if run.is_drawn and run.policy is None:
        raise misuse("trainer", f"{run.name} names no curriculum that slime's data source could draw from")
    said = {"optgap_reward": run.reward, "optgap_advantage": run.advantage, "optgap_seed": run.seed}
    others, before = {}, checkout(run)
    if run.is_drawn:
        said |= {"optgap_tasks": list(run.tasks), "optgap_curriculum": run.policy, "optgap_format": run.format}
    else:
        others = {**rows.script(run, "slime", "train.jsonl"), **rows.rewards_file(run, "for_slime", "rm")}
        before = "[[ -f train.jsonl ]] || ./data.sh\n"
    if rows.others(run):
        said["optgap_fallback"] = "rewards.rm"
        before += "export PYTHONPATH=$PWD${PYTHONPATH:+:$PYTHONPATH}\n"
    lines = " \\\n    ".join(" ".join(map(shlex.quote, words)) for words in command(run))
    return {
        "optgap.yaml": f"# {run.name}, for --custom-config-path\n"
        + "".join(f"{name}: {json.dumps(value)}\n" for name, value in said.items()),
        "run.sh": f"#!/usr/bin/env bash\n# {run.name} in slime, written by `optgap recipe write`. SLIME is its checkout, MODEL_ARGS are the "
        "model's of its scripts/models;\n# --ref-load and --load, as its quick start has them, go behind this script's name.\n"
        f'set -euo pipefail\ncd "$(dirname "$0")"\n{before}'
        f'python3 "${{SLIME:?}}/train.py" ${{MODEL_ARGS:-}} \\\n    {lines} "$@"\n',
        **others,
    }


def left_out(run: Run) -> dict[str, str]:
    """Settings of the arm that slime has no place for, and why."""
    reasons = {
        "epochs": "problems are fresh, --num-rollout ends the run" if run.is_drawn else "--num-rollout ends the run",
        "micro_batch": "dynamic batches of 16,384 tokens a GPU in its place",
        "prompt_tokens": "a data source's prompts are not filtered; give the curriculum max_prompt_chars",
    }
    return {name: reasons[name] for name in OF_TRAINING if name in reasons and run.arm.used(name) is not None}


def command(run: Run) -> list[list[str]]:
    """What stands behind train.py, an option and its values each."""
    low, high = run.clip
    gpus = int(run.arm.used("gpus", 8))
    beta1, beta2 = run.arm.used("betas", [0.9, 0.98])
    kl = run.number("kl", 0)
    options: dict[str, Any] = {
        "--actor-num-nodes": 1, "--actor-num-gpus-per-node": gpus, "--colocate": None,
        "--hf-checkpoint": run.rl_model,
        **_data(run), "--apply-chat-template": None,
        "--custom-config-path": "optgap.yaml", "--reward-key": "score",
        "--custom-rm-path": f"{_HOOKS}.rm", "--group-rm": None,
        "--custom-reward-post-process-path": f"{_HOOKS}.post_process",
        "--num-rollout": run.steps, "--rollout-batch-size": run.batch, "--n-samples-per-prompt": run.group,
        "--num-steps-per-rollout": run.updates,
        "--rollout-max-response-len": int(run.number("response_tokens")),
        "--rollout-temperature": run.number("temperature", 1.0), "--rollout-top-p": run.number("top_p", 1.0),
        "--advantage-estimator": "gspo" if run.algorithm == "gspo" else "grpo",
        "--eps-clip": low, "--eps-clip-high": high, "--entropy-coef": run.number("entropy", 0),
        "--optimizer": "adam", "--lr": run.number("lr"), "--lr-decay-style": run.arm.used("lr_schedule", "constant"),
        "--weight-decay": run.arm.used("weight_decay", 0.01), "--adam-beta1": beta1, "--adam-beta2": beta2,
        "--use-dynamic-batch-size": None, "--max-tokens-per-gpu": 16384, "--seed": run.seed,
    }  # fmt: skip
    if kl:
        options |= {"--use-kl-loss": None, "--kl-loss-coef": kl, "--kl-loss-type": "low_var_kl"}
    if run.filters:
        options |= {"--dynamic-sampling-filter-path": f"{_HOOKS}.keep_group",
                    "--over-sampling-batch-size": int(run.arm.used("oversampled", run.batch))}  # fmt: skip
    if run.arm.used("partial_rollout"):
        options["--partial-rollout"] = None
    if run.arm.used("off_policy") is not None:
        options["--use-tis"] = None
    if run.arm.used("grad_clip") is not None:
        options["--clip-grad"] = run.arm.used("grad_clip")
    return [[name] if value is None else [name, str(value)] for name, value in options.items()]


def _data(run: Run) -> dict[str, Any]:
    """Problems that are drawn, or a file."""
    if run.is_drawn:
        return {"--data-source-path": f"{_HOOKS}.DataSource"}
    options = {
        "--prompt-data": "train.jsonl",
        "--input-key": "prompt",
        "--label-key": "label",
        "--metadata-key": "metadata",
    }
    return options if "curriculum" in run.kinds else {**options, "--rollout-shuffle": None}
