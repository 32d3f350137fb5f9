"""The longest cycle: at least three vertices, none twice, every consecutive and the closing pair an edge."""

from found import cp_sat, exact
from graphs import edges_of, neighbours_of, odd_graphs
from labels import named_vertices, under_vertex_labels
from ortools.sat.python import cp_model
from verdict import Verdict, feasible, not_a_flat_list, outside_or_repeated, values_of, worst

MAXIMISE = True
ROWS = False
under_labels, answer_under_labels = under_vertex_labels, named_vertices
MAX_FOR_TABLE = 12


def judge(instance, answer):
    cycle = values_of(answer)
    if len(cycle) > 1 and cycle[0] == cycle[-1]:
        cycle.pop()
    most = max(1, len(cycle))
    if verdict := not_a_flat_list(answer, most):
        return verdict
    if not answer:
        return worst("empty", most)
    if verdict := outside_or_repeated(cycle, instance["n"], most):
        return verdict
    if len(cycle) < 3:
        return worst("wrong_length", most)
    near = neighbours_of(instance)
    missing = [i for i, v in enumerate(cycle) if cycle[(i + 1) % len(cycle)] not in near[v]]
    return Verdict("no_edge", missing[0], None, len(missing), most) if missing else feasible(len(cycle), most)


def label_count(instance):
    return instance["n"]


def random_answer(instance, random):
    """A walk without repetitions, closed if possible."""
    near = neighbours_of(instance)
    walk = [random.randrange(instance["n"])]
    while options := sorted(near[walk[-1]].difference(walk)):
        walk.append(random.choice(options))
    while len(walk) > 3 and walk[0] not in near[walk[-1]] and random.random() < 0.97:
        walk.pop()
    return walk


def close_the_cycle(instance, answer, random):
    del instance, random
    return answer + answer[:1]


def shortcut(instance, answer, random):
    """Leaves out a part whose ends are joined by an edge: a shorter cycle."""
    near = neighbours_of(instance)
    ends = [
        (a, b)
        for a in range(len(answer))
        for b in range(a + 2, len(answer))
        if 0 <= answer[a] < instance["n"] and answer[b] in near[answer[a]]
    ]
    if not ends:
        return answer
    a, b = random.choice(ends)
    return answer[: a + 1] + answer[b:] if random.random() < 0.5 else answer[a : b + 1]


mutants = [close_the_cycle, shortcut]
odd_instances = odd_graphs


def cp_model_of(instance):
    model = cp_model.CpModel()
    visited = [model.new_bool_var("") for _ in range(instance["n"])]
    arcs = [(v, v, ~x) for v, x in enumerate(visited)]
    for u, v in edges_of(instance):
        arcs += [(u, v, model.new_bool_var("")), (v, u, model.new_bool_var(""))]
    model.add_circuit(arcs)
    model.add(sum(visited) >= 3)
    model.maximize(sum(visited))

    def cycle(solver):
        after = {a: b for a, b, x in arcs if a != b and solver.boolean_value(x)}
        order = [min(after)]
        while len(order) < len(after):
            order.append(after[order[-1]])
        return order

    return cp_sat(model, cycle)


def table_of(instance):
    """All simple paths by the set they visit, from the smallest vertex of the cycle: small graphs only."""
    n = instance["n"]
    near = neighbours_of(instance)

    def call():
        best = []
        for start in range(n):
            paths = {1 << start: {start: [start]}}
            for visited in sorted(range(1 << start, 1 << n, 1 << start), key=lambda s: (s.bit_count(), s)):
                for end, path in paths.get(visited, {}).items():
                    if len(path) > max(2, len(best)) and start in near[end]:
                        best = path
                    for v in near[end]:
                        if v > start and not visited >> v & 1:
                            paths.setdefault(visited | 1 << v, {}).setdefault(v, path + [v])
        return best or None

    return exact(call, n <= MAX_FOR_TABLE)


PEERS = {"CP-SAT": cp_model_of, "plain table": table_of}
