"""Settings of a process that its children inherit: a dataclass, as JSON in an environment variable."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from .errors import misuse

Settings = TypeVar("Settings")


def read(variable: str, default: Settings, checked: Callable[[Mapping[str, Any], str], Settings]) -> Settings:
    """The settings in an environment variable.

    Args:
        variable: Its name.
        default: The settings where it is not set, or empty.
        checked: Makes settings of the fields; its second argument is the variable's name, for errors.

    Raises:
        Error: For what is no JSON object, and as `checked` does.
    """
    text = os.environ.get(variable, "")
    if not text:
        return default
    try:
        fields = json.loads(text)
    except ValueError as why:
        raise misuse(variable, f"is no JSON: {why}") from None
    if not isinstance(fields, dict):
        raise misuse(variable, "expected a JSON object")
    return checked(fields, variable)


def write(variable: str, settings: Any) -> None:
    """Puts a dataclass into the environment variable, for this process and those that it starts."""
    os.environ[variable] = json.dumps(dataclasses.asdict(settings))


def require_known(fields: Mapping[str, Any], settings: type, where: str) -> None:
    """Raises Error for a field that the dataclass does not have."""
    known = [field.name for field in dataclasses.fields(settings)]
    for name in fields:
        if name not in known:
            raise misuse(f"{where}: {name}", f"is no setting; known are {', '.join(known)}")
