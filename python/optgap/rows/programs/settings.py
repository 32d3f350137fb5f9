"""How this process runs the programs of completions, and which snapshot adapters read: what child processes inherit through the
environment."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from typing import Any

from optgap.core import settings as process
from optgap.core.errors import misuse

VARIABLE = "OPTGAP_PROGRAMS"
"""The environment variable that holds the settings as JSON."""

ISOLATION_LEVELS = ("auto", "wasm", "namespaces", "jail", "command")


@dataclasses.dataclass(frozen=True)
class Settings:
    """Of every call that the adapters make."""

    isolation: str = "auto"
    """An isolation level of `optgap sandbox`, or auto: the first that passes its self-test. There is none that holds nothing."""
    slots: int = 0
    """Programs at once, of this process; 0: the processors less a quarter."""
    fail_fast: bool = False
    """A program that is invalid on its first three instances is not run on the rest."""
    dedupe: str = "deterministic"
    """Equal programs of a problem run once for all rows: where the isolation level gives the same every time, or "always"."""


SNAPSHOT = "OPTGAP_BASELINES"
"""The environment variable that names the snapshot which the trainers' adapters read in this process and in those that it
starts: a path, or "served"."""


def snapshot_named() -> str | None:
    """What OPTGAP_BASELINES says; None where it says nothing."""
    return os.environ.get(SNAPSHOT) or None


def configure(isolation: str = "auto", slots: int = 0, fail_fast: bool = False, dedupe: str = "deterministic") -> None:
    """Sets how this process and those that it starts run programs, by OPTGAP_PROGRAMS. Raises Error for what cannot work."""
    given = {"isolation": isolation, "slots": slots, "fail_fast": fail_fast, "dedupe": dedupe}
    known = checked(given, "programs")
    process.write(VARIABLE, known)


def settings() -> Settings:
    """What OPTGAP_PROGRAMS says, or the defaults."""
    return process.read(VARIABLE, Settings(), checked)


def check_dedupe(rule: str, where: str = "dedupe") -> None:
    """Raises Error for what is no rule of sharing runs."""
    if rule not in ("deterministic", "always"):
        raise misuse(where, f"is {rule!r}, expected deterministic or always")


def checked(fields: Mapping[str, Any], where: str) -> Settings:
    """Raises Error that names the field."""
    process.require_known(fields, Settings, where)
    made = Settings(**fields)
    if made.isolation not in ISOLATION_LEVELS:
        raise misuse(f"{where}: isolation", f"is {made.isolation!r}, expected one of {', '.join(ISOLATION_LEVELS)}")
    if not isinstance(made.fail_fast, bool):
        raise misuse(f"{where}: fail_fast", f"is {made.fail_fast!r}, expected true or false")
    check_dedupe(made.dedupe, f"{where}: dedupe")
    if isinstance(made.slots, bool) or not isinstance(made.slots, int) or not 0 <= made.slots <= 4096:
        raise misuse(f"{where}: slots", f"is {made.slots!r}, expected an integer 0 to 4096")
    return made
