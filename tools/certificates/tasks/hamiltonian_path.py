"""All vertices in an order with an arc from as many as possible to the next one."""

from common import bits, need, numbers, order


def objective(instance, answer):
    n = len(instance["successors"])
    near = [set(numbers(row, 0, n, "successors")) for row in instance["successors"]]
    need(not any(u in row for u, row in enumerate(near)), "an arc leads from a vertex to itself")
    return sum(v in near[u] for u, v in zip(order(answer, n), answer[1:]))


def bound(instance):
    """An arc between every two consecutive vertices."""
    return len(instance["successors"]) - 1


def walk(instance, goal):
    """A case: the vertices in the order, the last of them, the steps without an arc. A remaining vertex costs one more
    step if no arc leads to it from the last one or another remaining one."""
    n = len(instance["successors"])
    near = [bits(set(row)) for row in instance["successors"]]
    into = [bits(u for u in range(n) if near[u] >> v & 1) for v in range(n)]

    def further(case):
        placed, last, lost = case
        left = [v for v in range(n) if not placed >> v & 1]
        if not left:
            return None
        cases = []
        for v in left:
            after = placed | 1 << v
            own = lost + (last >= 0 and not near[last] >> v & 1)
            cut_off = sum(not into[u] & ~(after & ~(1 << v)) for u in left if u != v)
            if n - 1 - own - cut_off > goal:
                cases.append((after, v, own))
        return cases

    return (0, -1, 0), further
