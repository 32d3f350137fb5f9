"""A square with every value once in each row, column and box."""

from common import need, square


def objective(instance, answer):
    given, n = square(instance["grid"], 0, len(instance["grid"]) + 1, "grid"), len(instance["grid"])
    high, wide = instance["box"]
    need(high > 0 and high * wide == n, "the boxes do not fill the square")
    need(len(square(answer, 1, n + 1, "answer")) == n, "the answer has another size")
    need(all(g in (0, a) for line, row in zip(given, answer) for g, a in zip(line, row)), "a given cell is changed")
    boxes = [
        [answer[r + i][c + j] for i in range(high) for j in range(wide)]
        for r in range(0, n, high)
        for c in range(0, n, wide)
    ]
    return sum(len(set(line)) == n for line in [*answer, *zip(*answer), *boxes])


def bound(instance):
    """All rows, columns and boxes."""
    return 3 * len(instance["grid"])
