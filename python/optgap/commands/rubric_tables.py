"""Tables of words that instruction types need, made of installed packages."""

from __future__ import annotations

import pathlib

from ..data.rubrics import tables
from . import Options


def run(options: Options) -> int:
    for name, source in tables.write(pathlib.Path(options.folder)).items():
        print(f"{name}.json: {source['entries']} entries of {source['package']} {source['version']}, "
              f"SHA-256 {source['sha256'][:16]}")  # fmt: skip
    return 0
