"""Commands that need Python. NAME.json says what NAME takes, and the native program reads it: tools/cli/shell/python/python_commands.hpp
has the form. NAME.py has `run(options)`, which gets the values by their keys and returns the exit code.

The program starts `main` here; options that all commands share are among the values: device, threads (None: all), server,
json, quiet; `words` are the command line behind `optgap`.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from ..core.errors import reported

Options = SimpleNamespace


def main(module: str, *given: str) -> int:
    """Runs optgap.commands.MODULE with what the program hands over: JSON in pieces. Its exit code."""
    return run(module, json.loads("".join(given)))


def run(module: str, given: Mapping[str, Any]) -> int:
    """`given`: {"options": {...}, "words": [...]}."""
    options = Options(**given["options"], words=given["words"])
    return reported(lambda: importlib.import_module(f"optgap.commands.{module}").run(options))
