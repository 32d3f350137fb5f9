"""A square with every value once in each line, and signs between neighbours."""

from common import need, numbers, square


def objective(instance, answer):
    given, n = square(instance["grid"], 0, len(instance["grid"]) + 1, "grid"), len(instance["grid"])
    need(len(square(answer, 1, n + 1, "answer")) == n, "the answer has another size")
    need(all(g in (0, a) for line, row in zip(given, answer) for g, a in zip(line, row)), "a given cell is changed")
    for r, c, s, t in instance["less"]:
        need(
            abs(r - s) + abs(c - t) == 1 and len(numbers([r, c, s, t], 0, n, "less")) == 4,
            "a sign stands between no neighbours",
        )
    lines = [*answer, *zip(*answer)]
    return sum(len(set(line)) == n for line in lines) + sum(
        answer[r][c] < answer[s][t] for r, c, s, t in instance["less"]
    )


def bound(instance):
    """All lines and all signs."""
    return 2 * len(instance["grid"]) + len(instance["less"])
