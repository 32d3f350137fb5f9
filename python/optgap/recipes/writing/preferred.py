"""Direct preference optimisation: the best and the worst of a policy's answers by their rubrics, and TRL's DPOTrainer."""

from __future__ import annotations

import math
import shlex

from ...core.errors import misuse
from . import rows
from .run import Run

_DATA = """#!/usr/bin/env bash
# The data of {name}: {answers} answers of the policy to each prompt, of which the best and the worst by the rubric are a pair.
#
#   POLICY_URL=http://localhost:8000/v1 POLICY={model} ./data.sh
set -euo pipefail
cd "$(dirname "$0")"
{rubrics}[[ -f answers.jsonl ]] || python3 -m optgap.recipes.data ask {file} --base-url "${{POLICY_URL:?a server of the policy}}" \\
    --model "${{POLICY:-{model}}}" --count {count} --samples {answers} --temperature 1.0 --max-tokens 1024 --out answers.jsonl
optgap score answers.jsonl --rubric-preset {preset} --isolation auto --quiet > scored.jsonl
python3 -m optgap.recipes.data prefer scored.jsonl --out preferences.jsonl
"""

_TRL = '''"""{name}: direct preference optimisation in TRL on preferences.jsonl, which data.sh writes."""

import os

from datasets import load_dataset
from trl import DPOConfig, DPOTrainer

SETTINGS = dict(
    output_dir={name!r},
    learning_rate={lr!r},
    beta={beta!r},
    num_train_epochs={epochs},
    max_length={tokens},
    per_device_train_batch_size={each},
    gradient_accumulation_steps={accumulation},
    seed={seed},
    logging_steps=1,
)


def trainer(model={model!r}, tokenizer=None, data="preferences.jsonl", **changes):
    """The trainer, with `changes` to its settings."""
    rows = load_dataset("json", data_files=os.path.join(os.path.dirname(os.path.abspath(__file__)), data), split="train")
    return DPOTrainer(model=model, processing_class=tokenizer, args=DPOConfig(**{{**SETTINGS, **changes}}), train_dataset=rows)


if __name__ == "__main__":
    run = trainer()
    run.train()
    run.save_model()
'''

_EACH, _DEVICES = 2, 8
"""Pairs a device, and devices."""


def files(run: Run, trainer: str) -> dict[str, str]:
    """data.sh and dpo.py."""
    if trainer != "trl":
        raise misuse("trainer", f"direct preference optimisation is written for trl, and {run.name} is that")
    rubrics, file = rows.rubrics(run)
    said = {
        "name": run.name, "model": run.model, "answers": int(run.number("dpo_answers")), "rubrics": rubrics, "file": shlex.quote(file),
        "preset": run.arm.used("preset"), "count": int(run.number("instances")), "lr": run.number("lr"),
        "beta": run.number("dpo_beta"), "epochs": int(run.number("epochs")), "tokens": int(run.number("sft_tokens")),
        "each": _EACH, "accumulation": math.ceil(run.batch / (_EACH * _DEVICES)), "seed": run.seed,
    }  # fmt: skip
    return {"data.sh": _DATA.format(**said), "dpo.py": _TRL.format(**said)}
