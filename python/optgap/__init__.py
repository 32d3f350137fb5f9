"""The optimality gap of what a language model answers, measured in bulk, next to the trainer.

    import optgap

    engine = optgap.Engine()
    instances = engine.generate("tsp", level="hard", count=8, seed=1)
    prompts = engine.prompts(instances)
    baselines = engine.solve(instances)
    scores = engine.score(instances, completions, baselines)   # .reward .advantage .quality .code ...

Importing this package loads nothing native, starts no thread and touches no GPU; the first name that is used loads the
extension module, the first Engine starts the threads.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

_HOME = {
    "Engine": "engine",
    "Error": "errors",
    "Key": "keys",
    "Task": "keys",
    "tasks": "keys",
    "format_fields": "keys",
    "formats": "keys",
    "Instances": "results",
    "InstanceSet": "results",
    "Answers": "results",
    "Verdicts": "results",
    "Baselines": "results",
    "Improvements": "results",
    "Scores": "results",
    "NO_OBJECTIVE": "results",
    "Scheduler": "scheduler",
    "Issued": "tickets",
    "Collected": "tickets",
    "CollectedRows": "tickets",
    "Posed": "tickets",
    "Questions": "tickets",
    "Score": "tickets",
    "Checked": "tickets",
    "str_span": "columns",
    "Curriculum": "curriculum",
    "Draws": "curriculum",
    "estimators": "keys",
    "shapes": "keys",
    "Statistics": "statistics",
    "Filling": "filling",
    "FillingBias": "filling",
    "FillingPlace": "filling",
    "GroupFilter": "statistics",
    "filter_groups": "statistics",
    "Twins": "twins",
    "Pool": "pool",
    "PoolDraws": "pool",
    "PoolQuestions": "pool",
    "PoolQuestionsReceived": "pool",
    "PoolStep": "pool",
    "PoolReceived": "pool",
    "PoolRewound": "pool",
    "PoolCurriculum": "pool.mixed",
    "MixedDraws": "pool.mixed",
    "proposer_prompt": "pool.mixed",
    "pool_rows": "pool.rows",
    "Gates": "roles",
    "Roles": "roles",
    "RoleStep": "roles",
    "RoleRow": "roles",
    "TextPrompts": "roles",
    "TextRoles": "roles",
    "read_questions": "roles",
    "problems": "programs",
    "ScoredColumns": "rows",
    "Scorer": "rows",
    "explain": "rows",
    "feedback": "rows",
    "score": "rows",
    "score_rows": "programs",
    "ProgramRunner": "programs.running",
    "ProgramScores": "programs.running",
    "ProgramScheduler": "programs.scheduling",
    "CollectedPrograms": "programs.scheduling",
}

if TYPE_CHECKING:
    from .columns import str_span as str_span
    from .curriculum import Curriculum as Curriculum, Draws as Draws
    from .engine import Engine as Engine
    from .errors import Error as Error
    from .filling import Filling as Filling, FillingBias as FillingBias, FillingPlace as FillingPlace
    from .keys import (
        Key as Key,
        Task as Task,
        estimators as estimators,
        format_fields as format_fields,
        formats as formats,
        shapes as shapes,
        tasks as tasks,
    )
    from .pool import (
        Pool as Pool,
        PoolDraws as PoolDraws,
        PoolQuestions as PoolQuestions,
        PoolQuestionsReceived as PoolQuestionsReceived,
        PoolReceived as PoolReceived,
        PoolRewound as PoolRewound,
        PoolStep as PoolStep,
    )
    from .pool.mixed import (
        MixedDraws as MixedDraws,
        PoolCurriculum as PoolCurriculum,
        proposer_prompt as proposer_prompt,
    )
    from .pool.rows import pool_rows as pool_rows
    from .programs import problems as problems, score_rows as score_rows
    from .programs.running import ProgramRunner as ProgramRunner, ProgramScores as ProgramScores
    from .programs.scheduling import CollectedPrograms as CollectedPrograms, ProgramScheduler as ProgramScheduler
    from .results import (
        NO_OBJECTIVE as NO_OBJECTIVE,
        Answers as Answers,
        Baselines as Baselines,
        Improvements as Improvements,
        Instances as Instances,
        InstanceSet as InstanceSet,
        Scores as Scores,
        Verdicts as Verdicts,
    )
    from .roles import (
        Gates as Gates,
        RoleRow as RoleRow,
        Roles as Roles,
        RoleStep as RoleStep,
        TextPrompts as TextPrompts,
        TextRoles as TextRoles,
        read_questions as read_questions,
    )
    from .rows import (
        ScoredColumns as ScoredColumns,
        Scorer as Scorer,
        explain as explain,
        feedback as feedback,
        score as score,
    )
    from .scheduler import Scheduler as Scheduler
    from .statistics import GroupFilter as GroupFilter, Statistics as Statistics, filter_groups as filter_groups
    from .tickets import (
        Checked as Checked,
        Collected as Collected,
        CollectedRows as CollectedRows,
        Issued as Issued,
        Posed as Posed,
        Questions as Questions,
        Score as Score,
    )
    from .twins import Twins as Twins

    __version__: str

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return importlib.import_module("optgap._native").version
    if name not in _HOME:
        raise AttributeError(f"module 'optgap' has no attribute '{name}'")
    value = getattr(importlib.import_module(f"optgap.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME, "__version__"])
