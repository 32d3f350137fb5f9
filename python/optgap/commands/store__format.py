"""A store's rows as Parquet: the columns of `optgap store export`, answers and instances as JSON texts."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from typing import Any

from ..__main__ import native_program
from ..core.errors import Error, misuse
from ..core.files.run_folder import replacing
from . import Options

_ROWS = 65_536
"""Of a row group: what is in memory at a time."""
_TEXTS = (
    "key",
    "task",
    "status",
    "hash",
    "bound_kind",
    "solver",
    "engine",
    "bound_engine",
    "name",
    "answer",
    "instance",
)
_NUMBERS = ("objective", "bound", "floor", "greedy", "published", "steps", "budget", "bound_steps", "bound_budget")
_AS_JSON = ("answer", "instance")
_SHARED = ("device", "threads", "server")


def run(options: Options) -> int:
    shared = [
        word for name in _SHARED if (value := getattr(options, name)) is not None for word in (f"--{name}", str(value))
    ]
    command = [str(native_program()), *shared, "store", "export", options.path]
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise misuse("--format parquet", "needs pyarrow: pip install 'optgap[dataset]'") from None
    schema = pyarrow.schema(
        [(name, pyarrow.string()) for name in _TEXTS]
        + [(name, pyarrow.int64()) for name in _NUMBERS]
        + [("proven", pyarrow.bool_())],
        metadata={"optgap.content": _content(options.path)},
    )
    count = 0
    reading = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert reading.stdout is not None and reading.stderr is not None
    try:
        with replacing(options.out) as out:
            with pyarrow.parquet.ParquetWriter(out, schema, compression="zstd") as file:
                while lines := list(itertools.islice(reading.stdout, _ROWS)):
                    file.write_table(pyarrow.Table.from_pylist([_row(line) for line in lines], schema))
                    count += len(lines)
            said = reading.stderr.read().decode(errors="replace").strip()
            if reading.wait() != 0:
                raise Error(said.removeprefix("optgap: "), "internal")
    finally:
        reading.kill()
        reading.wait()
    if not options.quiet:
        print(f"optgap: {options.out}: {count} rows", file=sys.stderr)
    return 0


def _row(line: bytes) -> dict[str, Any]:
    row: dict[str, Any] = json.loads(line)
    for name in _AS_JSON:
        if row.get(name) is not None:
            row[name] = json.dumps(row[name], separators=(",", ":"))
    return row


def _content(path: str) -> str:
    """The content hash, by which a file is known to be of a store."""
    done = subprocess.run(
        [native_program(), "store", "info", path, "--json"], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise Error(done.stderr.strip().removeprefix("optgap: "), "internal")
    found: str = json.loads(done.stdout)["content"]
    return found
