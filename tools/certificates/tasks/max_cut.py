"""Two sides with edges of maximum weight between them."""

from common import need, numbers, weighted as weighted_from


def weighted(instance):
    return weighted_from(instance, 1 - 2**31)


def objective(instance, answer):
    near = weighted(instance)
    need(len(numbers(answer, 0, 2, "answer")) == len(near), "the answer has not a side for each vertex")
    return sum(w for u, ways in enumerate(near) for v, w in ways.items() if u < v and answer[u] != answer[v])


def bound(instance):
    """All edges with a weight above 0."""
    return sum(sum(max(weight, 0) for weight in ways.values()) for ways in weighted(instance)) // 2


def linear(instance, goal):
    """A variable per edge, in ascending order of ends: whether it is cut. Each cycle has an even number of cut edges:
    of an odd number of its edges not all are cut, or another of its edges is, too."""
    edges = [(u, v) for u, ways in enumerate(weighted(instance)) for v in sorted(ways) if u < v]
    number = {pair: at for at, (u, v) in enumerate(edges) for pair in ((u, v), (v, u))}

    def row(name, *walk):
        need(name == "circle" and len(walk) % 2 == 0 and set(walk[1::2]) <= {0, 1}, "no such inequality")
        vertices, cut, terms = walk[::2], walk[1::2], {}
        need(sum(cut) % 2 == 1, "an even number of edges counts as cut")
        for u, v, one in zip(vertices, vertices[1:] + vertices[:1], cut):
            terms[number[u, v]] = terms.get(number[u, v], 0) + (-1 if one else 1)
        return terms, 1 - sum(cut)

    near = weighted(instance)
    return {at: -near[u][v] for at, (u, v) in enumerate(edges)}, -goal, len(edges), row
