"""Values of variables that make as many clauses true as possible."""

from common import need, numbers


def objective(instance, answer):
    n = instance["n"]
    need(len(numbers(answer, 0, 2, "answer")) == n, "the answer has not a value for each variable")
    need(all(1 <= abs(one) <= n for clause in instance["clauses"] for one in clause), "a clause names no such variable")
    return sum(any(answer[abs(one) - 1] == (one > 0) for one in clause) for clause in instance["clauses"])


def bound(instance):
    """All clauses."""
    return len(instance["clauses"])
