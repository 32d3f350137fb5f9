"""A user's own score-based problems (docs/problems.md): rows with prompts, and data sets of them as trainers read them.

from optgap.rows.programs import own

rows = own.rows("examples/problems/parcels", count=4, instances=10)
report = own.export("train.jsonl", "trl", ["examples/problems/parcels"], count=1000)
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from typing import Any

from optgap.core.errors import misuse
from optgap.data import dataset
from optgap.data.dataset import TRAINERS, Item, Report
from optgap.rows.programs import _run, _spelled

Row = dict[str, Any]
Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


def rows(
    problems: Paths,
    *,
    language: str = "python",
    count: int = 1,
    instances: int | None = None,
    seed: int = 1,
    format: str | Mapping[str, Any] = "program",
) -> list[Row]:
    """Rows of problems, each with its prompt; a completion beside it makes what `optgap.score` takes.

    Args:
        problems: Folders or archives.
        language: Of the programs, "python" or "cpp".
        count: Rows of each problem. One of a problem with tests.
        instances: Hidden instances of a row; None: as many as the problem says.
        seed: Of the first instance of all; the others follow.
        format: "program", "program_strict", "program_lenient" or a mapping over one of them.

    Returns:
        Rows with problem (the absolute path with its digest), seeds, language, format, name, decimals and prompt.

    Raises:
        Error: What is wrong with a problem or an argument.
    """
    given = [problems] if isinstance(problems, (str, os.PathLike)) else list(problems)
    words = [os.path.abspath(path) for path in given]
    options = {"--language": language, "--format": _spelled(format)}
    options |= {} if count == 1 else {"--count": str(count)}
    options |= {} if instances is None else {"--instances": str(instances)}
    options |= {} if seed == 1 else {"--seed": str(seed)}
    found = _run(["problem", "rows", *words, *(word for pair in options.items() for word in pair)])
    for row in found:
        text = str(row["format"])
        row["format"] = json.loads(text) if text.lstrip().startswith("{") else text
    return found


def ground_truth(row: Mapping[str, Any]) -> str:
    """The one string that scoring needs: the problem with its digest, its seeds, and how programs are read."""
    kept = ("problem", "seeds", "language", "format", "limits")
    return json.dumps({name: row[name] for name in kept if name in row}, separators=(",", ":"))


def export(
    out: str | os.PathLike[str],
    trainer: str,
    problems: Paths,
    *,
    count: int = 1000,
    instances: int | None = None,
    language: str = "python",
    seed: int = 1,
    split: str = "train",
    format: str | Mapping[str, Any] = "program",
    system: str | None = None,
    max_prompt_chars: int | None = None,
) -> Report:
    """Writes a data set of rows of problems, problem after problem. A problem with tests gives one row.

    Args:
        out: A file that ends in .parquet or .jsonl, or "-" for JSONL on standard output.
        trainer: "verl", "trl", "openrlhf" or "slime".
        problems, instances, language, seed, format: As `rows` takes them. Seeds of different splits must not meet: they
            are yours to keep apart.
        count: Rows of each problem.
        split: "train" or "val": what rows say of themselves.
        system: Content of a system message before the prompt.
        max_prompt_chars: Longer prompts are left out.

    Raises:
        Error: As `rows`.
    """
    if trainer not in TRAINERS:
        raise misuse("trainer", f"is '{trainer}', expected one of {', '.join(TRAINERS)}")
    if split not in ("train", "val"):
        raise misuse("split", f"is '{split}', expected train or val")
    given = [problems] if isinstance(problems, (str, os.PathLike)) else list(problems)
    form, opening = TRAINERS[trainer], [] if system is None else [{"role": "system", "content": system}]
    report, began = Report(), time.monotonic()
    with dataset.writing(os.fspath(out)) as writer:
        for path in given:
            first = rows(path, language=language, format=format)[0]
            made = [first]
            if "seeds" in first:
                made = rows(path, language=language, format=format, count=count, instances=instances, seed=seed)
            items = []
            for row in made:
                if max_prompt_chars is not None and len(row["prompt"]) + len(system or "") > max_prompt_chars:
                    report.too_long += 1
                    continue
                report.instances += len(row.get("seeds", ()))
                key = f"{row['problem']}#{report.rows}"
                prompt = [*opening, {"role": "user", "content": row["prompt"]}]
                items.append(
                    Item(key, f"program/{row['name']}", "x", "own", split, report.rows, prompt, ground_truth(row))
                )
                report.rows += 1
            if items:
                writer.write([form(item) for item in items])
        if report.rows == 0:
            raise misuse("problem", f"nothing is left to write: {report}")
    report.seconds = time.monotonic() - began
    return report
