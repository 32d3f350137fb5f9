"""The benchmark set as tasks of lm-evaluation-harness: a folder for its --include_path."""

from __future__ import annotations

import math
import re
import sys

from optgap.measure.evaluators import lm_eval

from ..core.errors import misuse
from ..data.benchmark_set import FORGE_TASKS, benchmark_set, check_new
from . import Options


def run(options: Options) -> int:
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
