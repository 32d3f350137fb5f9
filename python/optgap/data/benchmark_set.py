"""The benchmark set as rows: what `optgap bench-set` writes, for adapters that carry it elsewhere."""

from __future__ import annotations

import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import Any

from ..__main__ import native_program
from ..core.arguments import Spec, format_text
from ..core.errors import misuse
from ..core.files.reading import object_in, rows_of, text_of
from .dataset import ground_truth

FORGE_TASKS = (
    "bisection", "clique", "coloring", "hamiltonian", "independent_set", "knapsack", "meeting", "set_cover",
    "subset_sum", "tsp",
)  # fmt: skip
"""The ten of the FORGE paper; others that an engine knows came later."""


def benchmark_set(
    tasks: str | Sequence[str] = FORGE_TASKS,
    level: str = "benchmark",
    count: int = 100,
    seed: int = 1,
    format: Spec = "forge",
) -> dict[str, list[dict[str, Any]]]:
    """Rows of `optgap bench-set` (docs/benchmark_set.md), task by task: instances of the test split, each once, with
    prompts in styles that take turns, and proven baselines. 13 tasks of 100 rows take a second.

    Every row has a `ground_truth` as well: the string that scoring needs.

    Args:
        tasks: A name, several (also as "tsp,knapsack"), or "all" that this build knows.
        level: "easy", "medium", "hard", "benchmark" or "dN".
        count: Different instances per task.
        seed: The first seed.
        format: What the prompts ask for (docs/formats.md).
    """
    with tempfile.TemporaryDirectory() as folder:
        text = format_text(format)
        # The table of signals is no part of the rows: one instance a level is the least there is.
        run_bench_set(
            folder, tasks,
            ["--level", str(level), "--count", str(count), "--seed", str(seed), "--format", text, "--signal-count", "1",
             "--device", "cpu"],
        )  # fmt: skip
        return read_bench_set(folder)


def run_bench_set(folder: str, tasks: str | Sequence[str], options: Sequence[str], quiet: bool = True) -> None:
    """The native command, into a folder. Raises Error with its sentence when it refuses. Unless quiet it shows its progress
    where stderr is a terminal."""
    names = tasks.split(",") if isinstance(tasks, str) else list(tasks)
    if not names:
        raise misuse("tasks", "names none")
    chosen = [] if names == ["all"] else names
    command = [str(native_program()), "bench-set", *chosen, "--out", folder, *options]
    shown = not quiet and sys.stderr.isatty()
    done = subprocess.run(
        [*command, *([] if shown else ["--quiet"])], stdout=subprocess.DEVNULL, stderr=None if shown else subprocess.PIPE,
        text=True, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        raise misuse("bench-set", (done.stderr or "failed").strip().removeprefix("optgap: "))


def check_new(folder: str, field: str) -> None:
    """Raises Error unless a folder is still to be made, or empty: files of another set in it would be read as well."""
    path = pathlib.Path(folder)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise misuse(
            field, f"'{folder}' is there and not an empty folder: files of another set in it would be read as well"
        )


def read_bench_set(folder: str) -> dict[str, list[dict[str, Any]]]:
    """The rows of a folder that bench-set wrote."""
    here = pathlib.Path(folder)
    index = object_in(text_of(here / "index.json"), str(here / "index.json"))
    found = {}
    try:
        for task in index["tasks"]:
            rows = rows_of(here / task["file"])  # a suite's file holds all of its tasks
            found[task["task"]] = [_with_ground_truth(row) for _, row in rows if row["task"] == task["task"]]
    except (KeyError, TypeError) as wrong:
        raise ValueError(f"{folder} is no set of bench-set's: {wrong!r} in place of what it wrote") from None
    return found


def _with_ground_truth(row: dict[str, Any]) -> dict[str, Any]:
    record = {name: row[name] for name in ("objective", "bound", "floor", "greedy", "proven")}
    return {**row, "ground_truth": ground_truth(row["key"], record, row["format"])}
