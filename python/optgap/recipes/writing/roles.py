"""Roles: what a run in which one model poses, solves and judges settles, whichever trainer it is in."""

from __future__ import annotations

import math
from typing import Any

from .run import Run

SOLVER = {"shape": "weighted", "weights": {"optimal": 0.5, "format": 0.5}}
"""The paper's half for the judge and half for the format, with proof in the judge's place."""
NOT_THE_PAPERS = (
    "**Questions are instances of optgap's tasks, not free text**: what a proposer poses passes gates and is proven, which stands in "
    "place of the quality filter; proof stands in the judge's place in the solver's reward; a judge is rewarded for its format alone, as "
    "in the paper. A prompt is answered {group} times, as many as the paper's difficulty takes, so that a batch of {batch} texts of a "
    "role is {rows} prompts; the paper's rollouts are one a prompt."
)


ON_FREE_TEXT = (
    "**Seed questions are yours**: the first {seeds} of your file. Questions of equal words come into the pool once; the paper's "
    "code keeps copies. A prompt is answered {group} times, as many as the paper's difficulty takes, so that a batch of {batch} "
    "texts of a role is {rows} prompts; the paper's rollouts are one a prompt."
)


def group(run: Run) -> int:
    """Answers to each prompt: difficulty needs several."""
    return int(run.number("answers_per_question"))


def each(run: Run) -> int:
    """Rows of each role in a step: about the paper's batch of texts."""
    return math.ceil(run.batch / group(run))


def judges(run: Run) -> int:
    """Rows of judges; Absolute Zero has none."""
    return 0 if run.arm.used("proposer_reward") == "azr" else each(run)


def prompts(run: Run) -> int:
    """Rows of a step."""
    return 2 * each(run) + judges(run)


def seeds(run: Run) -> int:
    """Instances of each task in the pool at the start, in place of seed questions."""
    return max(1, math.ceil(int(run.number("seed_questions")) / len(run.tasks)))


def options(run: Run) -> dict[str, Any]:
    """Of optgap.TextRoles or of optgap.Roles."""
    if run.has_free_text:
        return {
            "proposer": run.arm.used("proposer_reward"), "quality": float(run.number("pool_quality")),
            "form": bool(run.arm.used("format_reward", True)), "samples": int(run.number("answers_per_question")),
            "judgements": int(run.number("judgements_per_answer")), "reference_share": float(run.number("reference_share")),
            "advantage": run.advantage,
        }  # fmt: skip
    return {
        "proposer": run.arm.used("proposer_reward"), "solver": SOLVER, "judge": "format", "format": run.format,
        "reference_share": float(run.number("reference_share")), "advantage": run.advantage,
    }  # fmt: skip


def remark(run: Run) -> str:
    """For the README."""
    if run.has_free_text:
        return ON_FREE_TEXT.format(
            group=group(run), batch=run.batch, rows=each(run), seeds=run.number("seed_questions")
        )
    said = NOT_THE_PAPERS.format(group=group(run), batch=run.batch, rows=each(run))
    if run.arm.used("proposer_reward") == "azr":
        said += " Absolute Zero poses programs; here its rewards are rewarded on instances."
    return said
