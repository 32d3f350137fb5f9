"""Data sets as verl, TRL, OpenRLHF and slime read them: the command line of optgap.dataset."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Callable
from typing import Any

from .. import dataset
from ..benchmark.bar import Bar
from ..engine import Engine
from ..errors import misuse


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tasks", nargs="+", metavar="TASK", help="tasks as NAME or NAME@VERSION, or all")
    parser.add_argument("--trainer", choices=list(dataset.TRAINERS), help="who reads it")
    parser.add_argument("--format", metavar="F",
                        help="what prompts ask for: a name of `optgap formats` or JSON (default forge; of programs program)")  # fmt: skip
    parser.add_argument("--candidate", default="answer", choices=("answer", "program"),
                        help="what a completion holds (default %(default)s; docs/programs.md)")  # fmt: skip
    parser.add_argument("--language", choices=("python", "cpp"), help="of programs (default python)")
    parser.add_argument(
        "--instances", type=int, metavar="K", help="hidden instances of a problem of programs (default 10)"
    )
    parser.add_argument(
        "--limits", metavar="L", help="of programs: train, river, ahc or JSON over one of them (default train)"
    )
    parser.add_argument("--input", choices=("json", "plain"),
                        help="what programs read (default json in Python, plain numbers in C++)")  # fmt: skip
    parser.add_argument("--interface", choices=("stdio", "solve"),
                        help="of programs: stdio, or a function solve in Python (default stdio)")  # fmt: skip
    level = parser.add_mutually_exclusive_group(required=True)
    level.add_argument("--level", help="easy, medium, hard, benchmark or dN")
    level.add_argument("--difficulty", type=int, metavar="N", help="step of the task's ladder: the same as --level dN")
    parser.add_argument(
        "--count", type=int, default=1000, help="instances, or problems of programs, per task (default %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=0, help="the first seed (default %(default)s)")
    parser.add_argument("--split", default="train", help="train or val (default %(default)s); test is refused")
    parser.add_argument("--out", required=True, metavar="FILE", help="FILE.parquet or FILE.jsonl; - is JSONL on stdout")
    parser.add_argument("--answer-format", help=argparse.SUPPRESS)
    parser.add_argument("--style", default=0, type=_style,
                        help="prompt style; all: a row of each; drawn: one per row, by its key")  # fmt: skip
    parser.add_argument("--system", metavar="TEXT", help="a system message before the prompt")
    parser.add_argument("--budget", type=int, default=-1, help="steps per baseline; -1 is the task's default")
    parser.add_argument(
        "--baselines",
        metavar="SNAPSHOT",
        help="take baselines from what `optgap store snapshot` made, and solve the rest",
    )
    parser.add_argument(
        "--held-out",
        type=int,
        default=dataset.HELD_OUT,
        metavar="N",
        help="leave out instances of the first N seeds of val and test (default %(default)s)",
    )
    parser.add_argument("--held-out-tasks", action="append", default=[], metavar="SUITE",
                        help="refuse tasks that a suite tests on (optgap suite list)")  # fmt: skip
    parser.add_argument("--exclude", action="append", default=[], metavar="FILE", help="JSONL whose keys are left out")
    parser.add_argument("--keep-relabelled", action="store_true",
                        help="keep instances that differ from another, or a held-out one, by their labels alone")  # fmt: skip
    parser.add_argument("--curriculum", help=argparse.SUPPRESS)
    parser.add_argument("--max-prompt-chars", type=int, metavar="N", help="leave out longer prompts")
    parser.add_argument("--device", default="auto", metavar="NAME", help="auto, cpu, cuda, or cuda:1 for that GPU")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--json", action="store_true", help="the summary as JSON, on stdout unless the rows go there")
    parser.add_argument("--quiet", action="store_true", help="no progress, no summary")


def _style(text: str) -> int | str:
    return text if text in ("all", "drawn") else int(text)


def _settle(options: argparse.Namespace) -> None:
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
    for name in ("language", "instances", "limits", "input", "interface"):
        if options.candidate == "answer" and getattr(options, name) is not None:
            raise misuse(name, "has no effect without --candidate program")
    if options.candidate == "program" and options.keep_relabelled:
        raise misuse("keep_relabelled", "has no effect with --candidate program: instances are told by their words")
    options.format = options.format or {"answer": "forge", "program": "program"}[options.candidate]


def run(options: argparse.Namespace) -> int:
    _settle(options)
    is_program = options.candidate == "program"
    bar = Bar("dataset", "problems" if is_program else "instances")
    export: Callable[..., dataset.Report] = dataset.export
    more: dict[str, Any] = {}
    if not is_program:
        more["keep_relabelled"] = options.keep_relabelled
    else:
        from ..programs import dataset as of_programs

        export = of_programs.export

        given = {name: getattr(options, name) for name in ("language", "instances", "limits", "input", "interface")}
        more = {name: value for name, value in given.items() if value is not None}
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
        style=options.style,
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
