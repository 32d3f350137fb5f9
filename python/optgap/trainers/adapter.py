"""What an adapter of a trainer says of itself: the record `ADAPTER` of its folder. docs/trainers.md's tables are made of them."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from typing import NamedTuple


class Refusal(NamedTuple):
    """What cannot work, and is refused when the run starts or at the first batch."""

    setting: str
    reason: str


@dataclass(frozen=True)
class Adapter:
    """Texts in Markdown, as the page has them; "–" for what there is not."""

    title: str
    """The trainer's own spelling."""
    versions: str
    """That the tests call, and how."""
    reward: str
    """What it calls for rewards and their components."""
    advantages: str
    """How optgap's estimators get there: rankings need whole groups."""
    filters: str
    """How groups of equal rewards are left out."""
    other_data: str
    """What pays rows that are not optgap's."""
    data: str
    """Who hands out fresh instances, without a file."""
    curriculum: str
    """Who follows the learner, and is saved with the run."""
    roles: str
    """Who serves a model that poses, solves and judges."""
    environment: str
    """Where rewards are computed."""
    refused: tuple[Refusal, ...]


def adapters() -> dict[str, Adapter]:
    """By the names of their folders, which are found: one with an `ADAPTER` is an adapter."""
    package = importlib.import_module("optgap.trainers")
    found = {}
    for folder in pkgutil.iter_modules(package.__path__):
        if folder.ispkg:
            record = getattr(importlib.import_module(f"optgap.trainers.{folder.name}"), "ADAPTER", None)
            if record is not None:
                found[folder.name] = record
    return found
