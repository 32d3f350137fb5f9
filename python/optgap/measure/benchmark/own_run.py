"""A run of `bench-model --problem`: asks, runs the programs, reports."""

from __future__ import annotations

import os
import shlex
from types import SimpleNamespace
from typing import Any

from ...core.engine import Engine
from ...core.errors import misuse
from ...core.files.run_folder import replace
from ...rows.programs import own
from .. import report as pages
from ..contests import read_standings
from . import own_problems, settings, shown
from .own_problems import OwnPart, OwnQuestions
from .sampling import Answers, Progress, sample

_ELSE = ("set", "suite", "level", "twins", "calibrate")
_SAMPLING = ("model", "temperature", "top_p", "max_tokens", "request_seed", "extra_body", "system")


def check(options: SimpleNamespace) -> None:
    """What has no effect here, or only here."""
    if not options.problem:
        for name in ("standings", "language", "instances", "slots"):
            if getattr(options, name) is not None:
                raise misuse(name, "has no effect without --problem: leave it out")
        return
    for name in _ELSE:
        if getattr(options, name):
            raise misuse(name, "has no effect beside --problem: leave it out")
    if options.tasks != ["all"]:
        raise misuse("tasks", "has no effect beside --problem: leave it out")
    if options.count is not None:
        raise misuse(
            "count", "has no effect beside --problem: --instances are the cases of each, --samples its programs"
        )


def run(
    options: SimpleNamespace, out: str, answers: Answers, engine: Engine, progress: Progress
) -> tuple[dict[str, Any], list[str]]:
    """Asks what is missing in `out` and writes report.json, .md and .html. Returns the report and the requests that failed."""
    standings = {} if options.standings is None else read_standings(options.standings)
    format = "program" if options.format == "auto" else options.format
    rows = own.rows(
        options.problem,
        language=options.language or "python",
        instances=options.instances,
        seed=options.seed or 1,
        format=format,
    )
    names = [row["problem"] for row in rows]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise misuse("problem", f"{twice} is there twice")
    samples = options.samples or 4
    found: dict[str, Any] = {
        **{name: getattr(options, name) for name in _SAMPLING}, "problems": names, "format": format, "samples": samples,
        "language": options.language or "python", "instances": options.instances, "seed": options.seed or 1,
        "standings": options.standings,
    }  # fmt: skip
    settings.begin(out, found)
    part = OwnPart(OwnQuestions(rows), samples, os.path.join(out, "rollouts.jsonl"))
    part.resume()
    sample(answers, [part], options.request_seed, options.system, progress)  # type: ignore[list-item]
    scored = part.run(engine, options.isolation or "auto", options.slots or 0)
    command = shlex.join(["optgap", *options.words])
    made = own_problems.report({**found, "command": command}, part, scored, standings)
    replace(os.path.join(out, "report.json"), own_problems.dumped(made))
    described = own_problems.page(made)
    replace(os.path.join(out, "report.md"), pages.markdown(described))
    replace(os.path.join(out, "report.html"), pages.html(described))
    return made, part.failures


def table(made: dict[str, Any]) -> str:
    """For the terminal."""
    said = shown.aligned(own_problems.shown(made))
    if made["rating"] is not None:
        said += f"rating {made['rating']:.0f}\n"
    broken = [f"{one['problem']}: {one['error']}\n" for one in made["problems"] if one["error"]]
    left = [f"not asked: {', '.join(made['missing'])}\n"] if made["missing"] else []
    return said + "".join(broken + left)
