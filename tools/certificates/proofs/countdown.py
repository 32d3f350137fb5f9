"""Combines any two of the available values."""

from common import numbers
from tasks.countdown import TOP, result


def walk(instance, goal):
    """A case: the available values, ascending. Any two of them are combined."""
    target = instance["target"]

    def further(case):
        if any(abs(value - target) + 1 < goal for value in case):
            return None
        cases = []
        for i, b in enumerate(case):
            for j, a in enumerate(case[i + 1 :], i + 1):
                rest = case[:i] + case[i + 1 : j] + case[j + 1 :]
                made = {result(-1, a, b), result(-2, a, b), result(-3, a, b), result(-4, a, b)} - {0}
                cases += [tuple(sorted((*rest, value))) for value in made]
        return cases

    return tuple(sorted(numbers(instance["numbers"], 1, TOP, "numbers"))), further
