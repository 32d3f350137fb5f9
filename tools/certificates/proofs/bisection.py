"""Vertices are assigned to the halves one after another; places in the first half have a price."""

from common import weighted


def branch(instance, goal):
    """A case: the half of each vertex, None for an open one, with vertex 0 in half 0; an odd graph gets another vertex
    without edges. Then, by vertex, the weight of its edges into half 1 and into half 0; and the cut. For any price of a
    place in half 0, each open vertex costs at least the smaller of the price plus its edges into half 1, and its edges
    into half 0. All remaining places of half 0 are taken, so their prices are known and subtracted."""
    near = weighted(instance)
    near += [{}] * (len(near) % 2)
    weights = [[ways.get(v, 0) for v in range(len(near))] for ways in near]

    def joined(case, v, half):
        halves, *costs, cut = case
        halves = (*halves[:v], half, *halves[v + 1 :])
        cut += costs[half][v]
        costs[1 - half] = [a + b for a, b in zip(costs[1 - half], weights[v])]
        return halves, *costs, cut

    def further(case, v):
        if case[0][v] is not None:
            return None
        return [joined(case, v, half) for half in (0, 1) if case[0].count(half) < len(near) // 2]

    def closed(case, price):
        halves, into_1, into_0, cut = case
        left = len(near) // 2 - halves.count(0)
        least = sum(min(a + price, b) for half, a, b in zip(halves, into_1, into_0) if half is None)
        return cut + least - price * left >= goal

    nothing = ([0] * len(near),) * 2
    return joined(((None,) * len(near), *nothing, 0), 0, 0), further, closed
