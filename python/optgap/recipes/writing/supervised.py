"""Supervised training: on a teacher's answers that passed a filter, on references, or on a policy's own answers."""

from __future__ import annotations

import math
import shlex

from ...core.errors import misuse
from .run import Run

_TEACHER = """#!/usr/bin/env bash
# {name}: {teacher} answers, and what it answered well becomes {rows} rows to imitate.
#
#   TEACHER_URL=http://localhost:8000/v1 TEACHER={teacher} ./teacher.sh
set -euo pipefail
cd "$(dirname "$0")"
{prompts}optgap bench-model --base-url "${{TEACHER_URL:?}}" --model "${{TEACHER:-{teacher}}}" --set prompts.jsonl --samples 1 \\
    --twins 0 --max-tokens {tokens} --out teacher --resume
optgap score teacher/rollouts.jsonl --quiet > scored.jsonl
optgap filter scored.jsonl --quality '{quality}' --max-per-task {each} > chosen.jsonl
optgap dataset --from chosen.jsonl --out sft.jsonl
"""

_SEED = 1 << 40
"""Where the teacher's problems begin, apart from what a run or an export draws first."""

_REFERENCES = """#!/usr/bin/env bash
# The data of {name}: prompts and their first references.
set -euo pipefail
cd "$(dirname "$0")"
python3 -m optgap.recipes.data imitate {pairs} --count {rows} --out sft.jsonl
"""

_POLICY = """#!/usr/bin/env bash
# The data of {name}: a policy's own answers. {which}
#
#   POLICY_URL=http://localhost:8000/v1 POLICY=the-policy ./data.sh
set -euo pipefail
cd "$(dirname "$0")"
python3 -m optgap.recipes.data ask {pairs} --base-url "${{POLICY_URL:?a server of the policy}}" --model "${{POLICY:?its name}}" \\
    --count {rows} --temperature 1.0 --max-tokens 1024 --out answers.jsonl
python3 -m optgap.recipes.data imitate answers.jsonl --out sft.jsonl
"""

_TRL = '''"""{name}: supervised training in TRL on sft.jsonl, which {source} writes."""

import os

from datasets import load_dataset
{imports}from trl import SFTConfig, SFTTrainer

SETTINGS = dict(
    output_dir="sft",
    learning_rate={lr!r},
    lr_scheduler_type={schedule!r},
    num_train_epochs={epochs},
    warmup_steps={warmup!r},
    max_length={tokens},
    per_device_train_batch_size={each},
    gradient_accumulation_steps={accumulation},
    seed={seed},
    logging_steps=1,
)


def trainer(model={model!r}, tokenizer=None, data="sft.jsonl", **changes):
    """The trainer, with `changes` to its settings."""
    rows = load_dataset("json", data_files=os.path.join(os.path.dirname(__file__), data), split="train")
    return SFTTrainer(
        model=model,
        processing_class=tokenizer,
        args=SFTConfig(**{{**SETTINGS, **changes}}),
        train_dataset=rows.select_columns("messages"),{lora}
    )


if __name__ == "__main__":
    run = trainer()
    run.train()
    run.save_model()
'''

_OPENRLHF = """#!/usr/bin/env bash
# {name}: supervised training in OpenRLHF on sft.jsonl, which {source} writes.
set -euo pipefail
cd "$(dirname "$0")"
deepspeed --module openrlhf.cli.train_sft --model.model_name_or_path {model} --data.dataset sft.jsonl --data.input_key messages \\
    --data.apply_chat_template --data.multiturn --data.max_len {tokens} --adam.lr {lr} --train.max_epochs {epochs} \\
    --lr_warmup_ratio {warmup} --train.micro_batch_size {each} --train.batch_size {batch} --ds.zero_stage 2 \\
    --ds.param_dtype bf16 --train.seed {seed} --ckpt.output_dir sft "$@"
"""

_SCHEDULE = "linear"
"""TRL's, where a recipe names none."""
_EACH, _DEVICES = 2, 8
"""Rows a device and devices, where a recipe says how large a batch is and not how it is made."""


def files(run: Run, trainer: str) -> dict[str, str]:
    """teacher.sh or data.sh, and sft.py or sft.sh."""
    if trainer not in ("trl", "openrlhf"):
        raise misuse(
            "trainer", f"supervised training is written for trl and openrlhf, {run.name} needs it before RL or alone"
        )
    arm = run.arm
    each, accumulation, batch = _batch(run)
    rank = arm.used("sft_lora_rank")
    if rank is not None and trainer != "trl":
        raise misuse("trainer", f"{run.name} trains with LoRA, which is written for trl")
    if arm.used("sft_schedule") not in (None, _SCHEDULE) and trainer != "trl":
        raise misuse("trainer", f"{run.name} has a schedule, {arm.used('sft_schedule')}, which is written for trl")
    said = {
        "name": run.name, "rows": int(run.number("sft_rows")), "model": run.model,
        "source": "teacher.sh" if "teacher" in arm.stages else "data.sh", "schedule": arm.used("sft_schedule", _SCHEDULE),
        "tokens": int(run.number("sft_tokens")), "lr": run.number("sft_lr"), "epochs": int(run.number("sft_epochs")),
        "warmup": run.number("sft_warmup"), "accumulation": accumulation, "seed": run.seed, "each": each, "batch": batch,
        "imports": "" if rank is None else "from peft import LoraConfig\n",
        "lora": "" if rank is None else f'\n        peft_config=LoraConfig(r={rank}, target_modules="all-linear", task_type="CAUSAL_LM"),',
    }  # fmt: skip
    name = "sft.py" if trainer == "trl" else "sft.sh"
    return {**_data(run), name: (_TRL if trainer == "trl" else _OPENRLHF).format(**said)}


def _batch(run: Run) -> tuple[int, int, int]:
    """Rows a device and pass, passes an update, and rows an update."""
    batch = run.arm.used("sft_batch")
    if batch is not None:
        return _EACH, math.ceil(batch / (_EACH * _DEVICES)), int(batch)
    each, accumulation = int(run.number("sft_batch_per_device")), int(run.number("sft_accumulation"))
    return each, accumulation, each * accumulation * int(run.number("sft_devices"))


def _data(run: Run) -> dict[str, str]:
    arm = run.arm
    if "teacher" in arm.stages:
        each = int(run.number("sft_rows_per_task"))
        return {"teacher.sh": _TEACHER.format(
            name=run.name, teacher=arm.used("teacher"), rows=int(run.number("sft_rows")), quality=arm.used("filter_quality"),
            tokens=int(run.number("sft_tokens")), each=each, prompts=_prompts(run, each * int(run.number("teacher_samples"))),
        )}  # fmt: skip
    said = {"name": run.name, "pairs": shlex.quote(str(run.brought.pairs)), "rows": int(run.number("sft_rows"))}
    if arm.used("sft_source") == "references":
        return {"data.sh": _REFERENCES.format(**said)}
    which = {"own-sft": "Serve what the arm sft-10k made.", "own-rlvrr": "Serve what the arm rlvrr made."}[arm.name]
    return {"data.sh": _POLICY.format(**said, which=which)}


def _prompts(run: Run, each: int) -> str:
    """Problems of the paper's three levels, in RL's shares."""
    lines = []
    for place, (level, share) in enumerate((("easy", 5), ("medium", 4), ("hard", 1))):
        count = -(-each * share // 10)
        lines.append(f"optgap generate {' '.join(run.tasks)} --level {level} --count {count} --seed {_SEED} --prompts --quiet "
                     f"{'>' if place == 0 else '>>'} prompts.jsonl\n")  # fmt: skip
    return "".join(lines)
