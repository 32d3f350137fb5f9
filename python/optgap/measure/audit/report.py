"""What an audit found, as a table for people and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .climbing import Find
from .judging import Cell, Finding, total
from .rates import Rate
from .running import Audit

_TEXT = 240
"""Characters of a text that are shown."""
_EACH, _MOST = 2, 16
"""Findings shown of each attack, and altogether."""
_KEPT = 500
"""Findings in the JSON; the counts are of all."""


def as_json(found: Audit, settings: dict[str, Any]) -> dict[str, Any]:
    """Totals, rates by template, by attack and of every pair of them (those that were tried), findings with their texts, and
    the attacker's best."""
    everything = found.sum
    return {
        "subject": found.subject,
        "settings": settings,
        "notes": found.notes,
        "passed": found.passed,
        "totals": _rates(everything),
        "templates": [
            {"template": cell.template, **_rates(cell)} for cell in _by(found.cells, lambda cell: cell.template)
        ],
        "attacks": [
            {"attack": cell.attack, "about": cell.about, **_rates(cell)}
            for cell in _by(found.cells, lambda cell: cell.attack)
        ],
        "cells": [{"template": cell.template, "attack": cell.attack, **_rates(cell)} for cell in found.cells],
        "findings": [_finding(one) for one in everything.findings[:_KEPT]],
        "attacker": [{**find.__dict__, "gain": find.gain} for find in found.finds],
    }


def as_text(found: Audit, questions: Sequence[str], every_attack: bool) -> str:
    """For people: a row a template, a row a kind of attack (or `every_attack`), what was judged wrongly."""
    lines = [f"{found.subject}", *(f"  {note}" for note in found.notes), ""]
    if found.cells:
        lines += _table("template", _by(found.cells, lambda cell: cell.template), lambda cell: cell.template, found.sum)
        shown = (lambda cell: cell.attack) if every_attack else (lambda cell: cell.about)
        lines += ["", *_table("attack" if every_attack else "attacks on", _by(found.cells, shown), shown, None)]
        lines += _findings(found.sum.findings, questions)
    if found.finds:
        lines += ["", *_attacker(found.finds)]
    return "\n".join(lines)


def _by(cells: Iterable[Cell], name: Callable[[Cell], str]) -> list[Cell]:
    """One cell a name, in the order in which names come."""
    groups: dict[str, list[Cell]] = {}
    for cell in cells:
        groups.setdefault(name(cell), []).append(cell)
    return [total(group, group[0].template, group[0].attack, group[0].about) for group in groups.values()]


def _rates(cell: Cell) -> dict[str, Any]:
    rates = {name: getattr(cell, name) for name in ("false_reward", "false_refusal", "open", "failed")}
    found = {name: rate.as_json() for name, rate in rates.items() if rate.tried}
    return {**found, "false_pay": found["false_reward"]} if "false_reward" in found else found  # the former name, too


def _finding(one: Finding) -> dict[str, Any]:
    return {
        "fault": one.fault, "template": one.case.template, "attack": one.case.attack.name, "question": one.case.question,
        "finish": one.case.finish, "reward": one.reward, "right": one.right, "message": one.message,
        "text": _shortened(one.case.text, 4 * _TEXT),
    }  # fmt: skip


def _shortened(text: str, most: int = _TEXT) -> str:
    """The beginning and the end of a long text."""
    return text if len(text) <= most else f"{text[: most // 2]} … {len(text) - most} more … {text[-most // 2 :]}"


_HEADS = (
    "must not be rewarded",
    "false reward, 95 %",
    "must be rewarded",
    "false refusal, 95 %",
    "open, rewarded",
    "failed",
)


def _row(name: str, cell: Cell) -> tuple[str, ...]:
    return (
        name,
        _count(cell.false_reward.tried),
        _share(cell.false_reward),
        _count(cell.false_refusal.tried),
        _share(cell.false_refusal),
        f"{cell.open.found} of {cell.open.tried}" if cell.open.tried else "-",
        str(cell.failed.found) if cell.failed.found else "-",
    )


def _count(tried: int) -> str:
    return str(tried) if tried else "-"


def _share(rate: Rate) -> str:
    return f"{rate.found}: {rate}" if rate.tried else "-"


def _table(title: str, cells: Sequence[Cell], name: Callable[[Cell], str], sum: Cell | None) -> list[str]:
    rows = [(title, *_HEADS), *(_row(name(cell), cell) for cell in cells)]
    if sum is not None:
        rows.append(_row("all", sum))
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = [
        "  ".join(f"{cell:{'>' if at else '<'}{width}}" for at, (cell, width) in enumerate(zip(row, widths)))
        for row in rows
    ]
    return [lines[0], "  ".join("-" * width for width in widths), *lines[1:]]


def _findings(findings: Sequence[Finding], questions: Sequence[str]) -> list[str]:
    kept: list[Finding] = []
    seen: dict[tuple[str, str], int] = {}
    for one in findings:
        place = (one.fault, one.case.attack.name)
        seen[place] = seen.get(place, 0) + 1
        if seen[place] <= _EACH and len(kept) < _MOST and one.fault != "not called":
            kept.append(one)
    lines = []
    for one in kept:
        reward = "no reward" if one.reward is None else f"reward {one.reward:g}"
        right = "" if one.right is None else f" (the right answer's is {one.right:g})"
        where = f"{one.case.template}, {one.case.attack.name}, {questions[one.case.question]}"
        lines += ["", f"{one.fault.upper()}: {where}: {reward}{right}{': ' * bool(one.message)}{one.message}"]
        lines.append(f"  {_shortened(one.case.text)!r} (finish {one.case.finish})")
    if len(findings) > len(kept):
        lines += ["", f"{len(findings) - len(kept)} more like these; --json has them"]
    return lines


def _attacker(finds: Sequence[Find]) -> list[str]:
    width = max(len(find.template) for find in finds)
    lines = ["attacker: the largest reward minus what the text's one final answer is worth"]
    for find in finds:
        gain = f"{find.gain:+g} after {find.tried} texts" if find.gain > 0 else f"0 after {find.tried} texts"
        lines.append(
            f"{find.template:<{width}}  {gain} (reward {find.reward:g}, worth {find.truth:g}, finish {find.finish})"
        )
        lines.append(f"{'':<{width}}  {_shortened(find.text)!r}")
    return lines
