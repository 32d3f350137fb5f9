"""The vertices in two halves, the edges between them as light as possible."""

from common import need, parts, weighted


def objective(instance, answer):
    near = weighted(instance)
    need(len(parts(answer, instance["n"])) == 2, "the answer has not two parts")
    one, other = answer
    need(abs(len(one) - len(other)) <= 1, "the parts' sizes differ by more than 1")
    return sum(near[u].get(v, 0) for u in one for v in other)


def bound(instance):
    """No edge weighs less than nothing."""
    del instance
    return 0
