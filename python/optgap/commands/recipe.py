"""Training recipes of five papers: what they set, what they cost, and the files that a trainer needs to run an arm."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
from typing import Any

from .. import recipes
from ..recipes import text
from ..recipes.price import price

_EXAMPLES = """
examples:
  optgap recipe show
  optgap recipe show forge
  optgap recipe show forge gspo
  optgap recipe plan river --assume steps=200
  optgap recipe plan forge main --model-size 1.5B --tokens-per-second 20000
  optgap recipe write forge main --trainer verl -o forge-main
  optgap recipe write rlvrr rlvrr --trainer trl --pairs pairs.jsonl -o rlvrr-main

docs/recipes.md says where the numbers are from, and what has not been run.
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.epilog, parser.formatter_class = _EXAMPLES, argparse.RawDescriptionHelpFormatter
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="show|plan|write")
    show = verbs.add_parser(
        "show", help="arms, what this version lacks for each, published results, settings with sources"
    )
    show.add_argument("recipe", nargs="?", metavar="NAME", help=f"{', '.join(recipes.names())}; all when absent")
    show.add_argument("arm", nargs="?", metavar="ARM", help="one arm with all its settings")
    plan = verbs.add_parser(
        "plan", help="prompts, rollouts, tokens, core-seconds of an arm; of all arms when none is named"
    )
    plan.add_argument("recipe", metavar="NAME")
    plan.add_argument("arm", nargs="?", metavar="ARM")
    plan.add_argument(
        "--model-size", type=_billions, metavar="N", help="parameters, such as 1.5B (default: the recipe's)"
    )
    plan.add_argument(
        "--tokens-per-second", type=float, metavar="X", help="what the hardware decodes, all of it together"
    )
    plan.add_argument("--assume", type=_assumption, action="append", default=[], metavar="NAME=NUMBER",
                      help="in place of what the paper states or is assumed for it")  # fmt: skip
    plan.add_argument(
        "--measure", action="store_true", help="measure optgap's costs here, in place of the documentation's"
    )
    write = verbs.add_parser("write", help="a trainer's files for an arm: configuration, data, a README with the price")
    write.add_argument("recipe", metavar="NAME")
    write.add_argument("arm", metavar="ARM")
    write.add_argument(
        "--trainer", metavar="T", help="trl, verl, slime or openrlhf; none for an arm that is not trained"
    )
    write.add_argument("-o", "--out", required=True, metavar="DIR", help="folder to write; made when it is not there")
    write.add_argument("--model", metavar="M", help="folder or Hub id of the model (default: the recipe's)")
    write.add_argument("--tasks", metavar="LIST", help="tasks of optgap in place of the arm's, with commas, or all")
    write.add_argument("--seed", type=int, default=0, help="of the run (default %(default)s)")
    brings = write.add_argument_group("what an arm's user brings (`recipe show NAME` says which arms need it)")
    brings.add_argument("--checkout", metavar="DIR", help="RLVE's checkout, the folder that holds Gym")
    brings.add_argument("--data", metavar="FILE", help="mathematics: JSONL with `prompt` and `answer`")
    brings.add_argument(
        "--pairs", metavar="FILE", help="open-ended pairs: JSONL with `prompt` and `references`, perhaps with `chain`"
    )
    brings.add_argument("--reward-model", metavar="M", help="folder or Hub id of a sequence classifier with one label")
    brings.add_argument("--judge-url", metavar="URL", help="an OpenAI-compatible server, with its version")
    brings.add_argument("--judge-model", metavar="NAME", help="as that server names it")
    brings.add_argument(
        "--judge-key-env", metavar="NAME", help="environment variable with that server's key; without it none is sent"
    )
    for verb in (plan, write):
        verb.add_argument(
            "--held-out",
            metavar="SUITE",
            help="refuse to train on this suite's tasks, none: on no suite's (default: the recipe's)",
        )
    for verb in (show, plan, write):
        verb.add_argument("--json", action="store_true", help="as JSON")
    for option in ("--device", "--threads"):
        parser.add_argument(option, help=argparse.SUPPRESS)
    parser.add_argument("--quiet", action="store_true", help=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    {"show": _show, "plan": _plan, "write": _write}[options.verb](options)
    return 0


def _show(options: argparse.Namespace) -> None:
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


def _plan(options: argparse.Namespace) -> None:
    recipe = recipes.load(options.recipe)
    arms = [arm for arm in recipe if arm.stages] if options.arm is None else [recipe.arm(options.arm)]
    arms = [arm.keeping_out(options.held_out) for arm in arms]
    for arm in arms:
        arm.refuse_held_out(arm.used("tasks", []))
    prices = [
        price(arm, assume=dict(options.assume), billions=options.model_size, tokens_per_second=options.tokens_per_second,
              measure=options.measure)
        for arm in arms
    ]  # fmt: skip
    _print(options, [one.record() for one in prices], lambda: "\n".join(map(text.of_price, prices)))


def _write(options: argparse.Namespace) -> None:
    from ..recipes.brought import Brought
    from ..recipes.writing import write

    arm = recipes.load(options.recipe).arm(options.arm).keeping_out(options.held_out)
    tasks = None if options.tasks is None else options.tasks.split(",")
    brought = Brought(**{field.name: getattr(options, field.name) for field in dataclasses.fields(Brought)})
    files = write(
        arm, options.trainer, options.out, model=options.model, tasks=tasks, seed=options.seed, brought=brought
    )
    _print(options, {"files": files}, lambda: "".join(f"{os.path.join(options.out, name)}\n" for name in files))


def _print(options: argparse.Namespace, record: Any, table: Any) -> None:
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
        raise argparse.ArgumentTypeError(f"is {given!r}, expected a number with B or M, such as 1.5B or 500M")
    return float(number) * unit


def _assumption(given: str) -> tuple[str, float]:
    name, equals, number = given.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"is {given!r}, expected NAME=NUMBER")
    return name, float(number)
