"""Of scored answers those worth imitating: feasible, well formed, not cut off, good enough, no text twice."""

from __future__ import annotations

import dataclasses
import json
import sys

from ..data import supervised
from . import Options


def run(options: Options) -> int:
    report = supervised.choose(
        options.files, options.out, quality=options.quality, keep=options.keep, max_per_task=options.max_per_task,
        kinds=options.kinds,
    )  # fmt: skip
    if options.json:
        print(json.dumps(dataclasses.asdict(report)), file=sys.stderr if options.out == "-" else sys.stdout)
    elif not options.quiet:
        print(f"optgap: {report}", file=sys.stderr)
    return 0
