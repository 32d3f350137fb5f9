"""What an adapter of a trainer says of itself: the record `ADAPTER` of its folder. docs/trainers.md's tables are made of them."""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import pathlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol


class Refusal(NamedTuple):
    """What cannot work, and is refused when the run starts or at the first batch."""

    setting: str
    reason: str


class Item(Protocol):
    """A row before a trainer's form is put on it (optgap.data.dataset)."""

    @property
    def category(self) -> str: ...
    @property
    def prompt(self) -> list[dict[str, str]]: ...
    @property
    def ground_truth(self) -> str: ...
    @property
    def data_source(self) -> str: ...
    @property
    def origin(self) -> dict[str, Any]: ...


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
    """What rewards rows that are not optgap's."""
    data: str
    """Who hands out fresh instances, without a file."""
    curriculum: str
    """Who follows the learner, and is saved with the run."""
    roles: str
    """Who serves a model that poses, solves and judges."""
    environment: str
    """Where rewards are computed."""
    refused: tuple[Refusal, ...]

    row: Callable[[Item], dict[str, Any]]
    """A row of `optgap dataset` as the trainer reads it."""
    readers: Mapping[str, str]
    """By name, the `module:function` that `optgap preflight` reads completions by as the trainer does: (tokenizer, prompt, token
    ids, format, generation_config) -> text."""
    blind: tuple[str, ...] = ()
    """Of the readers, those that cannot tell how generation ended."""


@functools.cache
def adapters() -> Mapping[str, Adapter]:
    """Those of this package, by the names of their folders, which have a file reward.py, then those of other installed ones, whose entry points of the group
    "optgap.trainers" name their records."""
    package = importlib.import_module("optgap.trainers")
    found = {}
    for file in sorted(pathlib.Path(package.__path__[0]).glob("*/reward.py")):
        record = getattr(importlib.import_module(f"optgap.trainers.{file.parent.name}"), "ADAPTER", None)
        if isinstance(record, Adapter):
            found[file.parent.name] = record
    for point in sorted(importlib.metadata.entry_points(group="optgap.trainers"), key=lambda one: one.name):
        found.setdefault(point.name, point.load())
    return found


@functools.cache
def rows() -> Mapping[str, Callable[[Item], dict[str, Any]]]:
    """The forms that a row of `optgap dataset` may have, by the name it is asked for by: a trainer's, and those of
    environments that read none of a trainer's."""
    known = importlib.import_module("optgap.environments.adapter").adapters()
    own = {name.replace("_", "-"): record.row for name, record in known.items() if record.row is not None}
    return {**{name: record.row for name, record in adapters().items()}, **own}


def loaded(place: str) -> Callable[..., Any]:
    """The function at `module:function`, imported when it is called first."""

    def call(*given: Any) -> Any:
        module, _, name = place.partition(":")
        return getattr(importlib.import_module(module), name)(*given)

    return call
