"""The benchmark set as tasks of lm-evaluation-harness: a folder for its --include_path."""

from __future__ import annotations

import argparse
import math
import re
import sys

from optgap.measure.evaluators import lm_eval

from ..benchmark_set import FORGE_TASKS, benchmark_set, check_new
from ..errors import misuse


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("out", metavar="DIR", help="folder to write; made when it is not there")
    parser.add_argument(
        "tasks", nargs="*", metavar="TASK", help="tasks by name, or all (default: the FORGE paper's ten)"
    )
    parser.add_argument(
        "--group", default="optgap_forge", help="what --tasks of lm_eval calls them (default %(default)s)"
    )
    parser.add_argument(
        "--level", default="benchmark", help="easy, medium, hard, benchmark or dN (default %(default)s)"
    )
    parser.add_argument("--count", type=int, default=100, help="different instances per task (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="the first seed (default %(default)s)")
    parser.add_argument(
        "--format", default="forge", metavar="F", help="what prompts ask for: of `optgap formats`, or JSON"
    )
    parser.add_argument(
        "--max-tokens", type=int, default=16384, help="a completion's; --gen_kwargs of lm_eval overrules it"
    )
    parser.add_argument("--temperature", type=float, default=0.0, help="the same (default %(default)s)")
    parser.add_argument("--quiet", action="store_true", help="no summary")


def run(options: argparse.Namespace) -> int:
    check_new(options.out, "out")
    if not re.fullmatch(r"[A-Za-z0-9_-]+", options.group):
        raise misuse("group", f"is {options.group!r}, expected letters, digits, _ and -: files are named by it")
    if options.max_tokens < 1:
        raise misuse("max-tokens", f"is {options.max_tokens}, expected 1 or more")
    if not 0 <= options.temperature < math.inf:
        raise misuse("temperature", f"is {options.temperature}, expected 0 or more")
    rows = benchmark_set(options.tasks or FORGE_TASKS, options.level, options.count, options.seed, options.format)
    sampling = options.temperature > 0
    generation = {"do_sample": sampling, "temperature": options.temperature, "max_gen_toks": options.max_tokens}
    files = lm_eval.write(options.out, rows, options.group, generation)
    if not options.quiet:
        count = sum(map(len, rows.values()))
        print(f"optgap: {options.out}: {len(files)} files, {count} instances of {len(rows)} tasks", file=sys.stderr)
        print(f"lm_eval --include_path {options.out} --tasks {options.group} --apply_chat_template …", file=sys.stderr)
    return 0
