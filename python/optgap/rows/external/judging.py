"""Asks environments about the answers of rows, for the native scorer: the other side of host/rows/external/environment_judge.hpp.

The process keeps their workers between requests. Messages are those of optgap.kinds.worker.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ...core.errors import Error
from ...kinds.worker import serve
from .naming import adopt
from .own_pool import workers
from .problems import ExternalProblem, read
from .rewarding import judgements


def main(argument: str) -> None:
    """Serves until the socket ends. `argument`: JSON of `environments`, names with commas, and `trusted`."""
    given = json.loads(argument)

    def greeting() -> dict[str, Any]:
        try:
            tasks = adopt([name.strip() for name in given["environments"].split(",")], trusted=given["trusted"])
            for task in tasks:
                workers().settings.source(task)
        except Error as why:
            raise ValueError(str(why)) from None
        _named.update(tasks)
        return {}

    serve(greeting, lambda request, _columns: {"verdicts": verdicts(request["rows"])})


_named: set[str] = set()
"""Tasks whose environments the user named, perhaps `rg/*`."""


def verdicts(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What each row has as `external`, perhaps `accepts_empty`; or its `error`."""
    asked: list[ExternalProblem | dict[str, str]] = [_asked(row) for row in rows]
    known = [row for row, one in enumerate(asked) if isinstance(one, ExternalProblem)]
    answers = [None if rows[row]["answer"] is None else rows[row]["answer"].strip() for row in known]
    problems = [one for one in asked if isinstance(one, ExternalProblem)]
    found: list[dict[str, Any]] = [{"error": one} for one in asked]
    for row, answer, (said, _) in zip(known, answers, judgements(workers(), problems, answers)):
        # Only an environment that accepts an empty answer was asked about one.
        found[row] = {"external": said} if answer or "code" in said else {"external": said, "accepts_empty": True}
    return found


def _asked(row: Mapping[str, Any]) -> ExternalProblem | dict[str, str]:
    try:
        problem = read({"key": row["key"], "problem": row["problem"]})
    except (Error, ValueError) as why:
        return {"field": "problem", "rule": str(why)}
    task = problem.key.task
    if task in _named or f"{task.partition('/')[0]}/*" in _named:
        return problem
    return {"field": "key", "rule": f"names {task}, which is none of --environments: {', '.join(sorted(_named))}"}
