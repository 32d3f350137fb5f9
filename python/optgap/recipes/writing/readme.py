"""The README of what was written: where its numbers are from, its price, what is left out, what was never run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .. import text
from ..price import price
from . import roles
from .run import OF_TRAINING, Run

_SEVERAL = {"trl": "TRL", "verl": "verl", "slime": "slime", "openrlhf": "OpenRLHF"}

_NOT_RUN = (
    "optgap's tests start one run of each kind of settings for two steps on a random model of 40,000 parameters in TRL, on short "
    "prompts, and let verl's and OpenRLHF's own code read the settings of theirs; slime's command was held against its list of options "
    "by hand. **Nothing here has been run on a model of 0.5 B parameters or more**: no machine for that was at hand. Whether it "
    "reaches what the paper published is not known."
)

_KINDS = {
    "programs": "**Of the paper's twelve contests three are here**: {tasks}. Instances are optgap's, drawn by its own generators.",
    "rubrics": "Texts are rewarded by rubrics of the user's pairs (`optgap rubric make` writes them with its own prompts, which are not the "
    "paper's) under the preset `{preset}`.",
    "maths": "Mathematics is the user's file; math-verify finds the answer (`pip install 'math-verify[antlr4-13-2]'`).",
    "judged": "The judge's rubric is optgap's own (`optgap.recipes.rewarding.Judge.PROMPT`); the paper's is not published.",
    "modelled": "The reward model is loaded in the trainer's process.",
    "likely": "RLPR's reward as its authors define it: the reference's mean probability behind the reasoning, less that without. Its "
    "filter by standard deviation is left out.",
}
"""What is not the paper's, by what the arm trains on."""


def page(run: Run, trainer: str | None, files: Sequence[str], left: Mapping[str, str]) -> str:
    """README.md."""
    arm = run.arm
    where = "" if trainer is None else f", in {_SEVERAL[trainer]}"
    parts = [
        f"# {arm.recipe}, arm {arm.name}{where}\n",
        f"{arm.about}. Written by `optgap recipe write`.\n",
        "```console\n" + "".join(f"{line}\n" for line in _commands(files)) + "```\n",
        f"## What has not been run\n\n{_NOT_RUN}\n",
        *_not_the_papers(run),
    ]
    chosen = [[name, text.shown(arm[name].used), arm[name].why or ""] for name in sorted(arm.settings)
              if arm[name].value is None and arm[name].chosen is not None]  # fmt: skip
    if chosen:
        parts.append(_table("What the paper does not state", ["setting", "here", "because"], chosen))
    if left and trainer is not None:
        rows = [[name, text.shown(arm[name].used), why] for name, why in left.items()]
        parts.append(_table(f"What {_SEVERAL[trainer]} has no place for", ["setting", "value", "why"], rows))
    carried = [[name, text.shown(arm[name].value), arm[name].source] for name in OF_TRAINING
               if arm[name].value is not None and name not in left]  # fmt: skip
    if arm.stages:
        parts.append(_table("What is carried, as stated", ["setting", "value", "source"], carried))
    parts.append("## Evaluation\n\n" + _evaluation(run))
    parts.append("## Price\n\n```\n" + text.of_price(price(arm)) + "```\n")
    return "\n".join(parts)


def _not_the_papers(run: Run) -> list[str]:
    said = []
    if run.instead_of is not None:
        own = ", ".join(run.instead_of)
        rewarded = f", rewarded by `{run.reward}`" if run.arm.stages else ""
        said.append(f"**The tasks are not the paper's**: {', '.join(run.tasks)} in place of {own}{rewarded}.\n")
    if "rl" in run.arm.stages:
        for kind in run.kinds:
            if kind == "roles":
                said.append(roles.remark(run) + "\n")
            elif kind in _KINDS:
                said.append(_KINDS[kind].format(tasks=", ".join(run.tasks), preset=run.arm.used("preset")) + "\n")
    if run.brought.checkout is not None:
        said.append("**RLVE's environments run as you, with network and files**, in worker processes, unless `OPTGAP_EXTERNAL` says "
                    "otherwise: an isolation level of the sandbox holds them, too (docs/external.md). Their answers stand in optgap's format.\n")  # fmt: skip
    return said


def _evaluation(run: Run) -> str:
    arm = run.arm
    stated, sampling = arm.used("evaluation", "not stated"), arm.used("evaluation_sampling", "not stated")
    return (f"The paper: {stated}. Sampling: {sampling}.\n\n`evaluate.sh` measures what optgap and lm-evaluation-harness have of it, "
            "by their own prompts; the rest has programs of its own, which are not written here.\n")  # fmt: skip


def _table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return f"## {title}\n\n```\n" + text.aligned(columns, rows) + "```\n"


def _commands(files: Sequence[str]) -> list[str]:
    order = {"teacher.sh": "./teacher.sh", "data.sh": "./data.sh", "sft.py": "accelerate launch sft.py", "sft.sh": "./sft.sh",
             "dpo.py": "accelerate launch dpo.py", "train.py": "accelerate launch train.py", "run.sh": "./run.sh",
             "evaluate.sh": "BASE_URL=http://localhost:8000/v1 ./evaluate.sh"}  # fmt: skip
    return [command for name, command in order.items() if name in files]
