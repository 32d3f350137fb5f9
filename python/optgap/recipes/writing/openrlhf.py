"""OpenRLHF: its command line, a reward file, and data files, since it has no place for a curriculum."""

from __future__ import annotations

import math
import shlex
from typing import Any

from ...core.errors import misuse
from . import rows
from .run import OF_TRAINING, Run

_ESTIMATORS = {"grpo": "group_norm", "grpo_verl": "group_norm", "grpo_slime": "group_norm", "grpo_openrlhf": "group_norm",
               "dr_grpo": "dr_grpo", "rloo": "rloo"}  # fmt: skip
_STAGES = ("easy", "medium", "hard")


def files(run: Run) -> dict[str, str]:
    """reward.py and run.sh, which also writes the data."""
    refuse(run)
    lines = " \\\n    ".join(" ".join(map(shlex.quote, words)) for words in command(run))
    others = {}
    if run.is_drawn:
        before = _data(run)
    else:
        others = {
            **rows.script(run, "openrlhf", "train.jsonl"),
            **rows.rewards_file(run, "for_openrlhf", "reward_func"),
        }
        before = "[[ -f train.jsonl ]] || ./data.sh\n"
    load, fallback = "", ""
    if "rewards.py" in others:  # OpenRLHF runs this file alone, wherever its processes are
        load = others.pop("rewards.py").split("\n\n", 1)[1].replace("reward_func =", "fallback =")
        fallback = ", fallback=fallback"
    return {
        "reward.py": f'"""The reward of {run.name}."""\n\nfrom optgap.trainers.openrlhf.reward import configured\n{load}\n'
        f"reward_func = configured({run.reward!r}{fallback})\n",
        "run.sh": f"#!/usr/bin/env bash\n# {run.name} in OpenRLHF, written by `optgap recipe write`.\nset -euo pipefail\n"
        f'cd "$(dirname "$0")"\n{before}python3 -m openrlhf.cli.train_ppo_ray \\\n    {lines} "$@"\n',
        **others,
    }


def refuse(run: Run) -> None:
    """Raises Error for what OpenRLHF has no place for."""
    if run.kinds == ("roles",):
        raise misuse("trainer", f"openrlhf has no place for the roles of {run.name}: trl and verl have")
    if "curriculum" in run.kinds and not run.is_drawn:
        raise misuse("trainer", f"openrlhf shuffles its data, and those of {run.name} are in their curriculum's order")
    if run.is_drawn and any("/" in task for task in run.tasks):
        raise misuse(
            "trainer",
            f"openrlhf reads a file, and `optgap dataset` makes none of environments: {run.name} needs --tasks there",
        )
    rows.refuse_in_process(run, "openrlhf")


def left_out(run: Run) -> dict[str, str]:
    """Settings of the arm that OpenRLHF has no place for, and why."""
    reasons = {
        "prompt_tokens": "OpenRLHF limits prompt and response together (--data.max_len)",
        "oversampled": "its dynamic filtering asks for as much as it needs",
        "optimiser": "OpenRLHF's AdamW in every arm",
        "epochs": "as many passes over the data as the steps take (--train.num_episodes)",
        "micro_batch": "one rollout a GPU and pass",
    }
    return {name: reasons[name] for name in OF_TRAINING if name in reasons and run.arm.used(name) is not None}


def command(run: Run) -> list[list[str]]:
    """What stands behind the module, an option and its values each."""
    if not isinstance(run.advantage, str) or run.advantage not in _ESTIMATORS:
        raise misuse("trainer", f"openrlhf takes no advantages from outside, and {run.name} needs {run.advantage}")
    if run.algorithm == "gpg":
        raise misuse("trainer", f"openrlhf has no GPG, which {run.name} needs")
    low, high = run.clip
    kl = run.number("kl", 0)
    limit = int(run.number("response_tokens"))
    options: dict[str, Any] = {
        "--actor.model_name_or_path": run.rl_model,
        "--data.prompt_dataset": "train.jsonl", "--data.input_key": "input", "--data.label_key": "label",
        "--data.apply_chat_template": None, "--reward.remote_url": "reward.py",
        "--data.max_len": int(run.number("prompt_tokens", 4096)) + limit, "--rollout.max_new_tokens": limit,
        "--rollout.batch_size": run.batch, "--rollout.n_samples_per_prompt": run.group,
        "--train.batch_size": run.mini_batch * run.group, "--train.micro_batch_size": 1,
        "--train.num_episodes": _episodes(run), "--train.max_epochs": 1,
        "--rollout.temperature": run.number("temperature", 1.0), "--rollout.top_p": run.number("top_p", 1.0),
        "--actor.adam.lr": run.number("lr"), "--actor.adam.weight_decay": run.arm.used("weight_decay", 0.01),
        "--actor.lr_scheduler": run.arm.used("lr_schedule", "constant"),
        "--actor.eps_clip_low_high": (low, high),
        "--actor.policy_loss_type": "gspo" if run.algorithm == "gspo" else "ppo",
        "--actor.entropy_coef": run.number("entropy", 0),
        "--algo.advantage.estimator": _ESTIMATORS[run.advantage],
        "--algo.kl.init_coef": kl, "--train.seed": run.seed,
        "--actor.num_gpus_per_node": int(run.arm.used("gpus", 8)), "--train.colocate_all": None,
        "--vllm.num_engines": int(run.arm.used("gpus", 8)),
    }  # fmt: skip
    if kl:
        options["--algo.kl.use_loss"] = None
    if run.arm.used("betas") is not None:
        options["--actor.adam.betas"] = tuple(run.arm.used("betas"))
    if run.arm.used("grad_clip") is not None:
        options["--actor.max_norm"] = run.arm.used("grad_clip")
    if run.filters:
        options |= {"--algo.dynamic_filtering_enable": None, "--algo.dynamic_filtering_range": (0.01, 0.99)}
    if run.arm.used("partial_rollout"):
        options["--train.partial_rollout_enable"] = None
    return [[name, *_words(value)] for name, value in options.items()]


def _episodes(run: Run) -> int:
    """Passes over the data: what a user brings may be less than the run asks."""
    return max(1, math.ceil(run.steps * run.batch / run.checked.rows)) if run.checked.rows else 1


def levels(run: Run) -> list[tuple[str, int]]:
    """Levels of data that never change, with their shares. Raises Error for a policy that moves."""
    policy = run.policy if isinstance(run.policy, dict) else {"policy": run.policy}
    if policy.get("policy") == "mixed" or policy.get("order") == "mixed":
        return list(zip(_STAGES, policy.get("mixture", (5, 4, 1))))
    if policy.get("policy") == "static" and "range" in policy:
        low, high = policy["range"]
        return [(f"d{step}", 1) for step in range(low, high + 1)]
    if policy.get("policy") == "static":
        return [(str(policy.get("level", "medium")), 1)]
    raise misuse(
        "trainer", f"openrlhf reads its data once, before the run: it has no place for {run.name}'s curriculum"
    )


def _data(run: Run) -> str:
    """Lines that write train.jsonl: as many problems as the run asks, in the policy's shares."""
    shares = levels(run)
    whole = sum(share for _, share in shares) * len(run.tasks)
    lines = []
    for place, (level, share) in enumerate(shares):
        count = -(-run.steps * run.batch * share // whole)
        lines.append(
            f"optgap dataset {' '.join(run.tasks)} --trainer openrlhf --level {level} --count {count} --seed {run.seed} "
            f"--format {run.format} --out train.{place}.jsonl --quiet\n"
        )
    parts = " ".join(f"train.{place}.jsonl" for place in range(len(shares)))
    return "".join(lines) + f"cat {parts} > train.jsonl\n"


def _words(value: Any) -> list[str]:
    if value is None:
        return []
    return [str(one) for one in value] if isinstance(value, tuple) else [str(value)]
