"""The stages before RL: a teacher's answers, the filter, supervised training."""

from __future__ import annotations

from ...errors import misuse
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

_TRL = '''"""{name}: supervised training in TRL on sft.jsonl, which teacher.sh writes."""

import os

from datasets import load_dataset
from trl import SFTConfig, SFTTrainer

SETTINGS = dict(
    output_dir="sft",
    learning_rate={lr!r},
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
        train_dataset=rows.select_columns("messages"),
    )


if __name__ == "__main__":
    run = trainer()
    run.train()
    run.save_model()
'''

_OPENRLHF = """#!/usr/bin/env bash
# {name}: supervised training in OpenRLHF on sft.jsonl, which teacher.sh writes.
set -euo pipefail
cd "$(dirname "$0")"
deepspeed --module openrlhf.cli.train_sft --model.model_name_or_path {model} --data.dataset sft.jsonl --data.input_key messages \\
    --data.apply_chat_template --data.multiturn --data.max_len {tokens} --adam.lr {lr} --train.max_epochs {epochs} \\
    --lr_warmup_ratio {warmup} --train.micro_batch_size {each} --train.batch_size {batch} --ds.zero_stage 2 \\
    --ds.param_dtype bf16 --train.seed {seed} --ckpt.output_dir sft "$@"
"""


def files(run: Run, trainer: str) -> dict[str, str]:
    """teacher.sh, and sft.py or sft.sh."""
    if trainer not in ("trl", "openrlhf"):
        raise misuse(
            "trainer", f"supervised training is written for trl and openrlhf, {run.name} needs it before RL or alone"
        )
    arm = run.arm
    each, accumulation = int(run.number("sft_batch_per_device")), int(run.number("sft_accumulation"))
    said = {
        "name": run.name, "teacher": arm.used("teacher"), "rows": int(run.number("sft_rows")),
        "quality": arm.used("filter_quality"), "model": run.model,
        "tokens": int(run.number("sft_tokens")), "lr": run.number("sft_lr"), "epochs": int(run.number("sft_epochs")),
        "warmup": run.number("sft_warmup"), "accumulation": accumulation, "seed": run.seed,
        "batch": each * accumulation * int(run.number("sft_devices")),
    }  # fmt: skip
    per_task = int(run.number("sft_rows_per_task"))
    content = _TRL.format(**said, each=each) if trainer == "trl" else _OPENRLHF.format(**said, each=each)
    return {
        "teacher.sh": _TEACHER.format(
            **said, each=per_task, prompts=_prompts(run, per_task * int(run.number("teacher_samples")))
        ),
        ("sft.py" if trainer == "trl" else "sft.sh"): content,
    }


def _prompts(run: Run, each: int) -> str:
    """Problems of the paper's three levels, in RL's shares."""
    lines = []
    for place, (level, share) in enumerate((("easy", 5), ("medium", 4), ("hard", 1))):
        count = -(-each * share // 10)
        lines.append(f"optgap generate {' '.join(run.tasks)} --level {level} --count {count} --seed {_SEED} --prompts --quiet "
                     f"{'>' if place == 0 else '>>'} prompts.jsonl\n")  # fmt: skip
    return "".join(lines)
