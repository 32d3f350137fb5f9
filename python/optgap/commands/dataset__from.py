"""Chosen answers as rows for supervised training: the messages that TRL, verl, slime and OpenRLHF read."""

from __future__ import annotations

import argparse
import sys

from .. import supervised
from ..engine import Engine


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--from", dest="chosen", required=True, metavar="FILE", help="JSONL that `optgap filter` wrote; - is stdin"
    )
    parser.add_argument("--out", required=True, metavar="FILE", help="FILE.parquet or FILE.jsonl; - is JSONL on stdout")
    parser.add_argument("--shape", default="messages", choices=supervised.SHAPES,
                        help="one conversation, or two lists for a loss on the completion alone (default %(default)s)")  # fmt: skip
    parser.add_argument("--system", metavar="TEXT", help="a system message before the prompt")
    parser.add_argument("--held-out-tasks", action="append", default=[], metavar="SUITE",
                        help="refuse rows of tasks that a suite tests on (optgap suite list)")  # fmt: skip
    parser.add_argument("--quiet", action="store_true", help="no summary")
    for option in ("--device", "--threads"):
        parser.add_argument(option, help=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    rows = supervised.export(
        options.chosen, options.out, shape=options.shape, system=options.system, held_out_tasks=options.held_out_tasks,
        engine=Engine("cpu"),
    )  # fmt: skip
    if not options.quiet:
        print(f"optgap: {options.out}: {rows} rows", file=sys.stderr)
    return 0
