"""Recipes as their files hold them, checked."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..core.errors import Error, misuse
from ..data import suites
from .settings import BRINGS, NEEDS, ROWS, SETTINGS, STAGES, fits, form

FOLDER = pathlib.Path(__file__).parent
_NOT_STATED = "not stated"


@dataclass(frozen=True)
class Setting:
    """One value with where it stands.

    Attributes:
        value: What the paper says; None where it says nothing.
        source: Its section or table, "code", "second-hand", "derived", "ours", "none named", or "not stated".
        chosen: What optgap takes in place of a value that is not stated.
        why: The reason for that.
        code: What the authors' public code has where it differs or adds.
        note: A remark.
    """

    value: Any
    source: str
    chosen: Any = None
    why: str | None = None
    code: Any = None
    note: str | None = None

    @property
    def used(self) -> Any:
        """The value, or what is taken in its place; None where there is neither."""
        return self.chosen if self.value is None else self.value


@dataclass(frozen=True)
class Arm:
    """One arm of a recipe with all its settings: its own over those of the arm it is made from over the recipe's."""

    recipe: str
    name: str
    about: str
    settings: Mapping[str, Setting]
    stages: tuple[str, ...] = ("rl",)
    """Of "teacher", "filter", "sft", "dpo", "rl"; empty for an untrained model."""
    needs: tuple[str, ...] = ()
    """Names of what this version does not have (settings.NEEDS)."""
    brings: tuple[str, ...] = ()
    """Options of `recipe write` for what its user brings (settings.BRINGS)."""
    results: tuple[Mapping[str, Any], ...] = ()
    """As published: {"source", "values": {name: number}[, "note"]}."""
    own: frozenset[str] = frozenset()
    """Settings in which it differs from the recipe."""

    def __getitem__(self, name: str) -> Setting:
        """A setting; one that the recipe does not name is None, not stated."""
        return self.settings.get(name, Setting(None, _NOT_STATED))

    def used(self, name: str, default: Any = None) -> Any:
        """The value of a setting or what is taken in its place, else `default`."""
        value = self[name].used
        return default if value is None else value

    def keeping_out(self, suite: str | None) -> Arm:
        """The same arm with another suite held out, or "none"; None leaves it as it is."""
        if suite is None:
            return self
        given = Setting(None if suite == "none" else suite, "given")
        return replace(self, settings={**self.settings, "held_out": given})

    def refuse_held_out(self, tasks: Sequence[str]) -> None:
        """Raises Error where one of the tasks to train on is in the suite that the arm keeps for tests."""
        held_out = self.used("held_out")
        if held_out is not None:
            suites.refuse(held_out, tasks, f"{self.recipe} {self.name}")

    @property
    def rows(self) -> tuple[str, ...]:
        """What reinforcement learning trains on, of settings.ROWS."""
        return tuple(self.used("rows", ["curriculum"]))

    def refuse_missing(self) -> None:
        """Raises Error that names what this version lacks for the arm."""
        if self.needs:
            lacking = "; ".join(NEEDS[name] for name in self.needs)
            raise misuse("arm", f"{self.recipe} {self.name} needs {lacking}")


@dataclass(frozen=True)
class Recipe:
    """One paper's settings and arms."""

    name: str
    about: str
    settings: Mapping[str, Setting]
    arms: Mapping[str, Arm] = field(repr=False)

    def __iter__(self) -> Iterator[Arm]:
        return iter(self.arms.values())

    def arm(self, name: str) -> Arm:
        """An arm by name. Raises Error that lists the names."""
        if name not in self.arms:
            raise misuse("arm", f"is {name!r}, expected one of {', '.join(self.arms)}")
        return self.arms[name]


def names() -> list[str]:
    """The recipes there are, in alphabetical order."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def load(name: str) -> Recipe:
    """A recipe by name. Raises Error where there is none of that name, or where its file breaks a rule."""
    if name not in names():
        raise misuse("recipe", f"is {name!r}, expected one of {', '.join(names())}")
    text = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
    return read(json.loads(text, object_pairs_hook=_no_twice))


def read(data: Any) -> Recipe:
    """A recipe from what its JSON holds. Raises Error with the place that breaks a rule."""
    fields = _fields(data, "recipe", {"recipe", "about", "settings", "arms"})
    settings = _settings(fields["settings"], "settings")
    arms: dict[str, Arm] = {}
    for name, given in _object(fields["arms"], "arms").items():
        arms[name] = _arm(name, given, fields["recipe"], settings, arms)
    return Recipe(_text(fields["recipe"], "recipe"), _text(fields["about"], "about"), settings, arms)


def _arm(name: str, data: Any, recipe: str, shared: Mapping[str, Setting], known: Mapping[str, Arm]) -> Arm:
    at = f"arms.{name}"
    fields = _fields(data, at, {"about", "results"}, {"from", "stages", "set", "needs", "brings"})
    base = fields.get("from")
    if base is not None and base not in known:
        raise misuse(f"{at}.from", f"is {base!r}, expected an arm that stands before it")
    own = _settings(fields.get("set", {}), f"{at}.set")
    inherited = known[base].settings if base is not None else shared
    stages = _list(fields.get("stages", known[base].stages if base is not None else ["rl"]), f"{at}.stages", STAGES)
    needs = _list(fields.get("needs", []), f"{at}.needs", NEEDS)
    brings = _list(fields.get("brings", known[base].brings if base is not None else []), f"{at}.brings", BRINGS)
    _list(own["rows"].used if "rows" in own else [], f"{at}.set.rows", ROWS)
    differs = frozenset(own) | (known[base].own if base is not None else frozenset())
    return Arm(
        recipe, name, _text(fields["about"], f"{at}.about"), {**inherited, **own}, stages, needs, brings,
        tuple(_results(fields["results"], f"{at}.results")), differs,
    )  # fmt: skip


def _settings(data: Any, at: str) -> dict[str, Setting]:
    return {name: _setting(name, given, f"{at}.{name}") for name, given in _object(data, at).items()}


def _setting(name: str, data: Any, at: str) -> Setting:
    if name not in SETTINGS:
        raise misuse(at, f"no setting has this name; there are {', '.join(sorted(SETTINGS))}")
    fields = _fields(data, at, {"value", "source"}, {"chosen", "why", "code", "note"})
    source = _text(fields["source"], f"{at}.source")
    for key in ("value", "chosen"):
        if fields.get(key) is not None and not fits(name, fields[key]):
            raise misuse(f"{at}.{key}", f"is {json.dumps(fields[key])}, expected {form(name)}")
    if fields["value"] is not None and source == _NOT_STATED:
        raise misuse(f"{at}.source", "is 'not stated' beside a value, expected where it stands")
    if ("chosen" in fields) != ("why" in fields):
        raise misuse(at, "chosen and why go together")
    if "chosen" in fields and fields["value"] is not None:
        raise misuse(f"{at}.chosen", "stands beside a value, expected only where nothing is stated")
    return Setting(**fields)


def _results(data: Any, at: str) -> Iterator[Mapping[str, Any]]:
    if not isinstance(data, list):
        raise misuse(at, "expected a list")
    for place, row in enumerate(data):
        fields = _fields(row, f"{at}[{place}]", {"source", "values"}, {"note"})
        _text(fields["source"], f"{at}[{place}].source")
        _object(fields["values"], f"{at}[{place}].values")
        yield fields


def _fields(data: Any, at: str, wanted: set[str], allowed: set[str] = frozenset()) -> dict[str, Any]:  # type: ignore[assignment]
    fields = _object(data, at)
    for name in sorted(wanted - set(fields)):
        raise misuse(f"{at}.{name}", "is missing")
    for name in sorted(set(fields) - wanted - allowed):
        raise misuse(f"{at}.{name}", f"unknown key, expected {', '.join(sorted(wanted | allowed))}")
    return fields


def _object(data: Any, at: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise misuse(at, f"is {json.dumps(data)}, expected an object")
    return data


def _list(data: Any, at: str, known: Any) -> tuple[str, ...]:
    if not isinstance(data, list | tuple):
        raise misuse(at, f"is {json.dumps(data)}, expected a list")
    for one in data:
        if one not in known:
            raise misuse(at, f"holds {one!r}, expected some of {', '.join(known)}")
    return tuple(data)


def _text(data: Any, at: str) -> str:
    if not isinstance(data, str) or not data:
        raise misuse(at, f"is {json.dumps(data)}, expected a text")
    return data


def _no_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise Error(f"{name}: stands twice in one object", "invalid_argument", name, "stands twice")
        found[name] = value
    return found
