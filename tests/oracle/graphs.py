"""Small and odd graphs, and common parts of the graph tasks."""

import igraph
import networkx


def edges_of(instance):
    """Distinct edges as pairs u < v, in order."""
    return sorted({(min(edge[0], edge[1]), max(edge[0], edge[1])) for edge in instance["edges"]})


def neighbours_of(instance):
    near = [set() for _ in range(instance["n"])]
    for u, v in edges_of(instance):
        near[u].add(v)
        near[v].add(u)
    return near


def complement(instance):
    near = neighbours_of(instance)
    n = instance["n"]
    return {"n": n, "edges": [[u, v] for u in range(n) for v in range(u + 1, n) if v not in near[u]]}


def to_networkx(instance):
    graph = networkx.Graph()
    graph.add_nodes_from(range(instance["n"]))
    graph.add_edges_from(edges_of(instance))
    return graph


def to_igraph(instance):
    return igraph.Graph(n=instance["n"], edges=edges_of(instance))


def within(even_density, instance):
    """igraph lists all largest sets, which never ends when there are very many."""
    return instance["n"] <= 20 or (even_density and instance["n"] <= 70)


def random_graph(random, n, density):
    return {"n": n, "edges": [[u, v] for u in range(n) for v in range(u + 1, n) if random.random() < density]}


def united(*parts):
    """The disjoint union: no edges between the graphs."""
    n, edges = 0, []
    for part in parts:
        edges += [[u + n, v + n] for u, v in part["edges"]]
        n += part["n"]
    return {"n": n, "edges": edges}


def relabelled(random, instance):
    """The same graph under other names, with its edges in another order and direction."""
    names = list(range(instance["n"]))
    random.shuffle(names)
    edges = [[names[u], names[v]] if random.random() < 0.5 else [names[v], names[u]] for u, v in instance["edges"]]
    random.shuffle(edges)
    return {"n": instance["n"], "edges": edges}


def cycle(n):
    return {"n": n, "edges": [[v, (v + 1) % n] for v in range(n)] if n > 2 else [[0, 1]][: n - 1]}


def odd_graphs(random, count):
    """(name, instance): extremes, named graphs and `count` random ones of all densities."""
    petersen = {"n": 10, "edges": [list(edge) for edge in networkx.petersen_graph().edges]}
    yield "one vertex", {"n": 1, "edges": []}
    for n in (2, 3, 8, 33):
        yield f"empty, {n}", {"n": n, "edges": []}
        yield f"complete, {n}", random_graph(random, n, 1.0)
    yield "path", {"n": 7, "edges": [[v, v + 1] for v in range(6)]}
    yield "star", {"n": 9, "edges": [[0, v] for v in range(1, 9)]}
    yield "bipartite", {"n": 9, "edges": [[u, v] for u in range(4) for v in range(4, 9)]}
    yield "odd cycle", cycle(9)
    yield "even cycle", cycle(10)
    yield "petersen", petersen
    yield (
        "grid",
        {"n": 20, "edges": [[u, v] for u in range(20) for v in range(20) if v == u + 1 and v % 5 or v == u + 5]},
    )
    yield "one edge and loners", {"n": 12, "edges": [[3, 7]]}
    yield "edge given twice", {"n": 3, "edges": [[0, 1], [1, 0], [1, 2]]}
    yield "two parts", united(random_graph(random, 8, 0.7), random_graph(random, 9, 0.4))
    yield "bridge", {"n": 10, "edges": united(cycle(5), cycle(5))["edges"] + [[0, 5]]}
    yield "three cycles", united(cycle(3), cycle(5), cycle(4))
    for index in range(count):
        n = random.choice([2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 31, 32, 33, 40])
        density = random.choice([0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.85, 0.95])
        yield f"random {index}: {n}, {density}", relabelled(random, random_graph(random, n, density))
    yield "64 vertices", random_graph(random, 64, 0.5)
    yield "65 vertices", random_graph(random, 65, 0.5)
