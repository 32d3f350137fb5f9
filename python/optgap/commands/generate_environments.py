"""`optgap generate` of environments: problems and prompts from seeds. The native program reads the words."""

from __future__ import annotations

import json
import sys

from ..core import arguments
from ..core.errors import misuse
from ..measure.benchmark.bar import Bar
from ..rows.external.drawing import rows_or_reasons
from ..rows.external.naming import adopt
from . import Options

_TOGETHER = 64


def run(options: Options) -> int:
    """Writes a row for each task and seed: key, task, level, problem, hash[, prompt, format, prompt_chars]."""
    if not options.level:
        raise misuse("level", "is missing, expected --level dN or --difficulty N")
    if options.seed + options.count > 2**64:
        raise misuse("seed", "and count: the last seed must fit into 64 bits")
    tasks = adopt(options.tasks, trusted=options.trusted, isolation=options.isolation or None)
    form = arguments.format_text(options.format)
    bar = Bar("generate", "rows")
    written = failed = 0
    for place, task in enumerate(tasks):
        for first in range(0, options.count, _TOGETHER):
            seeds = list(range(options.seed + first, options.seed + min(first + _TOGETHER, options.count)))
            made = rows_or_reasons(task, [options.level] * len(seeds), seeds, split=options.split, format=form)
            for seed, row in zip(seeds, made):
                written += 1
                known = {"key": f"{task}:{options.split}:{options.level}:{seed}", "task": task, "level": options.level}
                if isinstance(row, str):
                    found = {**known, "error": _error(written, "problem", row)}
                else:
                    truth = json.loads(row.ground_truth)
                    known["key"] = truth["key"]
                    length = len(row.prompt)
                    if 0 < options.max_prompt_chars < length:
                        rule = f"{length} characters, over --max-prompt-chars {options.max_prompt_chars}"
                        found = {**known, "error": _error(written, "prompt", rule)}
                    else:
                        found = {**known, "problem": truth["problem"], "hash": truth["key"].rpartition("#")[2]}
                        if options.prompts:
                            found |= {"prompt": row.prompt, "format": _plain(form), "prompt_chars": length}
                failed += "error" in found
                sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")
            if not options.quiet:
                bar(place * options.count + min(first + _TOGETHER, options.count), len(tasks) * options.count)
    bar.clear()
    sys.stdout.flush()
    if failed and not options.quiet:
        print(f"optgap: {failed} of {written} rows have an error in place of a problem", file=sys.stderr)
    return 1 if failed else 0


def _error(row: int, field: str, rule: str) -> dict[str, object]:
    return {"row": row, "field": field, "rule": rule}


def _plain(form: str) -> object:
    return json.loads(form) if form.lstrip().startswith("{") else form
