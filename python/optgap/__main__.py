"""The program `optgap` of this package. It starts this Python again for commands that need it (optgap/commands)."""

from __future__ import annotations

import os
import pathlib
import sys
from typing import NoReturn


def native_program() -> pathlib.Path:
    """The native program that this package carries."""
    return pathlib.Path(__file__).parent / "bin" / "optgap"


def main() -> NoReturn:
    """The native program takes this process over."""
    os.environ["OPTGAP_PYTHON"] = sys.executable
    program = str(native_program())
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
