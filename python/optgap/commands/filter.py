"""Of scored answers those worth imitating: feasible, well formed, not cut off, good enough, no text twice."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys

from .. import supervised

_EXAMPLES = """
examples:
  optgap filter scored.jsonl > chosen.jsonl
  optgap filter scored.jsonl --quality '>0.5' --keep 1 --max-per-task 1000 --out chosen.jsonl
  optgap score rollouts.jsonl | optgap filter - | optgap dataset --from - --out sft.jsonl

Rows are those of `optgap score`; they come out as they were, in their order. Rows of the test split are refused.
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.epilog, parser.formatter_class = _EXAMPLES, argparse.RawDescriptionHelpFormatter
    parser.add_argument("files", nargs="+", metavar="SCORED", help="JSONL that `optgap score` wrote; - is stdin")
    parser.add_argument(
        "--quality", default="0.5", metavar="Q", help="the least, or '>Q' to leave Q out (default %(default)s)"
    )
    parser.add_argument(
        "--keep", type=int, metavar="K", help="the best K of an instance: by quality, then the shorter, then the first"
    )
    parser.add_argument("--max-per-task", type=int, metavar="N", help="at most N of a task, its levels in turn")
    parser.add_argument("--out", default="-", metavar="FILE", help="FILE.jsonl or FILE.parquet (default stdout)")
    parser.add_argument("--json", action="store_true", help="the report as JSON, on stdout unless the rows go there")
    parser.add_argument("--quiet", action="store_true", help="no report")
    for option in ("--device", "--threads"):
        parser.add_argument(option, help=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    report = supervised.choose(
        options.files, options.out, quality=options.quality, keep=options.keep, max_per_task=options.max_per_task
    )
    if options.json:
        print(json.dumps(dataclasses.asdict(report)), file=sys.stderr if options.out == "-" else sys.stdout)
    elif not options.quiet:
        print(f"optgap: {report}", file=sys.stderr)
    return 0
