"""Per-task curves of a run as a page: a folder of OPTGAP_STATS as HTML or Markdown."""

from __future__ import annotations

import shlex
import sys

from ..core.files.run_folder import replace
from ..measure import report
from ..measure.curves import page
from ..measure.curves.timeline import Timeline
from . import Options


def run(options: Options) -> int:
    is_markdown = options.out is None or options.out.endswith(".md")
    if not is_markdown and not options.out.endswith(".html"):
        raise ValueError(f"-o: {options.out!r} must end in .html or .md, which says what is written")
    timeline = Timeline(options.folder)
    timeline.update()
    if not timeline.slots:
        raise ValueError(
            f"{options.folder} holds no counters yet{''.join(f'; {note}' for note in timeline.folder.notes)}"
        )
    words = [
        "optgap",
        "stats",
        "page",
        options.folder,
        *(["--split", options.split] if options.split != "train" else []),
    ]
    found = page.described(timeline, options.split, shlex.join([*words, *(["-o", options.out] if options.out else [])]))
    text = report.markdown(found) if is_markdown else report.html(found)
    if options.out is None:
        sys.stdout.write(text)
        return 0
    replace(options.out, text)
    if not options.quiet:
        print(f"optgap: wrote {options.out}", file=sys.stderr)
    return 0
