"""Vertices, pairwise adjacent; as many as possible."""

import networkx
from found import exact
from graphs import complement, neighbours_of, odd_graphs, to_igraph, to_networkx, within
from labels import named_vertices, under_vertex_labels

from tasks import independent_set
from tasks.independent_set import judge_pairs, label_count

MAXIMISE = True
ROWS = False
under_labels, answer_under_labels = under_vertex_labels, named_vertices


def judge(instance, answer):
    return judge_pairs(instance, answer, False, "not_adjacent")


def random_answer(instance, random):
    return independent_set.random_answer(complement(instance), random)


def add_a_common_neighbour(instance, answer, random):
    """Adds a vertex adjacent to all but at most one of those chosen."""
    near = neighbours_of(instance)
    inside = {v for v in answer if isinstance(v, int)}
    close = [v for v in range(instance["n"]) if v not in inside and len(inside - near[v]) <= 1]
    return answer + [random.choice(close)] if close else answer


mutants = [add_a_common_neighbour]
odd_instances = odd_graphs


def cp_model_of(instance):
    return independent_set.cp_model_of(complement(instance))


def igraph_peer(instance):
    graph = to_igraph(instance)
    return exact(lambda: list(graph.largest_cliques()[0]), within(graph.density() <= 0.7, instance))


def networkx_peer(instance):
    graph = to_networkx(instance)
    return exact(lambda: networkx.max_weight_clique(graph, weight=None)[0], instance["n"] <= 70)


PEERS = {"CP-SAT": cp_model_of, "igraph": igraph_peer, "NetworkX": networkx_peer}
