"""Proposers, solvers and judges of one model: what they are asked, earn and are compared by (docs/coevolution.md)."""

from __future__ import annotations

import warnings
from typing import Any

from .gates import Gates
from .judging import Judgements, JudgeReport, judge_report, read_judgements, reward_judges
from .proposers import cluster_questions, reward_proposers
from .roles import Roles
from .step import Asked, RoleRow, RoleStep
from .text_prompts import TextPrompts, read_questions
from .text_roles import TextRoles

__all__ = [
    "Asked",
    "Gates",
    "JudgeReport",
    "Judgements",
    "RoleRow",
    "RoleStep",
    "Roles",
    "TextPrompts",
    "TextRoles",
    "cluster_questions",
    "judge_report",
    "read_judgements",
    "read_questions",
    "reward_judges",
    "reward_proposers",
]


def __getattr__(name: str) -> Any:
    if name in ("MaeSettings", "MaeStep", "MultiAgentEvolve"):
        raise AttributeError(
            f"optgap.roles.{name} is gone: optgap.TextRoles keeps its questions in a pool (docs/migration.md)"
        )
    if name not in ("pay_judges", "pay_proposers"):
        raise AttributeError(f"module 'optgap.roles' has no attribute {name!r}")
    current = name.replace("pay", "reward")
    warnings.warn(f"optgap.roles.{name} is {current} now", DeprecationWarning, stacklevel=2)
    return globals()[current]
