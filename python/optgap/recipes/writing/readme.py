"""The README of what was written: where its numbers are from, its price, what is left out, what was never run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .. import text
from ..price import price
from .run import OF_TRAINING, Run

_SEVERAL = {"trl": "TRL", "verl": "verl", "slime": "slime", "openrlhf": "OpenRLHF"}

_NOT_RUN = (
    "optgap's tests start this arm's settings for two steps on a random model of 40,000 parameters in TRL, on short prompts, and "
    "let verl's and OpenRLHF's own code read the settings of theirs; slime's command was held against its list of options by "
    "hand. **Nothing here has been run on a model of 0.5 B parameters or more**: no machine for that was at hand. Whether it "
    "reaches what the paper published is not known."
)


def page(run: Run, trainer: str, files: Sequence[str], left: Mapping[str, str]) -> str:
    """README.md."""
    arm = run.arm
    parts = [
        f"# {arm.recipe}, arm {arm.name}, in {_SEVERAL[trainer]}\n",
        f"{arm.about}. Written by `optgap recipe write`.\n",
    ]
    parts.append("```console\n" + "".join(f"{line}\n" for line in _commands(files)) + "```\n")
    parts.append(f"## What has not been run\n\n{_NOT_RUN}\n")
    if run.instead_of is not None:
        own = ", ".join(run.instead_of)
        parts.append(
            f"**The tasks are not the paper's**: {', '.join(run.tasks)} in place of {own}, paid by `{run.reward}`.\n"
        )
    chosen = [[name, text.shown(arm[name].used), arm[name].why or ""] for name in sorted(arm.settings)
              if arm[name].value is None and arm[name].chosen is not None]  # fmt: skip
    parts.append(
        "## What the paper does not state\n\n```\n" + text.aligned(["setting", "here", "because"], chosen) + "```\n"
    )
    if left:
        rows = [[name, text.shown(arm[name].used), why] for name, why in left.items()]
        parts.append(
            f"## What {_SEVERAL[trainer]} has no place for\n\n```\n"
            + text.aligned(["setting", "value", "why"], rows)
            + "```\n"
        )
    carried = [[name, text.shown(arm[name].value), arm[name].source] for name in OF_TRAINING
               if arm[name].value is not None and name not in left]  # fmt: skip
    parts.append(
        "## What is carried, as stated\n\n```\n" + text.aligned(["setting", "value", "source"], carried) + "```\n"
    )
    parts.append("## Price\n\n```\n" + text.of_price(price(arm)) + "```\n")
    return "\n".join(parts)


def _commands(files: Sequence[str]) -> list[str]:
    order = {"teacher.sh": "./teacher.sh", "sft.py": "accelerate launch sft.py", "sft.sh": "./sft.sh",
             "train.py": "accelerate launch train.py", "run.sh": "./run.sh"}  # fmt: skip
    return [command for name, command in order.items() if name in files]
