"""Parquet files as rows for the native program, which reads lines of JSON: TRL's logs of completions, exports, data sets."""

from __future__ import annotations

import json
import math
import os
import pathlib
import subprocess
import tempfile
from collections.abc import Sequence
from typing import Any

from ..core.errors import misuse, reported

_ROWS = 1024
"""In memory at a time."""


def run_native(program: pathlib.Path, arguments: Sequence[str], places: Sequence[int]) -> int:
    """Runs the program with the Parquet files at these places of its arguments as JSONL; row n is line n. The exit code."""
    with tempfile.TemporaryDirectory(prefix="optgap-") as folder:
        given = list(arguments)
        for place in places:
            given[place] = os.path.join(folder, f"{place}-{os.path.basename(given[place])}.jsonl")
            write_rows(arguments[place], given[place])
        ended = subprocess.run([str(program), *given], check=False).returncode
    return ended if ended >= 0 else 128 - ended  # a signal's, as a shell says it


def main(places: str, program: str, *arguments: str) -> int:
    """For the native program: it names itself, and the places of Parquet files among its arguments, "1,2"."""
    return reported(lambda: run_native(pathlib.Path(program), arguments, [int(place) for place in places.split(",")]))


def write_rows(parquet: str, jsonl: str) -> None:
    """Lists and structs become arrays and objects, NaN null. Error for what JSON has no form for."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise misuse("FILE", f"{parquet} is Parquet, which needs pyarrow: pip install 'optgap[dataset]'") from None
    try:
        file = pyarrow.parquet.ParquetFile(parquet)
    except (pyarrow.ArrowInvalid, OSError) as wrong:
        raise misuse("FILE", f"{parquet} cannot be read as Parquet: {wrong}") from None
    with file, open(jsonl, "w", encoding="utf-8") as lines:
        number = 0
        for batch in file.iter_batches(_ROWS):
            for row in batch.to_pylist():
                number += 1
                try:
                    lines.write(json.dumps(_plain(row), ensure_ascii=False, allow_nan=False) + "\n")
                except (TypeError, ValueError, UnicodeError) as wrong:
                    raise misuse("FILE", f"{parquet}, row {number}: {wrong}") from None


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return None if math.isnan(value) else value
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value
