"""The rules of `optgap external check`, and its table."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from ... import _native
from .check import Level, Share

GUESSED = 0.05
"""What a constant may get right, or 1 / k + 0.03 where only k answers, 2 to FEW, are ever right."""
FEW = 8
PAID_FOR_NOTHING = 0.1
"""Mean quality of an empty answer, and of the prompt as an answer."""
DISTINCT = 0.99
"""Problems that are new, from level DISTINCT_FROM on."""
DISTINCT_FROM = 3


def bounds(share: Share) -> tuple[float, float]:
    """Wilson's interval at 95 %."""
    return _native.wilson_interval(share.value, share.total, 1.96)


def broken_rules(levels: Sequence[Level]) -> list[str]:
    """A sentence for each rule that a level breaks, beyond what chance explains."""
    found = []
    for one in levels:
        at = f"d{one.level}: "
        if one.problems == 0:
            found.append(f"{at}no problem was made: {one.first_fault}")
            continue
        if one.faults:
            counts = ", ".join(f"{count} {code}" for code, count in sorted(one.faults.items()))
            found.append(f"{at}calls failed: {counts}; the first: {one.first_fault}")
        if one.same_problem.found < one.same_problem.total:
            lost = one.same_problem.total - one.same_problem.found
            found.append(
                f"{at}repeatability: {lost} of {one.same_problem.total} seeds made another problem in another process"
            )
        if one.same_verdict.found < one.same_verdict.total:
            lost = one.same_verdict.total - one.same_verdict.found
            found.append(
                f"{at}repeatability: {lost} of {one.same_verdict.total} verdicts were others in another process"
            )
        if one.gold.found < one.gold.total:
            lost = one.gold.total - one.gold.found
            found.append(f"{at}ambiguity: {lost} of {one.gold.total} right answers of its own are refused")
        if one.wrong.found < one.wrong.total:
            lost = one.wrong.total - one.wrong.found
            found.append(
                f"{at}wrong answers: {lost} of {one.wrong.total} are accepted, the first: {one.accepted_wrong[:40]!r}"
            )
        blanks = one.spelled.get("blanks in a list", Share())
        if one.gold.found == one.gold.total and blanks.found < blanks.total:
            lost = blanks.total - blanks.found
            found.append(
                f"{at}ambiguity: {lost} of {blanks.total} right answers are refused with other blanks between numbers"
            )
        text, right, _ = one.constant
        few = 1 < one.right_answers <= FEW
        limit = max(GUESSED, 1 / one.right_answers + 0.03) if few else GUESSED
        if bounds(right)[0] > limit:
            found.append(
                f"{at}guessability: the constant {text[:40]!r} is right in {right.value:.0%}, expected {limit:.0%}"
            )
        for what, mean in (("an empty answer", one.empty), ("the prompt as an answer", one.copied)):
            if mean > PAID_FOR_NOTHING:
                found.append(f"{at}guessability: {what} has quality {mean:.2f}, expected {PAID_FOR_NOTHING} at most")
        if one.level >= DISTINCT_FROM and bounds(one.distinct)[1] < DISTINCT:
            found.append(
                f"{at}diversity: {one.distinct.value:.0%} of its problems are distinct, expected {DISTINCT:.0%}"
            )
    return found


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """A share's `total` stands under its former name, too, for one version."""
    found = dict(members)
    return {**found, "of": found["total"]} if set(found) == {"found", "total"} else found


def to_json(task: str, version: str, levels: Sequence[Level], isolation: str) -> dict[str, Any]:
    """One object: what was measured, and `broken`."""
    return {
        "task": task,
        "version": version,
        "isolation": isolation,
        "levels": [dataclasses.asdict(one, dict_factory=_object) for one in levels],
        "broken": broken_rules(levels),
    }


_ROWS: tuple[tuple[str, str, Callable[[Level], str]], ...] = (
    ("problems made", "all", lambda one: str(one.problems)),
    ("same by seed", "100 %", lambda one: _share(one.same_problem)),
    ("same verdict", "100 %", lambda one: _share(one.same_verdict)),
    ("reference right", "100 %", lambda one: _share(one.gold)),
    ("wrong answers wrong", "100 %", lambda one: _share(one.wrong)),
    ("best constant right", f"{GUESSED:.0%} at most".replace("%", " %"), lambda one: _constant(one)),
    ("its quality", "", lambda one: f"{one.constant[2]:.2f}"),
    ("quality of no answer", f"{PAID_FOR_NOTHING} at most", lambda one: f"{one.empty:.2f}"),
    ("quality of the prompt", f"{PAID_FOR_NOTHING} at most", lambda one: f"{one.copied:.2f}"),
    ("distinct problems", f"{DISTINCT:.0%} from d{DISTINCT_FROM}".replace("%", " %"), lambda one: _share(one.distinct)),
    ("generate, ms", "", lambda one: f"{one.generate.p50:.1f}, max {one.generate.max:.1f}"),
    ("verify, ms", "", lambda one: f"{one.verify.p50:.2f}, max {one.verify.max:.1f}"),
)
"""What is measured, what is expected, and the cell of a level; costs are p50 and the most."""


def table(levels: Sequence[Level]) -> list[str]:
    """Aligned lines: a row for each measurement, a column for each level."""
    cells = [("", *(f"d{one.level}" for one in levels), "expected")]
    cells += [(name, *(cell(one) for one in levels), expected) for name, expected, cell in _ROWS]
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in cells]


def _constant(one: Level) -> str:
    text, right, _ = one.constant
    return f"{_share(right)}, {text[:12]!r}" if right.found else "0 %"


def spellings(levels: Sequence[Level]) -> list[str]:
    """A sentence for each way of writing a right answer that was tried: how many it accepts."""
    kinds: dict[str, Share] = {}
    for one in levels:
        for kind, share in one.spelled.items():
            into = kinds.setdefault(kind, Share())
            into.found += share.found
            into.total += share.total
    return [f"{kind}: {share.found} of {share.total} accepted" for kind, share in kinds.items()]


def _share(share: Share) -> str:
    return f"{share.value:.0%}".replace("%", " %") if share.total else "-"
