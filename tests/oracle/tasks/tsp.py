"""The shortest closed tour through every city once."""

from decimal import Decimal
from itertools import permutations
from math import isqrt, sqrt

from found import cp_sat, exact, heuristic
from labels import placed, renamed
from ortools.sat.python import cp_model
from verdict import Verdict, feasible, first_outside, first_repeat, not_a_flat_list, worst

try:
    import elkai
except ImportError:
    elkai = None

MAXIMISE = False
ROWS = False
MAX_TO_TRY_ALL = 7


def distances_of(instance):
    if "distances" in instance:
        return instance["distances"]
    if instance["metric"] == "euc_2d_doubles":
        # TSPLIB's programs compute it this way. Python's floats are IEEE 754 doubles, and ** 2 differs from their
        # product.
        points = instance["points"]
        return [[int(sqrt((a - c) * (a - c) + (b - d) * (b - d)) + 0.5) for c, d in points] for a, b in points]
    points = [[Decimal(str(c)) for c in point] for point in instance["points"]]
    places = max(-c.as_tuple().exponent for point in points for c in point)
    scale = 10 ** max(0, places)
    whole = [[int(c * scale) for c in point] for point in points]
    # nint(sqrt(s) / scale), halves up, is the largest m with (2m - 1) * scale <= sqrt(4s).
    return [[(isqrt(4 * ((a - c) ** 2 + (b - d) ** 2)) // scale + 1) // 2 for c, d in whole] for a, b in whole]


def judge(instance, answer):
    distances = distances_of(instance)
    n = len(distances)
    most = 2 * n
    if verdict := not_a_flat_list(answer, most):
        return verdict
    if not answer:
        return worst("empty", most)
    if (at := first_outside(answer, n)) is not None:
        return worst("out_of_range", most, at)
    closed = len(answer) == n + 1 and answer[0] == answer[-1]
    tour = answer[:-1] if closed else answer
    missing = n - len(set(tour))
    again = sum(tour.count(city) > 1 for city in set(tour))
    if (at := first_repeat(tour)) is not None:
        return Verdict("repeated", at, None, missing + again, most)
    if missing:
        return Verdict("wrong_length", -1, None, missing, most)
    return feasible(sum(distances[a][b] for a, b in zip(tour, tour[1:] + tour[:1])), most)


def under_labels(instance, labels):
    city = labels["city"]
    if "points" in instance:
        return dict(instance, points=placed(instance["points"], city))
    return {"distances": placed([placed(row, city) for row in instance["distances"]], city)}


def answer_under_labels(answer, labels):
    return renamed(answer, labels["city"])


def label_count(instance):
    return len(instance.get("distances") or instance["points"])


def random_answer(instance, random):
    return random.sample(range(label_count(instance)), label_count(instance))


def close_the_tour(instance, answer, random):
    del instance, random
    return answer + answer[:1]


def reverse_a_part(instance, answer, random):
    del instance
    a, b = sorted(random.randrange(len(answer) + 1) for _ in range(2))
    return answer[:a] + answer[a:b][::-1] + answer[b:]


mutants = [close_the_tour, reverse_a_part]


def random_matrix(random, n, low, high):
    distances = [[0] * n for _ in range(n)]
    for a in range(n):
        for b in range(a):
            distances[a][b] = distances[b][a] = random.randint(low, high)
    return {"distances": distances}


def odd_instances(random, count):
    yield "three cities", random_matrix(random, 3, 1, 9)
    yield "all zero", random_matrix(random, 6, 0, 0)
    yield "all one", random_matrix(random, 9, 1, 1)
    yield "zero or one", random_matrix(random, 12, 0, 1)
    yield "largest distances", random_matrix(random, 5, 2**24 - 3, 2**24)
    yield "points in one place", {"points": [[3, 4]] * 5, "metric": "euc_2d"}
    yield "points on a line", {"points": [[x * x, 0] for x in range(9)], "metric": "euc_2d"}
    yield "halves", {"points": [[0, 0], [0.5, 0], [1.5, 0], [1.5, 2], [0, 2.5]], "metric": "euc_2d"}
    yield (
        "halves of doubles",
        {"points": [[0.3, 0.1], [0.5, 0.7], [2.8, 0.1], [1.1, 2.6], [0.3, 2.6]], "metric": "euc_2d_doubles"},
    )
    yield "grid of points", {"points": [[10 * x, 10 * y] for x in range(4) for y in range(5)], "metric": "euc_2d"}
    for index in range(count):
        n = random.randint(3, 16)
        if random.random() < 0.4:
            places = random.choice([0, 1, 3])
            points = [[round(random.uniform(-99, 99), places) for _ in range(2)] for _ in range(n)]
            yield f"random points {index}: {n}", {"points": points, "metric": "euc_2d"}
        else:
            low = random.choice([0, 1, 10, 1000])
            high = low + random.choice([1, 5, 90, 10**4])
            yield f"random {index}: {n}, {low}-{high}", random_matrix(random, n, low, high)


def cp_model_of(instance):
    distances = distances_of(instance)
    n = len(distances)
    model = cp_model.CpModel()
    arcs = [(a, b, model.new_bool_var("")) for a in range(n) for b in range(n) if a != b]
    model.add_circuit(arcs)
    model.minimize(sum(distances[a][b] * x for a, b, x in arcs))

    def tour(solver):
        after = {a: b for a, b, x in arcs if solver.boolean_value(x)}
        order = [0]
        while len(order) < n:
            order.append(after[order[-1]])
        return order

    return cp_sat(model, tour)


def lkh(instance):
    matrix = elkai.DistanceMatrix(distances_of(instance))
    return heuristic(lambda: matrix.solve_tsp(runs=1)[:-1])


def all_tours(instance):
    n = label_count(instance)
    tours = ([0, *rest] for rest in permutations(range(1, n)))
    return exact(lambda: min(tours, key=lambda tour: judge(instance, tour).objective), n <= MAX_TO_TRY_ALL)


PEERS = {"CP-SAT": cp_model_of, "plain trial": all_tours} | ({"elkai (LKH-3)": lkh} if elkai else {})
