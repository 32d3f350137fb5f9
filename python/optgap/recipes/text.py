"""Recipes and prices as aligned tables."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from .brought import offered
from .price import Price
from .recipe import Arm, Recipe, Setting


def aligned(columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """A table of texts, two blanks between columns; the columns `right` are aligned there."""
    widths = [max(len(row[at]) for row in (columns, *rows)) for at in range(len(columns))]
    lines = [columns, ["-" * width for width in widths], *rows]
    text = ["  ".join(cell.rjust(width) if at in right else cell.ljust(width)
                      for at, (cell, width) in enumerate(zip(line, widths))).rstrip() for line in lines]  # fmt: skip
    return "\n".join(text) + "\n"


def of_recipes(recipes: Sequence[Recipe]) -> str:
    """All recipes: how many arms each has and how many of them this version can write."""
    rows = [[one.name, str(len(one.arms)), str(sum(not arm.needs for arm in one)), one.about] for one in recipes]
    return aligned(["recipe", "arms", "expressible", "what"], rows, right=(1, 2))


def of_arms(recipe: Recipe) -> str:
    """The arms of a recipe: what each is, what this version lacks for it, what was published."""
    rows = []
    for arm in recipe:
        first, *others = _results(arm) or ["-"]
        rows.append([arm.name, arm.about, _state(arm), first])
        rows += [["", "", "", other] for other in others]
    return aligned(["arm", "what", "expressible", "published"], rows)


def of_arm(arm: Arm) -> str:
    """Every setting of an arm with its source; those that are its own are marked."""
    rows = []
    for name, setting in arm.settings.items():
        rows.append([name + ("*" if name in arm.own else ""), shown(setting.value), setting.source, _beside(setting)])
    lines = [f"{arm.recipe} {arm.name}: {arm.about}\n", f"stages: {', '.join(arm.stages) or 'none, it is not trained'}",
             f"expressible: {_state(arm)}", *(f"published: {line}" for line in _results(arm))]  # fmt: skip
    return "\n".join(lines) + "\n\n" + aligned(["setting", "value", "source", "beside it"], rows) + "\n* of this arm\n"


def of_price(price: Price) -> str:
    """A price with all of its inputs."""
    lines = [f"{price.recipe} {price.arm}\n"]
    if not price.inputs:
        return lines[0] + "nothing is trained\n"
    if price.calls:
        rows = [[call.stage, call.who, _big(call.prompts), _big(call.rollouts), *map(_big, call.prompt_tokens),
                 *map(_big, call.response_tokens)] for call in price.calls]  # fmt: skip
        columns = ["stage", "who", "prompts", "rollouts", "prompt tokens", "at most", "response tokens", "at most"]
        lines.append(aligned(columns, rows, right=range(2, 8)))
    lines.append(f"trained tokens  {_big(price.trained_tokens)}")
    lines.append(
        f"model           {_big(price.petaflop)} PFLOP (6 a parameter and trained token, 2 a parameter and decoded token)"
    )
    if price.decode_hours is not None:
        lines.append(f"decoding        {price.decode_hours:.1f} hours at the given rate")
    if price.core_seconds:
        parts = ", ".join(f"{name} {_short(seconds)}" for name, seconds in price.core_seconds.items())
        lines.append(
            f"core-seconds    {_short(sum(price.core_seconds.values()))} ({parts})\n                {price.core_source}"
        )
    elif price.core_source:
        lines.append(f"core-seconds    {price.core_source}")
    if price.stated_gpu_hours is not None:
        lines.append(f"hardware        {_range(price.stated_gpu_hours)} GPU hours stated")
    if price.core_share is not None:
        share = _range((100 * price.core_share[0], 100 * price.core_share[1]))
        lines.append(f"                one core's work takes {share} % of that wall time")
    rows = [[name, shown(value), source] for name, value, source in price.inputs]
    return "\n".join(lines) + "\n\n" + aligned(["input", "value", "source"], rows, right=(1,))


def shown(value: Any) -> str:
    """A value as a cell."""
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return " ".join(value)
    return f"{value:g}" if isinstance(value, float) else json.dumps(value, ensure_ascii=False)


def _state(arm: Arm) -> str:
    if arm.needs:
        return "needs: " + ", ".join(arm.needs)
    said = "yes" if arm.stages else "yes, its evaluation"
    others = [name for name in offered(arm) if name not in arm.brings]
    return said + "".join(f", with --{name}" for name in arm.brings) + "".join(f", or with --{name}" for name in others)


def _results(arm: Arm) -> list[str]:
    found = []
    for row in arm.results:
        values = ", ".join(f"{name} {value}" for name, value in row["values"].items())
        found.append(f"{values or '-'} ({row['source']}{'; ' + row['note'] if 'note' in row else ''})")
    return found


def _beside(setting: Setting) -> str:
    parts = []
    if setting.chosen is not None:
        parts.append(f"chosen: {shown(setting.chosen)}, {setting.why}")
    if setting.code is not None:
        parts.append(f"code: {shown(setting.code)}")
    if setting.note is not None:
        parts.append(setting.note)
    return "; ".join(parts)


def _big(number: float) -> str:
    """With thousands apart, in millions or thousands of millions where it is long."""
    for unit, name in ((1e12, " T"), (1e9, " G"), (1e6, " M")):
        if number >= 10 * unit:
            return f"{number / unit:,.1f}{name}"
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def _short(seconds: float) -> str:
    return f"{seconds:,.0f}" if seconds >= 10 else f"{seconds:.2g}"


def _range(pair: tuple[float, float]) -> str:
    low, high = (f"{value:,.0f}" if value >= 100 else f"{value:.3g}" for value in pair)
    return low if low == high else f"{low} to {high}"
