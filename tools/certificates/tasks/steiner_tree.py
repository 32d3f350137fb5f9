"""Edges of minimum weight that connect all terminals."""

from common import bits, choice, need, shortest, weighted


def objective(instance, answer):
    near, joined = weighted(instance, 1), {choice(instance["terminals"], instance["n"], "terminals")[0]}
    need(
        all(len(edge) == 2 and 0 <= edge[0] < len(near) and edge[1] in near[edge[0]] for edge in answer), "no such edge"
    )
    for _ in answer:
        joined.update(end for edge in answer if joined & set(edge) for end in edge)
    need(joined.issuperset(instance["terminals"]), "two terminals are not joined")
    return sum(near[u][v] for u, v in answer)


def sums(instance):
    n, rest = instance["n"], len(instance["terminals"]) - 1
    return n**3 + 3**rest * n // 2 + 2**rest * n**2


def best(instance):
    """The lightest tree through each set of terminals but one and through a vertex (Dreyfus & Wagner 1971): two trees
    that meet in it, or one with a path to it."""
    ways, n = shortest(weighted(instance)), instance["n"]
    root, *rest = instance["terminals"]
    need(all(way is not None for row in ways for way in row), "the graph has more than one part")
    tree = {}
    for held in range(1, 2 ** len(rest)):
        lone = [t for at, t in enumerate(rest) if held == 1 << at]
        meet = [ways[lone[0]][v] for v in range(n)] if lone else None
        part, low = (held - 1) & held, held & -held
        while not lone and part:
            if part & low:
                both = [a + b for a, b in zip(tree[part], tree[held ^ part])]
                meet = both if meet is None else [min(pair) for pair in zip(meet, both)]
            part = (part - 1) & held
        tree[held] = meet if lone else [min(map(sum, zip(meet, ways[v]))) for v in range(n)]
    return tree[bits(range(len(rest)))][root] if rest else 0
