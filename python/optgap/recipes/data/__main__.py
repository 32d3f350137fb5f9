"""`python3 -m optgap.recipes.data`: the steps that make a recipe's data of a user's files and a server's answers."""

from __future__ import annotations

import argparse
import json
import sys

from ...core.errors import Error, misuse
from ...data.dataset import TRAINERS
from ...measure.endpoint import Endpoint
from ..rewarding import right_answers
from . import asking, preferences, rows


def main() -> int:
    parser = argparse.ArgumentParser("python3 -m optgap.recipes.data", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    made = verbs.add_parser("rows", help="rows of a file as a trainer reads them")
    made.add_argument("file", nargs="+", help="KIND=FILE, once or twice: rubrics, maths, judged, modelled, likely")
    made.add_argument("--trainer", required=True, choices=sorted(TRAINERS))
    made.add_argument("--out", required=True, metavar="FILE", help="FILE.parquet or FILE.jsonl")
    made.add_argument("--count", type=int, metavar="N", help="rows that are drawn (default: all; of two files needed)")
    made.add_argument("--share", type=float, default=0.5, help="of the second file (default %(default)s)")
    made.add_argument("--seed", type=int, default=0, help="of the draw (default %(default)s)")
    made.add_argument("--preset", default="paper", help="whose arithmetic rewards rubrics (default %(default)s)")
    made.add_argument("--one-level", action="store_true", help="all keywords of a rubric are one point")
    mixed = verbs.add_parser("curriculum", help="a curriculum's problems in their order, with mathematics between them")
    mixed.add_argument("--policy", required=True, type=json.loads, metavar="JSON", help="one that follows no outcomes")
    mixed.add_argument("--tasks", required=True, metavar="LIST", help="with commas")
    mixed.add_argument("--maths", required=True, metavar="FILE")
    mixed.add_argument("--trainer", required=True, choices=sorted(TRAINERS))
    mixed.add_argument("--out", required=True, metavar="FILE")
    for name in ("steps", "batch", "seed"):
        mixed.add_argument(f"--{name}", type=int, required=True, metavar="N")
    mixed.add_argument("--share", type=float, required=True, help="of mathematics in each batch")
    mixed.add_argument("--format", default="forge", help="of the instances' answers (default %(default)s)")
    asked = verbs.add_parser("ask", help="answers of a server to a file's prompts")
    asked.add_argument("file")
    asked.add_argument("--base-url", required=True, metavar="URL")
    asked.add_argument("--model", required=True)
    asked.add_argument("--api-key-env", metavar="NAME", help="environment variable with the key")
    asked.add_argument("--samples", type=int, default=1, metavar="N", help="of each prompt (default %(default)s)")
    asked.add_argument("--first", type=int, default=0, metavar="N", help="rows left out at the beginning")
    asked.add_argument("--count", type=int, metavar="N", help="the most rows that are asked")
    asked.add_argument("--temperature", type=float, default=1.0, help="(default %(default)s)")
    asked.add_argument("--top-p", type=float, default=1.0, help="(default %(default)s)")
    asked.add_argument("--max-tokens", type=int, default=2048, metavar="N", help="of an answer (default %(default)s)")
    asked.add_argument("--out", required=True, metavar="FILE")
    preferred = verbs.add_parser("prefer", help="the best and the worst of each prompt's scored answers")
    imitated = verbs.add_parser("imitate", help="answers as messages for supervised training")
    imitated.add_argument("--count", type=int, metavar="N", help="the most rows")
    for verb in (preferred, imitated):
        verb.add_argument("file")
        verb.add_argument("--out", required=True, metavar="FILE")
    verbs.add_parser("right", help="the share of answers in --data's rows that math-verify finds right").add_argument(
        "file"
    )
    options = parser.parse_args()
    try:
        print(_done(options), file=sys.stderr)
    except (Error, OSError) as wrong:
        print(f"optgap: {wrong}", file=sys.stderr)
        return 2
    return 0


def _done(options: argparse.Namespace) -> str:
    if options.verb == "rows":
        return f"{options.out}: {_rows(options)} rows"
    if options.verb == "curriculum":
        items = rows.interleaved(
            options.policy, options.tasks.split(","), rows.of_file("maths", options.maths), steps=options.steps,
            batch=options.batch, share=options.share, seed=options.seed, format=options.format,
        )  # fmt: skip
        return f"{options.out}: {rows.write(items, options.out, options.trainer)} rows"
    if options.verb == "ask":
        with Endpoint(options.base_url, options.model, api_key_env=options.api_key_env) as endpoint:
            count = asking.ask(
                options.file, options.out, endpoint, samples=options.samples, first=options.first, count=options.count,
                temperature=options.temperature, top_p=options.top_p, max_tokens=options.max_tokens,
            )  # fmt: skip
        return f"{options.out}: {count} answers"
    if options.verb == "prefer":
        kept, left = preferences.choose(options.file, options.out)
        return f"{options.out}: {kept} pairs; {left} prompts whose answers earn the same"
    if options.verb == "imitate":
        return f"{options.out}: {preferences.imitate(options.file, options.out, count=options.count)} rows"
    right, count = right_answers(options.file)
    return f"{right} of {count} answers are right: {right / count:.3f}"


def _rows(options: argparse.Namespace) -> int:
    named = [one.partition("=")[::2] for one in options.file]
    parts = [rows.of_file(kind, path, preset=options.preset, one_level=options.one_level) for kind, path in named]
    if len(parts) > 2:
        raise misuse("rows", f"has {len(parts)} files, expected one or two")
    first, last = (parts[0], []) if len(parts) == 1 else parts
    share = 0.0 if len(parts) == 1 else options.share
    count = options.count or sum(map(len, parts))
    return rows.write(rows.mixed(first, last, count, share, options.seed), options.out, options.trainer)


if __name__ == "__main__":
    sys.exit(main())
