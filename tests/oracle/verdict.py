"""A verifier's verdict on one answer, and the rules that all tasks share.

An answer is a flat list of integers, a list of lists of integers, a word (`str`), or `Broken`: text that is no answer.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Broken:
    """Not an answer by the grammar; `code` is None where the grammar's prose does not define the code."""

    code: str | None = None


@dataclass(frozen=True)
class Verdict:
    """`objective` is None when infeasible. A None in `code` or `where` is a field that the prose does not define."""

    code: str | None
    where: int | None
    objective: int | None
    violation: int
    violation_max: int

    @property
    def feasible(self):
        return self.objective is not None


def feasible(objective, violation_max):
    return Verdict("ok", -1, objective, 0, violation_max)


def worst(code, violation_max, where=-1):
    return Verdict(code, where, None, violation_max, violation_max)


def values_of(answer):
    """All integers of an answer, row after row."""
    if isinstance(answer, (str, Broken)):
        return []
    return [value for item in answer for value in (item if isinstance(item, list) else [item])]


def is_rows(answer):
    return isinstance(answer, list) and any(isinstance(item, list) for item in answer)


def not_a_flat_list(answer, violation_max):
    """The verdict when the answer is a word or a list of lists, else None."""
    if isinstance(answer, str):
        return worst("unparsable", violation_max)
    return worst("bad_depth", violation_max) if is_rows(answer) else None


def first_outside(values, size):
    """Index of the first value outside 0 … size - 1, else None."""
    return next((i for i, value in enumerate(values) if not 0 <= value < size), None)


def first_repeat(values):
    """Index of the first second occurrence, else None."""
    seen = set()
    for i, value in enumerate(values):
        if value in seen:
            return i
        seen.add(value)
    return None


def outside_or_repeated(values, size, violation_max):
    """The verdict when a value is out of range, else when one occurs twice, else None."""
    if (at := first_outside(values, size)) is not None:
        return worst("out_of_range", violation_max, at)
    if (at := first_repeat(values)) is not None:
        return worst("repeated", violation_max, at)
    return None
