"""Import rows of RLVRR, and make data of those Python checks whose shape is known and whose verdicts agree."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys

from ..__main__ import native_program
from ..chains import proving
from ..chains.scoring import Chains
from ..errors import Error, misuse
from ..programs import score_rows

_EXAMPLES = """
examples:
  optgap chain import labels.jsonl --from rlvrr --recognise > chains.jsonl

Each code is held against its check on 200 texts or more, in the sandbox; one verdict that differs leaves it a check of kind
`code`, which `optgap score --isolation auto` runs. stderr says how many, by count and by weight, and why others were not.
Exit codes: those of `optgap chain import`; 3 where no rung of `optgap sandbox` holds.
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.epilog, parser.formatter_class = _EXAMPLES, argparse.RawDescriptionHelpFormatter
    parser.add_argument("verb", metavar="import", help="the command that takes it")
    parser.add_argument("files", metavar="FILE", nargs="*", help="JSONL of rows with `label`; - is stdin")
    parser.add_argument("--from", dest="source", required=True, metavar="rlvrr", help="whose rows they are")
    parser.add_argument("--recognise", action="store_true", help="make data of Python checks of the usual shapes")
    parser.add_argument("--isolation", default="auto", metavar="RUNG", help="of `optgap sandbox` (default %(default)s)")
    parser.add_argument("--quiet", action="store_true", help="no summary")


def run(options: argparse.Namespace) -> int:
    if options.verb != "import" or options.source != "rlvrr":
        raise misuse("recognise", "is of `optgap chain import --from rlvrr`: no other rows hold Python")
    native = subprocess.run([str(native_program()), "chain", "import", *options.files, "--from", "rlvrr", "--quiet"],
                            stdout=subprocess.PIPE, check=False)  # fmt: skip
    if native.returncode not in (0, 1):
        return native.returncode
    rows = [json.loads(line) for line in native.stdout.decode().split("\n") if line]
    sound = [row for row in rows if "error" not in row]
    found = proving.with_recognised(sound, lambda given: score_rows(given, isolation=options.isolation))
    for row in sound:
        try:
            compiled = Chains.compile([row])
        except Error as refused:
            raise Error(f"a recognised chain is refused: {refused}", "internal") from None
        row["chain"], row["chain_key"] = json.loads(compiled.to_json(0)), compiled.keys[0]
    sys.stdout.write("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    if not options.quiet:
        print(f"optgap: {found.sentence()}", file=sys.stderr)
        for reason, times in sorted((found.reasons or {}).items(), key=lambda one: (-one[1], one[0]))[:10]:
            print(f"optgap:   {times} not: {reason}", file=sys.stderr)
    return native.returncode
