"""Models side by side as one page: reports of bench-model over the same set, beside greedy, a constant policy and the optimum."""

from __future__ import annotations

import sys

from ..measure.benchmark import report
from ..measure.comparison import figures, leaderboard, leaderboard_page
from . import Options


def run(options: Options) -> int:
    if options.out:
        figures.check_page_name("-o", options.out)
    made = leaderboard.made(options.reports)
    if options.out:
        figures.write_page(options.out, leaderboard_page.described(made, figures.command_of(options.words)))
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
