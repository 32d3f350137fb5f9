"""TRL: a script around GRPOTrainer."""

from __future__ import annotations

from ...core.errors import misuse
from . import rows, trl_roles
from .run import EXTERNAL, OF_TRAINING, Run

_HEAD = '''"""{name} in TRL, written by `optgap recipe write`; README.md says what it is, what it costs, what is left out.

    python train.py                                         # one process
    accelerate launch train.py                              # several
"""

import os
{early}
'''

_SETTINGS = '''PROMPTS, GROUP, UPDATES = {batch}, {group}, {updates}  # of a step
SETTINGS = dict(
{settings})


def whole(changes):
    """The settings with `changes`, for steps of whole batches."""
    settings = {{"per_device_train_batch_size": GROUP, **SETTINGS, **changes}}
    passes = settings["per_device_train_batch_size"] * int(os.environ.get("WORLD_SIZE", "1")) * UPDATES
    if PROMPTS * GROUP % passes:
        raise SystemExit(f"{{PROMPTS}} x {{GROUP}} rollouts are not whole passes of {{passes}}")
    settings.setdefault("gradient_accumulation_steps", PROMPTS * GROUP // passes)
    settings.setdefault("steps_per_generation", settings["gradient_accumulation_steps"] * UPDATES)
    return settings

'''

_DRAWN = """from optgap.trainers.common.stream import CurriculumRows
from optgap.trainers.trl.reward import GroupAdvantage
from optgap.trainers.trl.curriculum import CurriculumStream
from trl import GRPOConfig, GRPOTrainer

TASKS = {tasks!r}
POLICY = {policy!r}
REWARD, ADVANTAGE = {reward!r}, {advantage!r}
"""

_TRAIN_DRAWN = '''
def trainer(model={model!r}, tokenizer=None, **changes):
    """The trainer, with `changes` to its settings."""
    settings = whole(changes)
    stream = CurriculumStream(CurriculumRows(POLICY, TASKS, seed=settings["seed"], format={format!r}))
    rewarded = GroupAdvantage(ADVANTAGE, num_generations=settings["num_generations"], spec=REWARD, tokenizer=tokenizer)
    return GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=[rewarded, stream.observer(rewarded)],
        args=GRPOConfig(reward_weights=[1.0, 0.0], shuffle_dataset=False, **settings),
        train_dataset=stream.dataset(),
        callbacks=[stream.callback()],
    )
'''

_READ = """{imports}from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer

"""

_TRAIN_READ = '''
def trainer(model={model!r}, tokenizer=None, data="train.jsonl", **changes):
    """The trainer, with `changes` to its settings, on what data.sh writes."""
    settings = whole(changes)
{before}    rows = load_dataset("json", data_files=os.path.join(os.path.dirname(os.path.abspath(__file__)), data), split="train")
    made = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=[{functions}],
        args=GRPOConfig(**settings),
        train_dataset=rows,
    )
{after}    return made
'''

_MAIN = """

if __name__ == "__main__":
    trainer().train()
"""


def files(run: Run) -> dict[str, str]:
    """train.py, and data.sh where rows come from a file."""
    if run.kinds == ("roles",):
        return {"train.py": _HEAD.format(name=run.name, early="") + trl_roles.imports(run) + _settings_part(run)
                + trl_roles.trainer(run) + _MAIN}  # fmt: skip
    if run.is_drawn:
        return {"train.py": _drawn(run)}
    return {"train.py": _read(run), **rows.script(run, "trl", "train.jsonl")}


def left_out(run: Run) -> dict[str, str]:
    """Settings of the arm that TRL has no place for, and why."""
    reasons = {
        "prompt_tokens": "TRL takes prompts of any length; give the curriculum max_prompt_chars",
        "filter": "TRL keeps every group; one of equal rewards moves nothing",
        "oversampled": "without a filter there is nothing to oversample for",
        "partial_rollout": "TRL finishes every rollout in its step",
        "off_policy": "TRL corrects for its vLLM's log-probabilities alone (vllm_importance_sampling_correction)",
        "optimiser": "TRL's AdamW in every arm",
        "micro_batch": "per_device_train_batch_size is a group, so that groups stay whole",
        "epochs": "problems are fresh, max_steps ends the run" if run.is_drawn else "max_steps ends the run",
    }
    if rows.ranks(run):
        reasons["advantage"] = (
            "TRL subtracts the group's mean from it: differences within a group stay, its zero does not"
        )
    if run.kinds == ("roles",):
        reasons |= trl_roles.LEFT_OUT
    names = (*OF_TRAINING, "advantage")
    return {name: reasons[name] for name in names if name in reasons and run.arm.used(name) is not None}


def _drawn(run: Run) -> str:
    if run.policy is None:
        raise misuse("trainer", f"{run.name} names no curriculum that TRL could draw from")
    return (
        _HEAD.format(name=run.name, early=_checkout(run))
        + _DRAWN.format(tasks=list(run.tasks), policy=run.policy, reward=run.reward, advantage=run.advantage)
        + _settings_part(run)
        + _TRAIN_DRAWN.format(model=run.rl_model, format=run.format)
        + _MAIN
    )


def _read(run: Run) -> str:
    """Optgap's rows earn rewards that TRL compares, or programs their ranks; each other kind has a function of its own."""
    kinds = rows.others(run)
    ours = [kind for kind in run.kinds if kind not in kinds]
    imports, before, after, functions = "", "", "", []
    if rows.ranks(run):
        imports += "from optgap.trainers.trl.reward import GroupAdvantage\n"
        functions.append(
            f'GroupAdvantage({run.advantage!r}, num_generations=settings["num_generations"], tokenizer=tokenizer)'
        )
    elif ours:
        imports += "from optgap.trainers.trl.reward import reward_functions\n"
        functions.append(f'*reward_functions("reward", spec={run.reward!r}, tokenizer=tokenizer)')
    if kinds:
        imports += f"from optgap.recipes.rewarding import {', '.join([*map(rows.class_of, kinds), 'for_trl'])}\n"
    for kind in kinds:
        if kind == "likely":
            imports += "from transformers import AutoTokenizer\n"
            before = f"    tokenizer = tokenizer or AutoTokenizer.from_pretrained(model)\n    likelier = {rows.rewarding(run, kind)}\n"
            after = "    likelier.policy = made.model\n"
            functions.append("for_trl(likelier)")
        else:
            functions.append(f"for_trl({rows.rewarding(run, kind)})")
    return (
        _HEAD.format(name=run.name, early="")
        + _READ.format(imports=imports)
        + _settings_part(run)
        + _TRAIN_READ.format(model=run.rl_model, before=before, after=after, functions=", ".join(functions))
        + _MAIN
    )


def _checkout(run: Run) -> str:
    """Lines that let worker processes find RLVE's environments."""
    folder = run.brought.checkout
    if folder is None:
        return ""
    return (
        f"import subprocess\nimport sys\n\nRLVE = {folder!r}\nsys.path.insert(0, RLVE)\n"
        'os.environ["PYTHONPATH"] = os.pathsep.join([RLVE, *filter(None, [os.environ.get("PYTHONPATH")])])\n'
        'COMMIT = subprocess.run(["git", "-C", RLVE, "rev-parse", "HEAD"], capture_output=True, text=True, check=False).stdout\n'
        'os.environ.setdefault("OPTGAP_RLVE_VERSION", COMMIT[:7] or "unknown")\n'
        f'os.environ.setdefault("OPTGAP_EXTERNAL", {EXTERNAL!r})\n'
    )


def _settings_part(run: Run) -> str:
    settings = _settings(run)
    return _SETTINGS.format(
        batch=trl_roles.prompts(run) if run.kinds == ("roles",) else run.batch, group=settings["num_generations"],
        updates=run.updates, settings="".join(f"    {name}={value!r},\n" for name, value in settings.items()),
    )  # fmt: skip


def _settings(run: Run) -> dict[str, object]:
    low, high = run.clip
    settings: dict[str, object] = {
        "output_dir": run.name,
        "max_steps": run.steps * run.updates,
        "learning_rate": run.number("lr"),
        "lr_scheduler_type": run.arm.used("lr_schedule", "constant"),
        "weight_decay": run.arm.used("weight_decay", 0.01),
        "num_generations": trl_roles.group(run) if run.kinds == ("roles",) else run.group,
        "beta": run.number("kl", 0.0),
        "epsilon": low,
        "epsilon_high": high,
        "temperature": run.number("temperature", 1.0),
        "top_p": run.number("top_p", 1.0),
        "max_completion_length": int(run.number("response_tokens")),
        "loss_type": "grpo" if run.algorithm == "gspo" else "dapo",
        "importance_sampling_level": "sequence" if run.algorithm == "gspo" else "token",
        "scale_rewards": "none" if run.is_drawn or rows.ranks(run) or run.kinds == ("roles",) else "group",
        "seed": run.seed,
        "logging_steps": 1,
        "save_steps": 50 * run.updates,
        "dataloader_num_workers": 0,
    }
    if "curriculum" in run.kinds and not run.is_drawn:
        settings["shuffle_dataset"] = False  # the file is in the curriculum's order
    if run.arm.used("betas") is not None:
        settings["adam_beta1"], settings["adam_beta2"] = run.arm.used("betas")
    if run.arm.used("grad_clip") is not None:
        settings["max_grad_norm"] = run.arm.used("grad_clip")
    if run.arm.used("entropy"):
        settings["entropy_coef"] = run.arm.used("entropy")
    return settings
