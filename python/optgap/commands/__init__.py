"""Commands that need Python. NAME.json says what NAME takes, and the native program reads it: tools/cli/shell/python/python_commands.hpp
has the form. NAME.py has `run(options)`, which gets the values by their keys and returns the exit code.

The program starts `main` here; options that all commands share are among the values: device, threads (None: all), server,
json, quiet; `words` are the command line behind `optgap`.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import sys
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

Options = SimpleNamespace


def main(module: str, *given: str) -> int:
    """Runs optgap.commands.MODULE with what the program hands over: JSON in pieces. Its exit code."""
    return run(module, json.loads("".join(given)))


def run(module: str, given: Mapping[str, Any]) -> int:
    """`given`: {"options": {...}, "words": [...]}."""
    options = Options(**given["options"], words=given["words"])
    return reported(lambda: importlib.import_module(f"optgap.commands.{module}").run(options))


def reported(work: Callable[[], int]) -> int:
    """Its exit code, or that of its error, whose sentence goes to stderr. Nothing is raised past it but a bug of ours in
    Python: what the native module throws and has no name for arrives as RuntimeError or MemoryError."""
    from ..errors import Error

    try:
        code = work()
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except Error as failed:
        machine = {"device_unavailable", "device_failed", "out_of_memory", "internal", "sandbox_unavailable"}
        return _failed(str(failed), 3 if failed.status in machine else 2)
    except KeyboardInterrupt:
        return 130
    except ValueError as failed:
        return _failed(str(failed), 2)
    except OSError as failed:
        named = failed.filename is not None and failed.strerror is not None
        return _failed(f"{failed.filename}: {failed.strerror}" if named else str(failed), 3)
    except MemoryError:
        return _failed("out of memory", 3)
    except RuntimeError as failed:
        return _failed(f"{type(failed).__name__}: {failed}", 3)


def _failed(sentence: str, code: int) -> int:
    with contextlib.suppress(OSError):  # nobody listens
        print(f"optgap: {sentence}", file=sys.stderr)
    # What stdout could not take must not be tried again at the end of the interpreter, which has no sentence for it.
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            with contextlib.suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return code
