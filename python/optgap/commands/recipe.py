"""Training recipes of five papers: what they set, what they cost, and the files that a trainer needs to run an arm."""

from __future__ import annotations

import dataclasses
import json
import os
from typing import Any

from .. import recipes
from ..core.errors import misuse
from ..recipes import text
from ..recipes.price import price
from . import Options


def run(options: Options) -> int:
    {"show": _show, "plan": _plan, "write": _write}[options.verb](options)
    return 0


def _show(options: Options) -> None:
    if options.recipe is None:
        found = [recipes.load(name) for name in recipes.names()]
        _print(options, [_record(one) for one in found], lambda: text.of_recipes(found))
        return
    recipe = recipes.load(options.recipe)
    if options.arm is None:
        _print(options, _record(recipe), lambda: text.of_arms(recipe))
        return
    arm = recipe.arm(options.arm)
    _print(options, _arm_record(arm), lambda: text.of_arm(arm))


def _plan(options: Options) -> None:
    recipe = recipes.load(options.recipe)
    arms = [arm for arm in recipe if arm.stages] if options.arm is None else [recipe.arm(options.arm)]
    arms = [arm.keeping_out(options.held_out) for arm in arms]
    for arm in arms:
        arm.refuse_held_out(arm.used("tasks", []))
    prices = [
        price(arm, assume=dict(map(_assumption, options.assume)), billions=None if options.model_size is None else _billions(options.model_size), tokens_per_second=options.tokens_per_second,
              measure=options.measure)
        for arm in arms
    ]  # fmt: skip
    _print(options, [one.record() for one in prices], lambda: "\n".join(map(text.of_price, prices)))


def _write(options: Options) -> None:
    from ..recipes.brought import Brought
    from ..recipes.writing import write

    arm = recipes.load(options.recipe).arm(options.arm).keeping_out(options.held_out)
    tasks = None if options.tasks is None else options.tasks.split(",")
    brought = Brought(**{field.name: getattr(options, field.name) for field in dataclasses.fields(Brought)})
    files = write(
        arm, options.trainer, options.out, model=options.model, tasks=tasks, seed=options.seed, brought=brought
    )
    _print(options, {"files": files}, lambda: "".join(f"{os.path.join(options.out, name)}\n" for name in files))


def _print(options: Options, record: Any, table: Any) -> None:
    print(json.dumps(record, ensure_ascii=False) if options.json else table(), end="\n" if options.json else "")


def _record(recipe: recipes.Recipe) -> dict[str, Any]:
    return {"recipe": recipe.name, "about": recipe.about, "arms": [_arm_record(arm) for arm in recipe]}


def _arm_record(arm: recipes.Arm) -> dict[str, Any]:
    return {
        "recipe": arm.recipe, "arm": arm.name, "about": arm.about, "stages": list(arm.stages), "needs": list(arm.needs),
        "brings": list(arm.brings), "expressible": not arm.needs, "results": list(arm.results),
        "settings": {name: dataclasses.asdict(setting) for name, setting in arm.settings.items()},
    }  # fmt: skip


def _billions(given: str) -> float:
    number, unit = given[:-1], {"B": 1.0, "M": 1e-3}.get(given[-1:].upper())
    if unit is None:
        raise misuse("model-size", f"is {given!r}, expected a number with B or M, such as 1.5B or 500M")
    return float(number) * unit


def _assumption(given: str) -> tuple[str, float]:
    name, equals, number = given.partition("=")
    if not equals:
        raise misuse("assume", f"is {given!r}, expected NAME=NUMBER")
    return name, float(number)
