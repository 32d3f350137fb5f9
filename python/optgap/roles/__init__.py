"""Proposers, solvers and judges of one model: what they are asked, earn and are compared by (docs/coevolution.md)."""

from __future__ import annotations

import warnings
from typing import Any

from .gates import Gates
from .judging import Judgements, JudgeReport, judge_report, read_judgements, reward_judges
from .mae import MaeSettings, MaeStep, MultiAgentEvolve
from .proposers import cluster_questions, reward_proposers
from .roles import Roles
from .step import Asked, RoleRow, RoleStep

__all__ = [
    "Asked",
    "Gates",
    "JudgeReport",
    "Judgements",
    "MaeSettings",
    "MaeStep",
    "MultiAgentEvolve",
    "RoleRow",
    "RoleStep",
    "Roles",
    "cluster_questions",
    "judge_report",
    "read_judgements",
    "reward_judges",
    "reward_proposers",
]


def __getattr__(name: str) -> Any:
    if name not in ("pay_judges", "pay_proposers"):
        raise AttributeError(f"module 'optgap.roles' has no attribute {name!r}")
    current = name.replace("pay", "reward")
    warnings.warn(f"optgap.roles.{name} is {current} now", DeprecationWarning, stacklevel=2)
    return globals()[current]
