"""TRL: a script around GRPOTrainer."""

from __future__ import annotations

from ...errors import misuse
from .run import OF_TRAINING, Run

_SCRIPT = '''"""{name} in TRL, written by `optgap recipe write`; README.md says what it is, what it costs, what is left out.

    python train.py                                         # one process
    accelerate launch train.py                              # several
"""

import os

from optgap.trainers.common.stream import CurriculumRows
from optgap.trainers.trl.reward import GroupAdvantage
from optgap.trainers.trl.curriculum import CurriculumStream
from trl import GRPOConfig, GRPOTrainer

TASKS = {tasks!r}
POLICY = {policy!r}
REWARD, ADVANTAGE = {reward!r}, {advantage!r}
PROMPTS, GROUP, UPDATES = {batch}, {group}, {updates}  # of a step
SETTINGS = dict(
{settings})


def trainer(model={model!r}, tokenizer=None, **changes):
    """The trainer, with `changes` to its settings."""
    settings = {{"per_device_train_batch_size": GROUP, **SETTINGS, **changes}}
    whole = settings["per_device_train_batch_size"] * int(os.environ.get("WORLD_SIZE", "1")) * UPDATES
    if PROMPTS * GROUP % whole:
        raise SystemExit(f"{{PROMPTS}} x {{GROUP}} rollouts are not whole passes of {{whole}}")
    settings.setdefault("gradient_accumulation_steps", PROMPTS * GROUP // whole)
    settings.setdefault("steps_per_generation", settings["gradient_accumulation_steps"] * UPDATES)
    stream = CurriculumStream(CurriculumRows(POLICY, TASKS, seed=settings["seed"], format={format!r}))
    paid = GroupAdvantage(ADVANTAGE, num_generations=settings["num_generations"], spec=REWARD, tokenizer=tokenizer)
    return GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=[paid, stream.observer(paid)],
        args=GRPOConfig(reward_weights=[1.0, 0.0], shuffle_dataset=False, **settings),
        train_dataset=stream.dataset(),
        callbacks=[stream.callback()],
    )


if __name__ == "__main__":
    trainer().train()
'''


def files(run: Run) -> dict[str, str]:
    """train.py."""
    return {"train.py": _script(run)}


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
        "epochs": "problems are fresh, max_steps ends the run",
    }
    return {name: reasons[name] for name in OF_TRAINING if name in reasons and run.arm.used(name) is not None}


def _script(run: Run) -> str:
    if run.policy is None:
        raise misuse("trainer", f"{run.name} names no curriculum that TRL could draw from")
    low, high = run.clip
    settings: dict[str, object] = {
        "output_dir": run.name,
        "max_steps": run.steps * run.updates,
        "learning_rate": run.number("lr"),
        "lr_scheduler_type": run.arm.used("lr_schedule", "constant"),
        "weight_decay": run.arm.used("weight_decay", 0.01),
        "num_generations": run.group,
        "beta": run.number("kl", 0.0),
        "epsilon": low,
        "epsilon_high": high,
        "temperature": run.number("temperature", 1.0),
        "top_p": run.number("top_p", 1.0),
        "max_completion_length": int(run.number("response_tokens")),
        "loss_type": "grpo" if run.algorithm == "gspo" else "dapo",
        "importance_sampling_level": "sequence" if run.algorithm == "gspo" else "token",
        "scale_rewards": "none",
        "seed": run.seed,
        "logging_steps": 1,
        "save_steps": 50 * run.updates,
        "dataloader_num_workers": 0,
    }
    if run.arm.used("betas") is not None:
        settings["adam_beta1"], settings["adam_beta2"] = run.arm.used("betas")
    if run.arm.used("grad_clip") is not None:
        settings["max_grad_norm"] = run.arm.used("grad_clip")
    if run.arm.used("entropy"):
        settings["entropy_coef"] = run.arm.used("entropy")
    return _SCRIPT.format(
        name=run.name, batch=run.batch, group=run.group, updates=run.updates, model=run.rl_model, policy=run.policy,
        tasks=list(run.tasks), format=run.format, advantage=run.advantage, reward=run.reward,
        settings="".join(f"    {name}={value!r},\n" for name, value in settings.items()),
    )  # fmt: skip
