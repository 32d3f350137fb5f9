"""Data sets as trainers and environments read them: the command line of optgap.data.dataset."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Callable
from typing import Any

from ..core.engine import Engine
from ..core.errors import misuse, one_of
from ..data import dataset
from ..measure.benchmark.bar import Bar
from ..rows.external.naming import adopt, is_outside
from . import Options


def _style(text: str) -> int | str:
    if text in ("all", "drawn"):
        return text
    if not text.isdecimal():
        raise misuse("style", f"is {text!r}, expected a number, all or drawn")
    return int(text)


def _settle(options: Options) -> None:
    """Trainer and format, also of the old spelling `--format TRAINER --answer-format F`."""
    if options.curriculum is not None:
        raise misuse(
            "curriculum",
            "cannot work here: a file's levels are fixed before the run, a curriculum chooses them in it. TRL, slime and verl "
            "take one in place of a file (docs/trainers.md); OpenRLHF, which trains from a file, does not",
        )
    old = options.trainer is None and options.format in dataset.TRAINERS
    if old:
        options.trainer, options.format = options.format, None
    if options.answer_format is not None:
        if options.format is not None:
            raise misuse("format", "is given twice: --answer-format is its old name")
        options.format = options.answer_format
    if old or options.answer_format is not None:
        print("optgap: dataset --format TRAINER --answer-format F is now --trainer TRAINER --format F", file=sys.stderr)
    if options.trainer is None:
        raise misuse("trainer", f"is missing, expected --trainer with one of {', '.join(dataset.TRAINERS)}")
    one_of("trainer", options.trainer, dataset.TRAINERS)
    if options.problem:
        _settle_own(options)
        return
    if not options.tasks:
        raise misuse("task", "is missing, expected a task, or --problem with a folder")
    if options.level is None and options.difficulty is None:
        raise misuse("level", "is missing, expected --level or --difficulty")
    for name in ("language", "instances", "limits", "input", "interface"):
        if options.candidate == "answer" and getattr(options, name) is not None:
            raise misuse(name, "has no effect without --candidate program")
    if options.candidate == "program" and options.keep_relabelled:
        raise misuse("keep_relabelled", "has no effect with --candidate program: instances are told by their words")
    environments = any(map(is_outside, options.tasks))
    if options.candidate == "program" and environments:
        raise misuse("candidate", "is program, and environments ask for answers")
    if not environments and (options.trusted or options.isolation):
        raise misuse("trusted" if options.trusted else "isolation", "belongs to environments, such as FILE.py:CLASS")
    options.format = options.format or {"answer": "forge", "program": "program"}[options.candidate]


_OWN = ("instances", "language")
_NOT_OWN: dict[str, Any] = {
    "tasks": [], "level": None, "difficulty": None, "limits": None, "input": None, "interface": None, "style": "0", "budget": -1,
    "baselines": None, "held_out": 1024, "held_out_tasks": [], "exclude": [], "keep_relabelled": False, "candidate": "answer",
}  # fmt: skip
"""Options that say nothing of a user's own problem, and their defaults."""


def _settle_own(options: Options) -> None:
    for name, usual in _NOT_OWN.items():
        if getattr(options, name) != usual:
            raise misuse(name, "has no effect beside --problem: leave it out")
    options.format = options.format or "program"


def _export_own(options: Options) -> int:
    from ..rows.programs import own

    given = {name: getattr(options, name) for name in _OWN if getattr(options, name) is not None}
    report = own.export(
        options.out, options.trainer, options.problem, count=options.count, seed=options.seed or 1, split=options.split,
        format=options.format, system=options.system, max_prompt_chars=options.max_prompt_chars, **given,
    )  # fmt: skip
    if options.json:
        print(json.dumps(dataclasses.asdict(report)), file=sys.stderr if options.out == "-" else sys.stdout)
    elif not options.quiet:
        print(f"optgap: {options.out}: {report}", file=sys.stderr)
    return 0


def run(options: Options) -> int:
    _settle(options)
    if options.problem:
        return _export_own(options)
    is_program = options.candidate == "program"
    bar = Bar("dataset", "problems" if is_program else "instances")
    export: Callable[..., dataset.Report] = dataset.export
    more: dict[str, Any] = {}
    if not is_program:
        more["keep_relabelled"] = options.keep_relabelled
    else:
        from ..rows.programs import dataset as of_programs

        export = of_programs.export

        given = {name: getattr(options, name) for name in ("language", "instances", "limits", "input", "interface")}
        more = {name: value for name, value in given.items() if value is not None}
    options.tasks = adopt(options.tasks, trusted=options.trusted, isolation=options.isolation)
    engine = Engine(options.device, options.threads, baselines=options.baselines)
    report = export(
        options.out,
        options.trainer,
        options.tasks,
        options.difficulty if options.level is None else options.level,
        options.count,
        seed=options.seed,
        split=options.split,
        format=options.format,
        style=_style(options.style),
        system=options.system,
        budget=options.budget,
        held_out=options.held_out,
        held_out_tasks=options.held_out_tasks,
        exclude=options.exclude,
        max_prompt_chars=options.max_prompt_chars,
        engine=engine,
        progress=None if options.quiet else bar,
        **more,
    )
    bar.clear()
    if options.json:
        print(json.dumps(dataclasses.asdict(report)), file=sys.stderr if options.out == "-" else sys.stdout)
    elif not options.quiet:
        print(f"optgap: {options.out}: {report}", file=sys.stderr)
        if engine.snapshot is not None:
            print(f"optgap: {engine.snapshot.status()}", file=sys.stderr)
    return 0
