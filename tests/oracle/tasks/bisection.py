"""Two halves of the vertices whose sizes differ by at most one; the weight of the edges between them is minimised."""

from itertools import combinations

import networkx
from found import cp_sat, exact, heuristic
from graphs import odd_graphs
from labels import named_vertices, under_vertex_labels as under_labels
from ortools.sat.python import cp_model
from verdict import Verdict, feasible, first_outside, first_repeat, is_rows, values_of, worst

MAXIMISE = False
ROWS = True
KERNIGHAN_LIN_STARTS = 8
MAX_TO_TRY_ALL = 12


def judge(instance, answer):
    n = instance["n"]
    most = 2 * n
    if isinstance(answer, str):
        return worst("unparsable", most)
    if not answer:
        return worst("empty", most)
    if not is_rows(answer):
        return worst("bad_depth", most)
    if len(answer) != 2:
        return worst("not_two_parts", most)
    values = values_of(answer)
    if (at := first_outside(values, n)) is not None:
        return worst("out_of_range", most, at)
    missing = n - len(set(values))
    again = sum(values.count(v) > 1 for v in set(values))
    left, right = answer
    off = missing + again + max(0, abs(len(left) - len(right)) - 1)
    if off:
        at = first_repeat(values)
        code = "repeated" if at is not None else "wrong_length" if missing else "unbalanced"
        return Verdict(code, -1 if at is None else at, None, min(off, most), most)
    inside = set(left)
    return feasible(sum(w for u, v, w in edges_of(instance) if (u in inside) != (v in inside)), most)


def edges_of(instance):
    return sorted({(min(u, v), max(u, v), w) for u, v, w in instance["edges"]})


def answer_under_labels(answer, labels):
    return [named_vertices(part, labels) for part in answer]


def label_count(instance):
    return instance["n"]


def random_answer(instance, random):
    order = random.sample(range(instance["n"]), instance["n"])
    half = instance["n"] // 2 + random.randint(0, instance["n"] % 2)
    return [order[:half], order[half:]]


def halves(answer):
    return len(answer) == 2 and all(isinstance(half, list) and half for half in answer)


def exchange(instance, answer, random):
    """Exchanges one vertex of each half, which stays feasible."""
    del instance
    if not halves(answer):
        return answer
    left, right = list(answer[0]), list(answer[1])
    i, j = random.randrange(len(left)), random.randrange(len(right))
    left[i], right[j] = right[j], left[i]
    return [left, right]


def move_one(instance, answer, random):
    del instance
    if not halves(answer):
        return answer
    left, right = [list(half) for half in random.sample(answer, 2)]
    right.append(left.pop(random.randrange(len(left))))
    return [left, right]


def other_half(instance, answer, random):
    del instance, random
    return answer[::-1]


mutants = [exchange, exchange, move_one, other_half]


def odd_instances(random, count):
    for name, graph in odd_graphs(random, count):
        top = random.choice([0, 1, 1, 3, 10, 1000, 10**6])
        low = random.choice([0, top])
        weight = {(min(u, v), max(u, v)): random.randint(low, top) for u, v in graph["edges"]}
        edges = [[u, v, weight[min(u, v), max(u, v)]] for u, v in graph["edges"]]
        if graph["n"] <= 33:
            yield f"{name}, weights {low}-{top}", {"n": graph["n"], "edges": edges}


def cp_model_of(instance):
    n = instance["n"]
    model = cp_model.CpModel()
    side = [model.new_bool_var("") for _ in range(n)]
    model.add(sum(side) == n // 2)
    cut = []
    for u, v, w in edges_of(instance):
        across = model.new_bool_var("")
        model.add_bool_or(across, ~side[u], side[v])
        model.add_bool_or(across, side[u], ~side[v])
        cut.append(w * across)
    if n % 2 == 0:
        model.add(side[0] == 0)
    model.minimize(sum(cut))

    def read(solver):
        chosen = [solver.boolean_value(x) for x in side]
        return [[v for v in range(n) if chosen[v] == which] for which in (False, True)]

    return cp_sat(model, read)


def kernighan_lin(instance):
    graph = networkx.Graph()
    graph.add_nodes_from(range(instance["n"]))
    graph.add_weighted_edges_from(edges_of(instance))

    def call():
        if instance["n"] < 4:  # NetworkX raises on some of these
            return None
        cuts = [
            networkx.algorithms.community.kernighan_lin_bisection(graph, seed=seed)
            for seed in range(KERNIGHAN_LIN_STARTS)
        ]
        best = min(cuts, key=lambda halves: networkx.cut_size(graph, halves[0], weight="weight"))
        return [sorted(best[0]), sorted(best[1])]

    return heuristic(call)


def all_halves(instance):
    n = instance["n"]

    def call():
        choices = ([list(left), [v for v in range(n) if v not in left]] for left in combinations(range(n), n // 2))
        return min(choices, key=lambda halves: judge(instance, halves).objective)

    return exact(call, n <= MAX_TO_TRY_ALL)


PEERS = {"CP-SAT": cp_model_of, "plain trial": all_halves, "NetworkX Kernighan-Lin x8": kernighan_lin}
