"""Split the vertices into two halves with edges of minimum weight between them."""

from common import need, parts, weighted


def objective(instance, answer):
    near = weighted(instance)
    need(len(parts(answer, instance["n"])) == 2, "the answer has not two parts")
    one, other = answer
    need(abs(len(one) - len(other)) <= 1, "the parts' sizes differ by more than 1")
    return sum(near[u].get(v, 0) for u in one for v in other)


def bound(instance):
    """No edge has a negative weight."""
    del instance
    return 0
