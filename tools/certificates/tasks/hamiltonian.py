"""A cycle through as many vertices as possible."""

from common import choice, need, neighbours


def objective(instance, answer):
    near = neighbours(instance)
    circle = answer[:-1] if len(answer) > 1 and answer[0] == answer[-1] else answer
    need(len(choice(circle, instance["n"])) >= 3, "fewer than three vertices")
    need(all(v in near[u] for u, v in zip(circle, circle[1:] + circle[:1])), "two vertices in a row are no neighbours")
    return len(circle)


def bound(instance):
    """All vertices."""
    return instance["n"]
