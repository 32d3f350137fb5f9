"""A side, 0 or 1, for each vertex; as much weight as possible on the edges between the sides."""

from found import cp_sat, exact
from labels import other_bits, placed, random_bits, renamed
from ortools.sat.python import cp_model
from verdict import feasible, first_outside, not_a_flat_list, worst

MAXIMISE = True
ROWS = False
MAX_TO_TRY_ALL = 12


def edges_of(instance):
    """Each pair once."""
    return {tuple(sorted((u, v))): weight for u, v, weight in instance["edges"]}


def weight_between(instance, sides):
    return sum(weight for (u, v), weight in edges_of(instance).items() if sides[u] != sides[v])


def judge(instance, answer):
    most = instance["n"]
    if verdict := not_a_flat_list(answer, most):
        return verdict
    if not answer:
        return worst("empty", most)
    if len(answer) != instance["n"]:
        return worst("wrong_length", most)
    if (at := first_outside(answer, 2)) is not None:
        return worst("out_of_range", most, at)
    return feasible(weight_between(instance, answer), most)


def under_labels(instance, labels):
    edges = [renamed(edge[:2], labels["vertex"]) + edge[2:] for edge in instance["edges"]]
    return dict(instance, edges=sorted(edges))


def answer_under_labels(answer, labels):
    return placed(answer, labels["vertex"]) if len(answer) == len(labels["vertex"]) else answer


def label_count(instance):
    return instance["n"]


random_answer = random_bits
mutants = [other_bits]


def odd_instances(random, count):
    yield "one vertex", {"n": 1, "edges": []}
    yield "no edges", {"n": 5, "edges": []}
    yield "a weight of zero", {"n": 3, "edges": [[0, 1, 0], [1, 2, 4]]}
    yield "int32's end", {"n": 4, "edges": [[u, v, 2**31 - 1] for u in range(4) for v in range(u)]}
    yield "an even circle", {"n": 8, "edges": [[i, (i + 1) % 8, 3] for i in range(8)]}
    yield "an odd circle", {"n": 9, "edges": [[i, (i + 1) % 9, 1 + i] for i in range(9)]}
    yield "negative weights alone", {"n": 4, "edges": [[0, 1, -1], [1, 2, 1 - 2**31], [3, 0, -9]]}
    yield "two parts", {"n": 6, "edges": [[0, 1, 2], [1, 2, 2], [2, 0, 2], [3, 4, 5], [4, 5, 5]]}
    for index in range(count):
        n = random.randint(2, 20)
        permille = random.choice([100, 300, 600, 1000]) if n < 16 else random.choice([100, 300])
        top = random.choice([1, 10, 10**6])
        least = random.choice([0, 0, -top])
        yield (
            f"random {index}: {n}",
            {
                "n": n,
                "edges": [
                    [u, v, random.randint(least, top)]
                    for u in range(n)
                    for v in range(u)
                    if random.randrange(1000) < permille
                ],
            },
        )


def cp_model_of(instance):
    model = cp_model.CpModel()
    side = [model.new_bool_var("") for _ in range(instance["n"])]
    worth = []
    for (u, v), weight in edges_of(instance).items():
        cut = model.new_bool_var("")
        model.add_bool_or(side[u], side[v], ~cut)
        model.add_bool_or(~side[u], ~side[v], ~cut)
        model.add_bool_or(side[u], ~side[v], cut)
        model.add_bool_or(~side[u], side[v], cut)
        worth.append(weight * cut)
    model.add(side[0] == 0)
    model.maximize(sum(worth))
    return cp_sat(model, lambda solver: [int(solver.boolean_value(x)) for x in side])


def all_cuts(instance):
    def sides(number):
        return [number >> vertex & 1 for vertex in range(instance["n"])]

    return exact(
        lambda: max(
            (sides(number) for number in range(1 << instance["n"])), key=lambda tried: weight_between(instance, tried)
        ),
        instance["n"] <= MAX_TO_TRY_ALL,
    )


PEERS = {"CP-SAT": cp_model_of, "plain trial": all_cuts}
