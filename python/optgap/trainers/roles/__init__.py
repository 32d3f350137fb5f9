"""Proposers, solvers and judges of one model: what they are asked, earn and are compared by (docs/coevolution.md)."""

from __future__ import annotations

from ..._former import attributes
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

__getattr__ = attributes(__name__, {"pay_judges": "reward_judges", "pay_proposers": "reward_proposers"})
