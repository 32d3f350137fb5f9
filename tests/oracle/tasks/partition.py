"""Values divided among k parts, each in one of them; the largest sum of a part is minimised."""

from itertools import product

from found import cp_sat, exact
from ortools.sat.python import cp_model
from parts import (
    answer_under_labels,
    broken_rows,
    exchange,
    leave_one_out,
    move_one,
    parts_in_another_order,
    under_item_labels,
)
from verdict import Verdict, feasible

MAXIMISE = False
ROWS = True
MAX_TO_TRY_ALL = 60_000

answer_under_labels = answer_under_labels
mutants = [move_one, exchange, parts_in_another_order, leave_one_out]


def judge(instance, answer):
    k, values = instance["k"], instance["values"]
    most = len(values)
    if verdict := broken_rows(answer, len(values), most, lambda rows: len(rows) == k):
        return verdict
    if missing := len(values) - sum(map(len, answer)):
        return Verdict("missing_item", -1, None, missing, most)
    return feasible(max(sum(values[item] for item in part) for part in answer), most)


def under_labels(instance, labels):
    return under_item_labels(instance, labels, "values")


def label_count(instance):
    return len(instance["values"])


def parts_of(instance, places):
    return [[item for item, place in enumerate(places) if place == part] for part in range(instance["k"])]


def random_answer(instance, random):
    return parts_of(instance, [random.randrange(instance["k"]) for _ in instance["values"]])


def odd_instances(random, count):
    yield "one value, one part", {"k": 1, "values": [7]}
    yield "one part", {"k": 1, "values": [3, 1, 4, 1, 5]}
    yield "more parts than values", {"k": 5, "values": [4, 9]}
    yield "as many parts as values", {"k": 3, "values": [4, 9, 2]}
    yield "all alike", {"k": 3, "values": [7] * 11}
    yield "one large", {"k": 3, "values": [100, 1, 1, 1, 1]}
    yield "the largest values there may be", {"k": 2, "values": [10**9] * 5}
    yield "even values, odd mean", {"k": 2, "values": [2 * i + 2 for i in range(10)] + [4]}
    for index in range(count):
        k = random.randint(1, 5)
        n = random.randint(1, 14)
        top = random.choice([3, 20, 1000, 10**6])
        yield f"random {index}: {n} in {k}, {top}", {"k": k, "values": [random.randint(1, top) for _ in range(n)]}


def cp_model_of(instance):
    k, values = instance["k"], instance["values"]
    model = cp_model.CpModel()
    inside = [[model.new_bool_var("") for _ in range(k)] for _ in values]
    largest = model.new_int_var(0, sum(values), "")
    for row in inside:
        model.add_exactly_one(row)
    for part in range(k):
        model.add(sum(value * row[part] for value, row in zip(values, inside)) <= largest)
    model.minimize(largest)
    return cp_sat(
        model,
        lambda solver: parts_of(
            instance, [next(p for p in range(k) if solver.boolean_value(row[p])) for row in inside]
        ),
    )


def all_ways(instance):
    k, n = instance["k"], len(instance["values"])
    return exact(
        lambda: min(
            (parts_of(instance, places) for places in product(range(k), repeat=n)),
            key=lambda answer: judge(instance, answer).objective,
        ),
        k**n <= MAX_TO_TRY_ALL,
    )


PEERS = {"CP-SAT": cp_model_of, "plain trial": all_ways}
