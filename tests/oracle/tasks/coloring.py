"""One colour per vertex, in vertex order; the ends of an edge differ; as few colours as possible."""

import networkx
from found import cp_sat, exact, heuristic
from graphs import edges_of, neighbours_of, odd_graphs, to_networkx
from labels import placed, under_vertex_labels as under_labels
from ortools.sat.python import cp_model
from verdict import Verdict, feasible, not_a_flat_list, worst

MAXIMISE = False
ROWS = False
MAX_TO_TRY_ALL = 9


def judge(instance, answer):
    edges = edges_of(instance)
    most = max(1, len(edges))
    if verdict := not_a_flat_list(answer, most):
        return verdict
    if not answer:
        return worst("empty", most)
    negative = next((i for i, colour in enumerate(answer) if colour < 0), None)
    if negative is not None:
        return worst("out_of_range", most, negative)
    if len(answer) != instance["n"]:
        return worst("wrong_length", most)
    wrong = [max(u, v) for u, v in edges if answer[u] == answer[v]]
    return Verdict("conflict", min(wrong), None, len(wrong), most) if wrong else feasible(len(set(answer)), most)


def answer_under_labels(answer, labels):
    return placed(answer, labels["vertex"]) if len(answer) == len(labels["vertex"]) else answer


def label_count(instance):
    return instance["n"]


def greedy(instance, order):
    near = neighbours_of(instance)
    colours = [-1] * instance["n"]
    for vertex in order:
        taken = {colours[other] for other in near[vertex]}
        colours[vertex] = next(c for c in range(instance["n"]) if c not in taken)
    return colours


def random_answer(instance, random):
    if random.random() < 0.2:
        return [random.randrange(8) for _ in range(instance["n"])]
    return greedy(instance, random.sample(range(instance["n"]), instance["n"]))


def merge_two_colours(instance, answer, random):
    del instance
    a, b = random.choice(answer), random.choice(answer)
    return [b if colour == a else colour for colour in answer]


def rename_a_colour(instance, answer, random):
    """The same classes under another, possibly huge, name."""
    del instance
    a, b = random.choice(answer), random.choice([7, 1000, 2**31 - 1])
    return [b if colour == a else colour for colour in answer]


mutants = [merge_two_colours, rename_a_colour]
odd_instances = odd_graphs


def clique_greedily(instance):
    near = neighbours_of(instance)
    best = []
    for start in range(instance["n"]):
        clique, candidates = [start], near[start]
        while candidates:
            vertex = max(candidates, key=lambda v: (len(near[v] & candidates), -v))
            clique.append(vertex)
            candidates = candidates & near[vertex]
        best = max(best, clique, key=len)
    return best


def cp_model_of(instance):
    n = instance["n"]
    model = cp_model.CpModel()
    start = greedy(instance, sorted(range(n), key=lambda v: -len(neighbours_of(instance)[v])))
    count = max(start) + 1
    used = [model.new_bool_var("") for _ in range(count)]
    has = [[model.new_bool_var("") for _ in range(count)] for _ in range(n)]
    for vertex in range(n):
        model.add_exactly_one(has[vertex])
        model.add_hint(has[vertex][start[vertex]], True)
        for c in range(count):
            model.add_implication(has[vertex][c], used[c])
    for u, v in edges_of(instance):
        for c in range(count):
            model.add_bool_or(~has[u][c], ~has[v][c])
    for c, vertex in enumerate(clique_greedily(instance)):
        model.add(has[vertex][c] == 1)
    for c in range(count - 1):
        model.add_implication(used[c + 1], used[c])
    model.minimize(sum(used))

    def read(solver):
        return [next(c for c in range(count) if solver.boolean_value(has[v][c])) for v in range(n)]

    return cp_sat(model, read)


def dsatur(instance):
    graph = to_networkx(instance)

    def call():
        colours = networkx.greedy_color(graph, strategy="DSATUR")
        return [colours[v] for v in range(instance["n"])]

    return heuristic(call)


def all_classes(instance):
    """Every partition of the vertices into classes, vertex after vertex."""
    near = neighbours_of(instance)

    def extended(colours):
        if len(colours) == instance["n"]:
            return colours
        vertex, found = len(colours), []
        for colour in range(max(colours, default=-1) + 2):
            if all(colours[other] != colour for other in near[vertex] if other < vertex):
                found.append(extended(colours + [colour]))
        return min(found, key=max)

    return exact(lambda: extended([]), instance["n"] <= MAX_TO_TRY_ALL)


PEERS = {"CP-SAT": cp_model_of, "plain trial": all_classes, "NetworkX DSATUR": dsatur}
