"""Exactly k vertices; the largest distance of a vertex to the nearest of them, by shortest paths, is minimised."""

from heapq import heappop, heappush

from found import cp_sat
from labels import named_vertices, under_vertex_labels
from lengths import neighbour_lengths, odd_lengths
from ortools.sat.python import cp_model
from verdict import feasible, not_a_flat_list, outside_or_repeated, worst

MAXIMISE = False
ROWS = False
under_labels, answer_under_labels = under_vertex_labels, named_vertices


def distances(instance, sources):
    """The distance of each vertex to the nearest source."""
    near, far, heap = neighbour_lengths(instance), {}, [(0, source) for source in sources]
    while heap:
        length, v = heappop(heap)
        if v not in far:
            far[v] = length
            for u, weight in near[v]:
                heappush(heap, (length + weight, u))
    return [far[v] for v in range(instance["n"])]


def judge(instance, answer):
    k = instance["k"]
    if verdict := not_a_flat_list(answer, k):
        return verdict
    if len(answer) != k:
        return worst("wrong_length", k)
    if verdict := outside_or_repeated(answer, instance["n"], k):
        return verdict
    return feasible(max(distances(instance, answer)), k)


def label_count(instance):
    return instance["n"]


def random_answer(instance, random):
    return random.sample(range(instance["n"]), instance["k"])


def move_to_a_neighbour(instance, answer, random):
    near = neighbour_lengths(instance)
    inside = [i for i, v in enumerate(answer) if isinstance(v, int) and 0 <= v < instance["n"] and near[v]]
    if not inside:
        return answer
    at = random.choice(inside)
    return answer[:at] + [random.choice(near[answer[at]])[0]] + answer[at + 1 :]


mutants = [move_to_a_neighbour]


def odd_instances(random, count):
    for name, graph in odd_lengths(random, count):
        for k in sorted({1, random.randint(1, graph["n"]), graph["n"]}):
            yield f"{name}, k {k}", dict(graph, k=k)


def cp_model_of(instance):
    """A vertex is served by one centre; the radius is at least each served distance."""
    n = instance["n"]
    far = [distances(instance, [v]) for v in range(n)]
    model = cp_model.CpModel()
    centre = [model.new_bool_var("") for _ in range(n)]
    radius = model.new_int_var(0, max(map(max, far)), "")
    model.add(sum(centre) == instance["k"])
    for v in range(n):
        serves = [model.new_bool_var("") for _ in range(n)]
        model.add_exactly_one(serves)
        for u in range(n):
            model.add_implication(serves[u], centre[u])
        model.add(radius >= sum(far[v][u] * serves[u] for u in range(n)))
    model.minimize(radius)
    return cp_sat(model, lambda solver: [v for v in range(n) if solver.boolean_value(centre[v])])


PEERS = {"CP-SAT": cp_model_of}
