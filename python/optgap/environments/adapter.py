"""What an adapter of a framework says of itself: the record `ADAPTER` of its folder, which docs/environments.md has as a row."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class EnvironmentAdapter:
    """Texts in Markdown, as the page has them."""

    title: str
    """The framework's own spelling."""
    interface: str
    """What of the framework it implements, and its name here."""
    turn: str
    """What a model hands over in a turn, and how it is known that it was cut off."""
    tested: str
    """The version and the runner that tests call; or "not run" with the reason."""
    row: Callable[[Any], dict[str, Any]] | None = None
    """A row of `optgap dataset` as the framework reads it, made of a `trainers.adapter.Item`; None: it reads a trainer's."""
    readers: Mapping[str, str] = field(default_factory=dict)
    """As a trainer's record has them, for `optgap preflight --trainer NAME`."""
    blind: tuple[str, ...] = ()
    """Of the readers, those that cannot tell how generation ended."""


@functools.cache
def adapters() -> Mapping[str, EnvironmentAdapter]:
    """By the names of their folders."""
    package = importlib.import_module("optgap.environments")
    found = {}
    for folder in pkgutil.iter_modules(package.__path__):
        if folder.ispkg:
            record = getattr(importlib.import_module(f"optgap.environments.{folder.name}"), "ADAPTER", None)
            if isinstance(record, EnvironmentAdapter):
                found[folder.name] = record
    return found
