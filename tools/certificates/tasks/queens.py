"""A queen per row, as many as possible not attacked by another one."""

from common import need, numbers


def objective(instance, answer):
    given = numbers(instance["queens"], -1, len(instance["queens"]), "queens")
    n = len(given)
    need(len(numbers(answer, 0, n, "answer")) == n, "the answer has not a column for each row")
    need(all(g in (-1, a) for g, a in zip(given, answer)), "a given queen is moved")
    return sum(
        not any(answer[r] == answer[s] or abs(answer[r] - answer[s]) == abs(r - s) for s in range(n) if s != r)
        for r in range(n)
    )


def bound(instance):
    """All queens."""
    return len(instance["queens"])
