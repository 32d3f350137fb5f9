"""Maps the vertices of one graph to those of another; as many edges as possible map to edges."""

from itertools import permutations

import networkx
from found import cp_sat, exact, heuristic
from graphs import edges_of, neighbours_of, random_graph, relabelled, to_networkx
from labels import placed, renamed
from orders import mutants, not_an_order, random_order
from ortools.sat.python import cp_model
from verdict import feasible

MAXIMISE = True
ROWS = False
MAX_FOR_PERMUTATIONS = 7
MAX_FOR_VF2 = 16


def both(instance):
    """The two graphs, each as an instance of its own."""
    return [{"n": instance["n"], "edges": instance[name]} for name in ("edges1", "edges2")]


def pair(first, second):
    return {"n": first["n"], "edges1": first["edges"], "edges2": second["edges"]}


def label_count(instance):
    return instance["n"]


def judge(instance, answer):
    n = instance["n"]
    if verdict := not_an_order(answer, n):
        return verdict
    first, second = both(instance)
    near = neighbours_of(second)
    return feasible(sum(answer[v] in near[answer[u]] for u, v in edges_of(first)), n)


def under_labels(instance, labels):
    return {
        "n": instance["n"],
        "edges1": [renamed(edge, labels["vertex"]) for edge in instance["edges1"]],
        "edges2": [renamed(edge, labels["image"]) for edge in instance["edges2"]],
    }


def answer_under_labels(answer, labels):
    images = renamed(answer, labels["image"])
    return placed(images, labels["vertex"]) if len(images) == len(labels["vertex"]) else images


def random_answer(instance, random):
    return random_order(instance["n"], random)


def graph_of(graph):
    """NetworkX's graph with vertices from 0."""
    graph = networkx.convert_node_labels_to_integers(graph)
    return {"n": graph.number_of_nodes(), "edges": [list(edge) for edge in graph.edges]}


def odd_instances(random, count):
    empty = {"n": 3, "edges": []}
    yield "one vertex", pair({"n": 1, "edges": []}, {"n": 1, "edges": []})
    yield "no edges", pair(empty, empty)
    yield "an edge given twice", pair({"n": 3, "edges": [[0, 1], [1, 0]]}, {"n": 3, "edges": [[2, 1]]})
    named = {
        "petersen": networkx.petersen_graph(),
        "cube": networkx.hypercube_graph(3),
        "complete": networkx.complete_graph(8),
        "path": networkx.path_graph(9),
        "star": networkx.star_graph(7),
        "grid": networkx.grid_2d_graph(4, 5),
        "triangles": networkx.disjoint_union_all([networkx.complete_graph(3)] * 5),
        "dodecahedron": networkx.dodecahedral_graph(),
    }
    for name, graph in named.items():
        yield name, pair(graph_of(graph), relabelled(random, graph_of(graph)))
    yield (
        "one cycle and two",
        pair(graph_of(networkx.cycle_graph(6)), graph_of(networkx.disjoint_union(*[networkx.cycle_graph(3)] * 2))),
    )
    yield "path and star", pair(graph_of(networkx.path_graph(6)), graph_of(networkx.star_graph(5)))
    yield (
        "prism and bipartite",
        pair(graph_of(networkx.circular_ladder_graph(3)), graph_of(networkx.complete_bipartite_graph(3, 3))),
    )
    for index in range(count):
        n = random.choice([2, 3, 4, 5, 6, 7, 8, 12, 16, 31, 32, 33])
        first = random_graph(random, n, random.choice([0.1, 0.3, 0.5, 0.9]))
        if random.random() < 0.6:
            yield f"random {index}: {n}, the same", pair(first, relabelled(random, first))
        else:
            pairs = [[u, v] for u in range(n) for v in range(u)]
            second = {"n": n, "edges": random.sample(pairs, len(edges_of(first)))}
            yield f"random {index}: {n}, as many edges", pair(first, second)
    for n in (64, 65, 129):
        yield f"{n} in a ring", pair(*[relabelled(random, graph_of(networkx.cycle_graph(n))) for _ in range(2)])


def cp_model_of(instance):
    first, second = both(instance)
    n = instance["n"]
    near = neighbours_of(second)
    model = cp_model.CpModel()
    goes = [[model.new_bool_var("") for _ in range(n)] for _ in range(n)]
    for v in range(n):
        model.add_exactly_one(goes[v])
        model.add_exactly_one(goes[u][v] for u in range(n))
    kept = []
    for u, v in edges_of(first):
        kept.append(model.new_bool_var(""))
        for w in range(n):
            model.add_bool_or([kept[-1].negated(), goes[u][w].negated(), *(goes[v][x] for x in near[w])])
    model.maximize(sum(kept))
    return cp_sat(model, lambda solver: [next(w for w in range(n) if solver.boolean_value(row[w])) for row in goes])


def permutations_of(instance):
    """The best of all maps: small graphs only."""
    n = instance["n"]
    return exact(
        lambda: list(max(permutations(range(n)), key=lambda p: judge(instance, list(p)).objective)),
        n <= MAX_FOR_PERMUTATIONS,
    )


def vf2_of(instance):
    """NetworkX's matcher (VF2), which finds an isomorphism or nothing."""

    def call():
        matcher = networkx.isomorphism.GraphMatcher(*map(to_networkx, both(instance)))
        return [matcher.mapping[v] for v in range(instance["n"])] if matcher.is_isomorphic() else None

    return heuristic(call, instance["n"] <= MAX_FOR_VF2)


PEERS = {"CP-SAT": cp_model_of, "plain permutations": permutations_of, "NetworkX VF2": vf2_of}
