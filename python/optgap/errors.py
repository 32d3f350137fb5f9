"""The package's exceptions."""

from __future__ import annotations

from collections.abc import Iterable


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
    """What is wrong with the ground truth of a row, which is then a row without a reward."""


def one_of(field: str, value: str, known: Iterable[str]) -> str:
    """`value`, where it is among the known ones; else an Error that names them, and the nearest."""
    names = list(known)
    if value not in names:
        from . import _native

        raise misuse(field, f"is {value!r}, expected one of {', '.join(names)}{_native.did_you_mean(value, names)}")
    return value
