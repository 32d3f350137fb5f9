"""Proposers, solvers and judges of one model: what they are asked, earn and are compared by (docs/coevolution.md)."""

from __future__ import annotations

from .gates import Gates
from .judging import Judgements, JudgeReport, judge_report, reward_judges, read_judgements
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
    "reward_judges",
    "reward_proposers",
    "read_judgements",
]
