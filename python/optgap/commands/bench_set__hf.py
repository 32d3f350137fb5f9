"""The benchmark set as a Hugging Face data set: parquet, and a README with the card's metadata. Nothing is uploaded."""

from __future__ import annotations

import argparse
import sys
import tempfile

from optgap.measure.evaluators import huggingface

from ..benchmark_set import check_new, run_bench_set


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tasks", nargs="*", metavar="TASK", help="tasks as NAME or NAME@VERSION (default: all)")
    parser.add_argument("--hf", required=True, metavar="DIR", help="folder to write; made when it is not there")
    for name, text in (("level", "easy, medium, hard, benchmark or dN"), ("count", "different instances per task"),
                       ("seed", "the first seed"), ("format", "what prompts ask for"),
                       ("signal-count", "instances per level behind the card's signal table"),
                       ("device", "auto, cpu or cuda"), ("threads", "of the engine's pool")):  # fmt: skip
        parser.add_argument(f"--{name}", help=f"{text} (default: as of bench-set)")
    parser.add_argument("--quiet", action="store_true", help="no progress, no summary")


def run(options: argparse.Namespace) -> int:
    check_new(options.hf, "hf")
    huggingface.arrow()  # before a minute of work
    given = {name: value for name, value in vars(options).items() if name not in ("tasks", "hf", "quiet")}
    words = [
        word for name, value in given.items() if value is not None for word in (f"--{name.replace('_', '-')}", value)
    ]
    with tempfile.TemporaryDirectory() as folder:
        run_bench_set(folder, options.tasks or "all", words, quiet=options.quiet)
        rows = huggingface.write(folder, options.hf)
    if not options.quiet:
        print(f"optgap: {options.hf}: {rows} rows; load_dataset({options.hf!r}, TASK, split='test')", file=sys.stderr)
    return 0
