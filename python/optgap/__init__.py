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
import sys

TYPE_CHECKING = False  # typing is not loaded

_HOME = {
    "Engine": "core.engine",
    "Error": "core.errors",
    "Key": "core.keys",
    "Task": "core.keys",
    "tasks": "core.keys",
    "format_fields": "core.keys",
    "formats": "core.keys",
    "Instances": "core.results",
    "InstanceSet": "core.results",
    "Answers": "core.results",
    "Verdicts": "core.results",
    "Baselines": "core.results",
    "Improvements": "core.results",
    "Scores": "core.results",
    "NO_OBJECTIVE": "core.results",
    "Scheduler": "core.scheduler",
    "Issued": "core.tickets",
    "Collected": "core.tickets",
    "CollectedRows": "core.tickets",
    "Posed": "core.tickets",
    "Questions": "core.tickets",
    "Score": "core.tickets",
    "Checked": "core.tickets",
    "str_span": "core.columns",
    "Curriculum": "core.curriculum",
    "Draws": "core.curriculum",
    "Episode": "environments",
    "Turn": "environments",
    "estimators": "core.keys",
    "load_kinds": "core.keys",
    "shapes": "core.keys",
    "Statistics": "measure.statistics",
    "Filling": "measure.filling",
    "FillingBias": "measure.filling",
    "FillingPlace": "measure.filling",
    "GroupFilter": "measure.statistics",
    "filter_groups": "measure.statistics",
    "Twins": "core.twins",
    "Pool": "trainers.pool",
    "PoolDraws": "trainers.pool",
    "PoolQuestions": "trainers.pool",
    "PoolQuestionsReceived": "trainers.pool",
    "PoolStep": "trainers.pool",
    "PoolReceived": "trainers.pool",
    "PoolRewound": "trainers.pool",
    "PoolCurriculum": "trainers.pool.mixed",
    "MixedDraws": "trainers.pool.mixed",
    "proposer_prompt": "trainers.pool.mixed",
    "pool_rows": "trainers.pool.rows",
    "Gates": "trainers.roles",
    "Roles": "trainers.roles",
    "RoleStep": "trainers.roles",
    "RoleRow": "trainers.roles",
    "TextPrompts": "trainers.roles",
    "TextRoles": "trainers.roles",
    "read_questions": "trainers.roles",
    "problems": "rows.programs",
    "ScoredColumns": "rows",
    "Scorer": "rows",
    "explain": "rows",
    "feedback": "rows",
    "score": "rows",
    "score_rows": "rows.programs",
    "ProgramRunner": "rows.programs.running",
    "ProgramScores": "rows.programs.running",
    "ProgramScheduler": "rows.programs.scheduling",
    "CollectedPrograms": "rows.programs.scheduling",
}

if TYPE_CHECKING:
    from typing import Any

    from .core.columns import str_span as str_span
    from .core.curriculum import Curriculum as Curriculum, Draws as Draws
    from .core.engine import Engine as Engine
    from .core.errors import Error as Error
    from .core.keys import (
        Key as Key,
        Task as Task,
        estimators as estimators,
        format_fields as format_fields,
        formats as formats,
        load_kinds as load_kinds,
        shapes as shapes,
        tasks as tasks,
    )
    from .core.results import (
        NO_OBJECTIVE as NO_OBJECTIVE,
        Answers as Answers,
        Baselines as Baselines,
        Improvements as Improvements,
        Instances as Instances,
        InstanceSet as InstanceSet,
        Scores as Scores,
        Verdicts as Verdicts,
    )
    from .core.scheduler import Scheduler as Scheduler
    from .core.tickets import (
        Checked as Checked,
        Collected as Collected,
        CollectedRows as CollectedRows,
        Issued as Issued,
        Posed as Posed,
        Questions as Questions,
        Score as Score,
    )
    from .core.twins import Twins as Twins
    from .environments import Episode as Episode, Turn as Turn
    from .measure.filling import Filling as Filling, FillingBias as FillingBias, FillingPlace as FillingPlace
    from .measure.statistics import GroupFilter as GroupFilter, Statistics as Statistics, filter_groups as filter_groups
    from .rows import (
        ScoredColumns as ScoredColumns,
        Scorer as Scorer,
        explain as explain,
        feedback as feedback,
        score as score,
    )
    from .rows.programs import problems as problems, score_rows as score_rows
    from .rows.programs.running import ProgramRunner as ProgramRunner, ProgramScores as ProgramScores
    from .rows.programs.scheduling import CollectedPrograms as CollectedPrograms, ProgramScheduler as ProgramScheduler
    from .trainers.pool import (
        Pool as Pool,
        PoolDraws as PoolDraws,
        PoolQuestions as PoolQuestions,
        PoolQuestionsReceived as PoolQuestionsReceived,
        PoolReceived as PoolReceived,
        PoolRewound as PoolRewound,
        PoolStep as PoolStep,
    )
    from .trainers.pool.mixed import (
        MixedDraws as MixedDraws,
        PoolCurriculum as PoolCurriculum,
        proposer_prompt as proposer_prompt,
    )
    from .trainers.pool.rows import pool_rows as pool_rows
    from .trainers.roles import (
        Gates as Gates,
        RoleRow as RoleRow,
        Roles as Roles,
        RoleStep as RoleStep,
        TextPrompts as TextPrompts,
        TextRoles as TextRoles,
        read_questions as read_questions,
    )

    __version__: str

__all__ = sorted(_HOME)


class _FormerNames:
    """Leads imports of modules by their former names to optgap._former, which no other import needs. It stands before Python's
    own finders: a package that moved would lead them to its files again, and they would load them twice."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> Any:
        if not name.startswith("optgap.") or name == "optgap._former":
            return None
        from ._former import find_spec

        return find_spec(name)


sys.meta_path.insert(0, _FormerNames)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return importlib.import_module("optgap._native").version
    if name not in _HOME:
        from ._former import MODULES

        if f"optgap.{name}" in MODULES:
            return importlib.import_module(f"optgap.{name}")
        raise AttributeError(f"module 'optgap' has no attribute '{name}'")
    value = getattr(importlib.import_module(f"optgap.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME, "__version__"])
