"""The one exception type, and how a command ends."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable


class Error(Exception):
    """Misuse or a device fault; a bad answer is never an error, it is a row with a code.

    Attributes:
        status: "invalid_argument", "unknown_task", "bad_instance", "device_unavailable", "device_failed",
            "out_of_memory", "internal" or "sandbox_unavailable".
        field: The argument or field that breaks a rule, or None.
        rule: The rule it breaks, or None.
    """

    def __init__(
        self, sentence: str, status: str = "invalid_argument", field: str | None = None, rule: str | None = None
    ) -> None:
        super().__init__(sentence, status, field, rule)
        self.status = status
        self.field = field
        self.rule = rule

    def __str__(self) -> str:
        return str(self.args[0])


def misuse(field: str, rule: str) -> Error:
    """An Error about one argument."""
    return Error(f"{field}: {rule}", "invalid_argument", field, rule)


class NotRead(ValueError):
    """The fault in a row's ground truth; the row then has no reward."""


def one_of(field: str, value: str, known: Iterable[str]) -> str:
    """`value`, where it is among the known ones; else an Error that names them, and the nearest."""
    names = list(known)
    if value not in names:
        from .. import _native

        raise misuse(field, f"is {value!r}, expected one of {', '.join(names)}{_native.did_you_mean(value, names)}")
    return value


def reported(work: Callable[[], int]) -> int:
    """Its exit code, or that of its error, whose sentence goes to stderr. Nothing is raised past it but a bug of ours in
    Python: what the native module throws and has no name for arrives as RuntimeError or MemoryError."""
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
    with contextlib.suppress(OSError):  # no listener is left
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
