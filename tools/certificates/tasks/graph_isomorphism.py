"""Map the vertices of one graph to those of another, as many edges as possible to edges."""

from common import need, neighbours, order


def graphs(instance):
    first, second = (neighbours({"n": instance["n"], "edges": instance[name]}) for name in ("edges1", "edges2"))
    need(sum(map(len, first)) == sum(map(len, second)), "the graphs have not as many edges")
    return first, second


def objective(instance, answer):
    first, second = graphs(instance)
    order(answer, len(first))
    return sum(answer[v] in second[answer[u]] for u, near in enumerate(first) for v in near if u < v)


def bound(instance):
    """All edges."""
    return sum(map(len, graphs(instance)[0])) // 2
