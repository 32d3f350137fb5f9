"""Connected graphs with edge lengths: small and odd ones, and common parts of the tasks on them."""

from graphs import edges_of, odd_graphs


def lengths_of(instance):
    """{(u, v): length}, u < v."""
    return {(min(u, v), max(u, v)): length for u, v, length in instance["edges"]}


def neighbour_lengths(instance):
    """Each vertex's neighbours, as (vertex, length)."""
    near = [[] for _ in range(instance["n"])]
    for (u, v), length in sorted(lengths_of(instance).items()):
        near[u].append((v, length))
        near[v].append((u, length))
    return near


def components(n, pairs):
    """The smallest vertex of each vertex's component, when pairs are joined."""
    root = list(range(n))

    def find(v):
        while root[v] != v:
            v = root[v]
        return v

    for u, v in pairs:
        a, b = find(u), find(v)
        root[max(a, b)] = min(a, b)
    return [find(v) for v in range(n)]


def odd_lengths(random, count, most=24):
    """(name, instance): odd graphs made connected, with equal, small or very different edge lengths."""
    for name, graph in odd_graphs(random, count):
        n = graph["n"]
        if n > most:
            continue
        edges = edges_of(graph)
        roots = sorted(set(components(n, edges)))
        edges += zip(roots, roots[1:])
        kind = random.choice(["alike", "small", "wild"])
        lengths = {"alike": [7], "small": range(1, 10), "wild": [1, 2, 1000, 100_000]}[kind]
        yield f"{name}, {kind}", {"n": n, "edges": [[u, v, random.choice(lengths)] for u, v in edges]}
