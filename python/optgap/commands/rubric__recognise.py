"""Import rows of RLVRR, and make data of those Python checks whose shape is known and whose verdicts agree."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from ..__main__ import native_program
from ..core.errors import Error, misuse
from ..data.rubrics import proving
from ..data.rubrics.scoring import Rubrics
from ..rows import score
from . import Options


def run(options: Options) -> int:
    if options.verb != "import" or options.source != "rlvrr":
        raise misuse("recognise", "is of `optgap rubric import --from rlvrr`: no other rows hold Python")
    native = subprocess.run([str(native_program()), "rubric", "import", *options.files, "--from", "rlvrr", "--quiet"],
                            stdout=subprocess.PIPE, check=False)  # fmt: skip
    if native.returncode not in (0, 1):
        return native.returncode
    lines = [line for line in native.stdout.decode().split("\n") if line]
    rows = [_row(line) for line in lines]
    sound = [row for row in rows if row is not None and "error" not in row]
    before = [json.dumps(row["chain"]) for row in sound]
    found = proving.with_recognised(sound, lambda given: score(given, isolation=options.isolation))
    changed = {
        id(row): _compiled(row) for row, old in zip(sound, before, strict=True) if json.dumps(row["chain"]) != old
    }
    for line, row in zip(lines, rows, strict=True):
        sys.stdout.write((_with_rubric(line, *changed[id(row)]) if id(row) in changed else line) + "\n")
    if not options.quiet:
        print(f"optgap: {found.sentence()}", file=sys.stderr)
        for reason, times in sorted((found.reasons or {}).items(), key=lambda one: (-one[1], one[0]))[:10]:
            print(f"optgap:   {times} not: {reason}", file=sys.stderr)
        refused = sum(row is not None and "error" in row for row in rows)
        if refused:
            print(f"optgap: {refused} of {len(rows)} rows cannot be read; each has an `error`", file=sys.stderr)
    return native.returncode


def _row(line: str) -> dict[str, Any] | None:
    """None for a row that is nested more deeply than Python reads: it stays as it is."""
    try:
        row = json.loads(line)
    except RecursionError:
        return None
    return row if isinstance(row, dict) else None


def _compiled(row: dict[str, Any]) -> tuple[str, str]:
    """The row's rubric with every default, and its key."""
    try:
        rubrics = Rubrics.compile([row])
    except Error as refused:
        raise Error(f"a recognised rubric is refused: {refused}", "internal") from None
    return rubrics.to_json(0), rubrics.keys[0]


def _with_rubric(line: str, rubric: str, key: str) -> str:
    """The row with another rubric; all other columns keep every byte, as numbers that Python would write in another way."""
    read, kept, at = json.JSONDecoder().raw_decode, [], 1
    while line[at] != "}":
        at += line[at] == ","
        name, behind = read(line, at)
        begin = line.index(":", behind) + 1
        _, end = read(line, begin)
        if name not in ("chain", "chain_key"):
            kept.append(line[at:end])
        at = end
    return "{" + ",".join([*kept, f'"chain":{rubric}', f'"chain_key":{json.dumps(key)}']) + "}"
