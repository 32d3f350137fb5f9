"""Per-task figures of a running trainer: a folder of OPTGAP_STATS as a table, again and again."""

from __future__ import annotations

import json
import sys
import time

from ..core.errors import one_of
from ..measure.curves import steps, table
from ..measure.curves.sinks import Sink, opened
from ..measure.curves.timeline import Timeline
from . import Options


def run(options: Options) -> int:
    if not options.every > 0:
        raise ValueError("every: must be above 0 seconds")
    one_of("sort", options.sort, table.SORTS)
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


def _show(timeline: Timeline, options: Options) -> None:
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
