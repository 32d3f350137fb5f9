"""The program `optgap`: subcommands that need Python run here, all others in the native program of this package."""

from __future__ import annotations

import contextlib
import importlib
import os
import pathlib
import re
import sys
from collections.abc import Callable

COMMANDS = pathlib.Path(__file__).parent / "commands"
"""Here, subcommand `A B` or `A-B` is the module a_b.py, which begins with a line about it. `A` with an option `--B`, wherever
that stands, is a__b.py: where the native program knows A, but not this option."""

_GLOBAL_OPTIONS_WITH_VALUE = ("--device", "--threads", "--server")
_WORDS = re.compile("[a-z]+([ -][a-z]+)*( --[a-z]+)?")


def native_program() -> pathlib.Path:
    """The native program that this package carries."""
    return pathlib.Path(__file__).parent / "bin" / "optgap"


def _command_place(arguments: list[str]) -> int:
    """Index of the subcommand, which may stand behind options that all subcommands share."""
    place = 0
    while place < len(arguments) and arguments[place].startswith("-"):
        place += 2 if arguments[place] in _GLOBAL_OPTIONS_WITH_VALUE else 1
    return place


def _module_of(command: list[str]) -> str:
    return " ".join(command).replace(" --", "__").replace(" ", "_").replace("-", "_")


def _is_here(command: list[str]) -> bool:
    return _WORDS.fullmatch(" ".join(command)) is not None and (COMMANDS / f"{_module_of(command)}.py").is_file()


def main(arguments: list[str] | None = None) -> int:
    """Runs one command line; the native program takes this process over."""
    given = sys.argv[1:] if arguments is None else arguments
    place = _command_place(given)
    for option in given[place + 1 :]:
        command = [given[place], option.partition("=")[0]]
        if option.startswith("--") and _is_here(command):
            return _run(command, given[:place] + given[place + 1 :])
    for words in (2, 1):
        command = given[place : place + words]
        if _is_here(command):
            return _run(command, given[:place] + given[place + words :])
    program = native_program()
    sys.stdout.flush()
    parquet = [number for number, word in enumerate(given) if number > place and _is_parquet(word)]
    if parquet:
        from .parquet_rows import run_native

        return _reported(lambda: run_native(program, given, parquet))
    return os.execv(program, [str(program), *given])


def _is_parquet(word: str) -> bool:
    return word.endswith(".parquet") and os.path.isfile(word)


def _run(command: list[str], arguments: list[str]) -> int:
    import argparse

    home = importlib.import_module(f"optgap.commands.{_module_of(command)}")
    summary = (home.__doc__ or "").splitlines()[0]
    parser = argparse.ArgumentParser(f"optgap {' '.join(command).partition(' --')[0]}", description=summary)
    home.add_options(parser)
    options = parser.parse_args(arguments)
    return _reported(lambda: home.run(options))


def _reported(work: Callable[[], int]) -> int:
    """Its exit code, or that of its error, whose sentence goes to stderr. Nothing is raised past it but a bug of ours in
    Python: what the native module throws and has no name for arrives as RuntimeError or MemoryError."""
    from .errors import Error

    try:
        code = work()
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except Error as failed:
        machine = {"device_unavailable", "device_failed", "out_of_memory", "internal", "sandbox_unavailable"}
        return _said(str(failed), 3 if failed.status in machine else 2)
    except KeyboardInterrupt:
        return 130
    except ValueError as failed:
        return _said(str(failed), 2)
    except OSError as failed:
        named = failed.filename is not None and failed.strerror is not None
        return _said(f"{failed.filename}: {failed.strerror}" if named else str(failed), 3)
    except MemoryError:
        return _said("out of memory", 3)
    except RuntimeError as failed:
        return _said(f"{type(failed).__name__}: {failed}", 3)


def _said(sentence: str, code: int) -> int:
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


if __name__ == "__main__":
    sys.exit(main())
