"""Per-task figures of a running trainer: a folder of OPTGAP_STATS as a table, again and again."""

from __future__ import annotations

import argparse
import json
import sys
import time

from ..curves import steps, table
from ..curves.sinks import Sink, opened
from ..curves.timeline import Timeline


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="what OPTGAP_STATS names")
    parser.add_argument(
        "--every", type=float, default=10.0, metavar="S", help="seconds between two tables (default: 10)"
    )
    parser.add_argument("--once", action="store_true", help="one table, of what is there now")
    parser.add_argument("--json", action="store_true", help="a JSON object a line in place of tables")
    parser.add_argument("--split", default="train", help="whose rows (default: train)")
    parser.add_argument("--last", type=float, metavar="S", help="only the run's last S seconds (default: all of it)")
    parser.add_argument(
        "--sort", default="task", choices=table.SORTS, help="column that sorts the table (default: task)"
    )
    parser.add_argument("--steps", action="store_true",
                        help="effective prompts over the run's steps: classes, families, the tasks that waste most")  # fmt: skip
    parser.add_argument("--top", type=int, default=steps.TOP, metavar="N",
                        help="with --steps: tasks with a line of their own (default: %(default)s)")  # fmt: skip
    parser.add_argument("--to", action="append", default=[], metavar="WHERE",
                        help="also write curves: tensorboard[:DIR] or wandb[:PROJECT]; may be repeated")  # fmt: skip
    parser.add_argument("--quiet", action="store_true", help="no tables; for --to")


def run(options: argparse.Namespace) -> int:
    if not options.every > 0:
        raise ValueError("every: must be above 0 seconds")
    if options.top < 0:
        raise ValueError("top: must be 0 or more tasks")
    if options.steps and (options.last is not None or options.sort != "task"):
        raise ValueError("steps: its table has lines and columns of its own, so --last and --sort are not read")
    timeline = Timeline(options.folder, options.every)
    sinks: list[Sink] = []
    try:
        sinks += [opened(where, timeline, options.split) for where in options.to]
        while True:
            timeline.update()
            for sink in sinks:
                sink.write(final=options.once)
            if not options.quiet:
                _show(timeline, options)
            if options.once:
                return 0
            time.sleep(options.every)
    except KeyboardInterrupt:
        _finish(timeline, sinks)
        return 0
    finally:
        for sink in sinks:
            sink.close()


def _finish(timeline: Timeline, sinks: list[Sink]) -> None:
    timeline.update()
    for sink in sinks:
        sink.write(final=True)


def _show(timeline: Timeline, options: argparse.Namespace) -> None:
    if options.steps:
        found = steps.by_step(timeline, options.split, top=options.top)
    else:
        found = table.summary(timeline, options.split, options.last)
    if options.json:
        shown = json.dumps(found) + "\n"
    else:
        shown = steps.text(found) if options.steps else table.text(found, options.sort)
        if sys.stdout.isatty() and not options.once:
            shown = "\x1b[H\x1b[2J" + shown
    sys.stdout.write(shown)
    sys.stdout.flush()
