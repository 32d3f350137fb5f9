"""Lower bounds on round trips by 1-trees (Held & Karp 1970), in a tree of cases that leave out or take an edge. A leaf
gives each vertex a toll. The cheapest 1-tree with the tolls, less twice all tolls, is at most any round trip of the
case."""

from common import need


def cheapest(distance, scale, tolls, taken, left_out):
    """The weight of the minimum 1-tree with the tolls, times scale; None where the case has no 1-tree."""
    n = len(distance)

    def edges(vertices):
        found = []
        for u, v in vertices:
            if (u, v) not in left_out:
                found.append(((u, v) not in taken, scale * distance[u][v] + tolls[u] + tolls[v], u, v))
        return sorted(found)

    at_first = edges([(0, v) for v in range(1, n)])
    if len(at_first) < 2 or sum(not free for free, *_ in at_first) > 2:
        return None
    total = at_first[0][1] + at_first[1][1]
    root = list(range(n))

    def top(v):
        while root[v] != v:
            root[v] = root[root[v]]
            v = root[v]
        return v

    joined = 1
    for free, weight, u, v in edges([(i, j) for i in range(1, n) for j in range(i + 1, n)]):
        a, b = top(u), top(v)
        if a != b:
            root[a] = b
            total += weight
            joined += 1
        elif not free:
            return None
    return total if joined == n - 1 else None


def prove(task, instance, objective, proof):
    distance, scale = task.distances(instance), proof["scale"]
    need(len(distance) >= 3 and type(scale) is int and scale > 0, "no three vertices, or a scale that is not positive")
    waiting = [((), ())]
    for node in proof["tree"]:
        need(waiting, "the tree goes on after its last case")
        taken, left_out = waiting.pop()
        if len(node) == 2:
            u, v = sorted(node)
            need(0 <= u < v < len(distance) and (u, v) not in taken + left_out, "a case branches on no free edge")
            waiting += [((*taken, (u, v)), left_out), (taken, (*left_out, (u, v)))]
            continue
        need(len(node) == len(distance) and all(type(toll) is int for toll in node), "not a toll for each vertex")
        least = cheapest(distance, scale, node, set(taken), set(left_out))
        need(least is None or least - 2 * sum(node) > scale * (objective - 1), "a leaf leaves room for a better answer")
    need(not waiting, f"{len(waiting)} cases of the tree are missing")
