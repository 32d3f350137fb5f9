"""Vertices, pairwise not adjacent; as many as possible."""

from itertools import combinations

import networkx
from found import cp_sat, exact
from graphs import complement, edges_of, neighbours_of, odd_graphs, to_igraph, to_networkx, within
from labels import named_vertices, under_vertex_labels
from ortools.sat.python import cp_model
from verdict import Verdict, feasible, not_a_flat_list, outside_or_repeated, values_of, worst

MAXIMISE = True
ROWS = False
under_labels, answer_under_labels = under_vertex_labels, named_vertices


def judge_pairs(instance, answer, adjacent_is_wrong, code):
    """Shared with clique: chosen vertices, where no pair may be adjacent, or every pair must be."""
    k = len(values_of(answer))
    most = max(1, k * (k - 1) // 2)
    if verdict := not_a_flat_list(answer, most):
        return verdict
    if not answer:
        return worst("empty", most)
    if verdict := outside_or_repeated(answer, instance["n"], most):
        return verdict
    edges = set(edges_of(instance))
    wrong = [
        j
        for i, j in combinations(range(k), 2)
        if ((min(answer[i], answer[j]), max(answer[i], answer[j])) in edges) == adjacent_is_wrong
    ]
    return Verdict(code, min(wrong), None, len(wrong), most) if wrong else feasible(k, most)


def judge(instance, answer):
    return judge_pairs(instance, answer, True, "adjacent")


def label_count(instance):
    return instance["n"]


def random_answer(instance, random):
    near = neighbours_of(instance)
    order = random.sample(range(instance["n"]), instance["n"])
    chosen = []
    for vertex in order[: random.randint(1, len(order))]:
        if not near[vertex].intersection(chosen):
            chosen.append(vertex)
    return chosen


def add_a_neighbour(instance, answer, random):
    """Adds a vertex adjacent to a chosen one."""
    near = neighbours_of(instance)
    inside = [v for v in answer if isinstance(v, int) and 0 <= v < instance["n"] and near[v]]
    return answer + [random.choice(sorted(near[random.choice(inside)]))] if inside else answer


mutants = [add_a_neighbour]
odd_instances = odd_graphs


def cp_model_of(instance):
    model = cp_model.CpModel()
    chosen = [model.new_bool_var("") for _ in range(instance["n"])]
    for u, v in edges_of(instance):
        model.add_bool_or(~chosen[u], ~chosen[v])
    model.maximize(sum(chosen))
    return cp_sat(model, lambda solver: [v for v, x in enumerate(chosen) if solver.boolean_value(x)])


def igraph_peer(instance):
    graph = to_igraph(instance)
    return exact(lambda: list(graph.largest_independent_vertex_sets()[0]), within(graph.density() >= 0.3, instance))


def igraph_clique_peer(instance):
    graph = to_igraph(complement(instance))
    return exact(lambda: list(graph.largest_cliques()[0]), within(graph.density() <= 0.7, instance))


def networkx_peer(instance):
    graph = to_networkx(complement(instance))
    return exact(lambda: networkx.max_weight_clique(graph, weight=None)[0], instance["n"] <= 70)


PEERS = {"CP-SAT": cp_model_of, "igraph": igraph_peer, "igraph clique": igraph_clique_peer, "NetworkX": networkx_peer}
