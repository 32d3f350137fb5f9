"""Models side by side as one page: reports of bench-model over the same set, beside greedy, a constant policy and the optimum."""

from __future__ import annotations

import argparse
import sys

from ..benchmark import report
from ..comparison import figures, leaderboard, leaderboard_page

_EXAMPLES = """
examples:
  optgap leaderboard qwen3 llama big -o leaderboard.html         # folders of optgap bench-model
  optgap leaderboard */report.json --json > leaderboard.json
  optgap leaderboard qwen3 llama                                 # a table in the terminal

The page is one file that loads nothing. Reports of different sets, baselines or fingerprints get tables of their own.
docs/compare.md says more. Exit codes: 0 done; 2 bad usage, or a report that cannot be read.
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.epilog, parser.formatter_class = _EXAMPLES, argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "reports", nargs="+", metavar="REPORT", help="a folder of optgap bench-model, or the report.json in it"
    )
    parser.add_argument(
        "-o", "--out", metavar="FILE", help="the page to write: .html or .md; without it a table on stdout"
    )
    parser.add_argument("--json", action="store_true", help="the leaderboard as JSON on stdout")
    parser.add_argument("--quiet", action="store_true", help="no remarks on stderr")
    parser.add_argument("--device", default="auto", help=argparse.SUPPRESS)
    parser.add_argument("--threads", type=int, help=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    if options.out:
        figures.check_page_name("-o", options.out)
    made = leaderboard.made(options.reports)
    if options.out:
        figures.write_page(options.out, leaderboard_page.described(made, figures.this_command()))
    if options.json:
        sys.stdout.write(report.dumped(made))
    elif not options.out:
        sys.stdout.write(leaderboard_page.text_of(made))
    if not options.quiet:
        if options.out:
            print(f"optgap: wrote {options.out}", file=sys.stderr)
        if len(made["sets"]) > 1:
            apart = "; ".join(", ".join(one["model"] for one in of["models"]) for of in made["sets"])
            print(
                f"optgap: {len(made['sets'])} sets of instances, each with a table of its own: {apart}", file=sys.stderr
            )
    return 0
