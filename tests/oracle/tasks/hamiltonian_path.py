"""All vertices of a directed graph in a line; as many as possible are successors of the one before."""

from found import cp_sat, exact
from labels import placed, renamed
from orders import mutants as of_orders, not_an_order, random_order
from ortools.sat.python import cp_model
from verdict import feasible

MAXIMISE = True
ROWS = False
MAX_FOR_TABLE = 12


def label_count(instance):
    return len(instance["successors"])


def judge(instance, answer):
    successors = [set(row) for row in instance["successors"]]
    if verdict := not_an_order(answer, len(successors)):
        return verdict
    return feasible(sum(v in successors[u] for u, v in zip(answer, answer[1:])), len(successors))


def under_labels(instance, labels):
    new = labels["vertex"]
    return {"successors": placed([renamed(row, new) for row in instance["successors"]], new)}


def answer_under_labels(answer, labels):
    return renamed(answer, labels["vertex"])


def random_answer(instance, random):
    return random_order(label_count(instance), random)


def follow_arcs(instance, answer, random):
    """From a place in the answer along arcs as far as they lead, then the rest."""
    n = label_count(instance)
    start = random.randrange(n)
    walk = [start]
    while options := [v for v in instance["successors"][walk[-1]] if v not in walk]:
        walk.append(random.choice(options))
    return walk + [v for v in answer if v not in walk]


mutants = [*of_orders, follow_arcs]


def odd_instances(random, count):
    yield "two vertices, no arc", {"successors": [[], []]}
    yield "two vertices, both ways", {"successors": [[1], [0]]}
    yield "no arcs", {"successors": [[]] * 9}
    yield "all arcs", {"successors": [[v for v in range(8) if v != u] for u in range(8)]}
    yield "a cycle", {"successors": [[(v + 1) % 10] for v in range(10)]}
    yield (
        "two cycles",
        {"successors": [[(v + 1) % 5 + v // 5 * 5] for v in range(5)] + [[5 + (v + 1) % 5] for v in range(5)]},
    )
    yield "a star out", {"successors": [list(range(1, 9))] + [[]] * 8}
    yield "a star in", {"successors": [[]] + [[0]] * 8}
    yield "no cycle", {"successors": [[v for v in (u + 2, u + 1) if v < 12] for u in range(12)]}
    yield "an arc given twice", {"successors": [[2, 2], [0], []]}
    for index in range(count):
        n = random.choice([3, 4, 5, 7, 10, 12, 16, 31, 32, 33, 40])
        ways = random.choice([1, 1, 2, 2, 3, 5])
        rows = [sorted({random.randrange(n) for _ in range(ways)} - {u}) for u in range(n)]
        yield f"random {index}: {n}, {ways}", {"successors": rows}
    for n in (64, 65, 257):
        yield f"{n} in a line", {"successors": [[v + 1] for v in range(n - 1)] + [[]]}


def cp_model_of(instance):
    """A circuit through all vertices and one more, over any steps, where those along arcs count."""
    n = label_count(instance)
    model = cp_model.CpModel()
    arcs = [(u, v, model.new_bool_var("")) for u in range(n + 1) for v in range(n + 1) if u != v]
    model.add_circuit(arcs)
    model.maximize(sum(x for u, v, x in arcs if u < n and v in instance["successors"][u]))

    def order(solver):
        after = {u: v for u, v, x in arcs if solver.boolean_value(x)}
        path = [after[n]]
        while after[path[-1]] != n:
            path.append(after[path[-1]])
        return path

    return cp_sat(model, order)


def table_of(instance):
    """The best order of every set of vertices by its last one: small graphs only."""
    n = label_count(instance)

    def call():
        best = {(1 << v, v): (0, [v]) for v in range(n)}
        for chosen in range(1, 1 << n):
            for last in range(n):
                if (chosen, last) not in best:
                    continue
                kept, order = best[chosen, last]
                for v in range(n):
                    if not chosen >> v & 1:
                        way = (kept + (v in instance["successors"][last]), order + [v])
                        key = (chosen | 1 << v, v)
                        if key not in best or way[0] > best[key][0]:
                            best[key] = way
        return max(best[(1 << n) - 1, v] for v in range(n))[1]

    return exact(call, n <= MAX_FOR_TABLE)


PEERS = {"CP-SAT": cp_model_of, "plain table": table_of}
