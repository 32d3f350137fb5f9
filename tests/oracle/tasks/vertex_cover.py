"""Vertices that contain an end of every edge; the least total weight."""

from found import cp_sat, highs
from graphs import edges_of, neighbours_of, odd_graphs
from labels import named_vertices, under_vertex_labels
from ortools.sat.python import cp_model
from verdict import Verdict, feasible, not_a_flat_list, outside_or_repeated

MAXIMISE = False
ROWS = False
under_labels, answer_under_labels = under_vertex_labels, named_vertices


def judge(instance, answer):
    edges = edges_of(instance)
    most = max(1, len(edges))
    if verdict := not_a_flat_list(answer, most) or outside_or_repeated(answer, instance["n"], most):
        return verdict
    open_edges = sum(u not in answer and v not in answer for u, v in edges)
    if open_edges:
        return Verdict("uncovered_edge", -1, None, open_edges, most)
    return feasible(sum(instance["weights"][v] for v in answer), most)


def label_count(instance):
    return instance["n"]


def random_answer(instance, random):
    chosen = []
    for edge in random.sample(edges_of(instance), len(edges_of(instance))):
        if not set(edge).intersection(chosen):
            chosen.append(random.choice(edge))
    return chosen


def exchange_for_neighbours(instance, answer, random):
    """Removes one vertex and adds all its neighbours: a cover again."""
    near = neighbours_of(instance)
    inside = [v for v in answer if isinstance(v, int) and 0 <= v < instance["n"]]
    if not inside:
        return answer
    out = random.choice(inside)
    return sorted({v for v in inside if v != out} | near[out])


mutants = [exchange_for_neighbours]


def odd_instances(random, count):
    """Graphs with weights: all equal, following the degree, or of very different sizes."""
    for name, graph in odd_graphs(random, count):
        kind = random.choice(["alike", "degree", "wild"])
        near = neighbours_of(graph)
        weights = [
            {"alike": 7, "degree": 1 + len(near[v]), "wild": random.choice([1, 2, 1000, 10**6])}[kind]
            for v in range(graph["n"])
        ]
        if graph["n"] <= 40:
            yield f"{name}, weights {kind}", dict(graph, weights=weights)


def demands(instance):
    return edges_of(instance)


def cp_model_for(demands_of):
    def cp_model_of(instance):
        model = cp_model.CpModel()
        chosen = [model.new_bool_var("") for _ in range(instance["n"])]
        for members in demands_of(instance):
            model.add_bool_or([chosen[v] for v in members])
        model.minimize(sum(w * x for w, x in zip(instance["weights"], chosen)))
        return cp_sat(model, lambda solver: [v for v, x in enumerate(chosen) if solver.boolean_value(x)])

    return cp_model_of


def highs_for(demands_of):
    def highs_model(instance):
        rows = [(1, len(members), list(members), [1] * len(members)) for members in demands_of(instance)]
        return highs(instance["weights"], rows, False, lambda chosen: chosen)

    return highs_model


PEERS = {"CP-SAT": cp_model_for(demands), "HiGHS": highs_for(demands)}
