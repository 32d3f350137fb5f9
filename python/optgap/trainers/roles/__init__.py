"""Proposers, solvers and judges of one model: what they are asked, earn and are compared by (docs/coevolution.md)."""

from __future__ import annotations

from typing import Any

from ..._former import attributes
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

_FORMER = attributes(__name__, {"pay_judges": "reward_judges", "pay_proposers": "reward_proposers"})


def __getattr__(name: str) -> Any:
    if name in ("MaeSettings", "MaeStep", "MultiAgentEvolve"):
        gone = "is gone: optgap.TextRoles keeps its questions in a pool (docs/migration.md)"
        raise AttributeError(f"{__name__}.{name} {gone}")
    return _FORMER(name)
