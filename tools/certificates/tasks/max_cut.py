"""Two sides, the edges between them as heavy as possible."""

from common import need, numbers, weighted


def objective(instance, answer):
    near = weighted(instance)
    need(len(numbers(answer, 0, 2, "answer")) == len(near), "the answer has not a side for each vertex")
    return sum(w for u, ways in enumerate(near) for v, w in ways.items() if u < v and answer[u] != answer[v])


def bound(instance):
    """Every edge."""
    return sum(sum(ways.values()) for ways in weighted(instance)) // 2
