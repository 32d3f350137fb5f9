"""The benchmark set as a Hugging Face data set: parquet, and a README with the card's metadata. Nothing is uploaded."""

from __future__ import annotations

import sys
import tempfile

from optgap.measure.evaluators import huggingface

from ..data.benchmark_set import check_new, run_bench_set
from . import Options


def run(options: Options) -> int:
    check_new(options.hf, "hf")
    huggingface.arrow()  # before a minute of work
    names = ("level", "count", "seed", "format", "signal_count", "device", "threads")
    given = {name: value for name in names if (value := getattr(options, name)) is not None}
    words = [word for name, value in given.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    with tempfile.TemporaryDirectory() as folder:
        run_bench_set(folder, options.tasks or "all", words, quiet=options.quiet)
        rows = huggingface.write(folder, options.hf)
    if not options.quiet:
        print(f"optgap: {options.hf}: {rows} rows; load_dataset({options.hf!r}, TASK, split='test')", file=sys.stderr)
    return 0
