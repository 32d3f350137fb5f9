"""Items packed into bins of one capacity, each in one of them; as few bins as possible."""

from found import cp_sat, heuristic
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

answer_under_labels = answer_under_labels


def judge(instance, answer):
    capacity, sizes = instance["capacity"], instance["sizes"]
    most = sum(sizes)
    if verdict := broken_rows(answer, len(sizes), most, all):
        return verdict
    missing = most - sum(sizes[item] for row in answer for item in row)
    excess = sum(max(0, sum(sizes[item] for item in row) - capacity) for row in answer)
    if missing:
        return Verdict("missing_item", -1, None, missing + excess, most)
    if excess:
        return Verdict("over_capacity", first_too_much(capacity, sizes, answer), None, excess, most)
    return feasible(len(answer), most)


def first_too_much(capacity, sizes, answer):
    at = 0
    for row in answer:
        load = 0
        for item in row:
            load += sizes[item]
            if load > capacity:
                return at
            at += 1
    return None


def under_labels(instance, labels):
    return under_item_labels(instance, labels, "sizes")


def label_count(instance):
    return len(instance["sizes"])


def packed(instance, order):
    """First fit."""
    bins, free = [], []
    for item in order:
        size = instance["sizes"][item]
        at = next((b for b, room in enumerate(free) if room >= size), None)
        if at is None:
            at = len(bins)
            bins.append([])
            free.append(instance["capacity"])
        bins[at].append(item)
        free[at] -= size
    return bins


def random_answer(instance, random):
    return packed(instance, random.sample(range(len(instance["sizes"])), len(instance["sizes"])))


def two_bins_in_one(instance, answer, random):
    """One bin fewer; often too full."""
    del instance
    if len(answer) < 2 or not all(isinstance(row, list) for row in answer):
        return answer
    rows = [list(row) for row in answer]
    one = rows.pop(random.randrange(len(rows)))
    random.choice(rows).extend(one)
    return rows


def one_item_apart(instance, answer, random):
    """Puts an item into its own bin."""
    del instance
    rows = [list(row) for row in answer if isinstance(row, list)]
    large = [row for row in rows if len(row) > 1]
    if not large:
        return answer
    row = random.choice(large)
    return rows + [[row.pop(random.randrange(len(row)))]]


mutants = [move_one, exchange, parts_in_another_order, leave_one_out, two_bins_in_one, one_item_apart]


def odd_instances(random, count):
    yield "one item", {"capacity": 5, "sizes": [5]}
    yield "capacity 1", {"capacity": 1, "sizes": [1, 1, 1]}
    yield "all in one bin", {"capacity": 100, "sizes": [10, 20, 30, 40]}
    yield "each needs a bin", {"capacity": 10, "sizes": [6, 7, 8, 9, 10]}
    yield "just above a half", {"capacity": 10, "sizes": [6] * 7 + [4] * 5}
    yield "just above a third", {"capacity": 100, "sizes": [34] * 13}
    yield "the largest sizes there may be", {"capacity": 10**9, "sizes": [10**9] * 4 + [1, 2]}
    yield "halves", {"capacity": 10, "sizes": [5] * 9}
    for index in range(count):
        n = random.randint(1, 20)
        capacity = random.choice([7, 20, 100, 10**6])
        low = random.choice([1, max(1, capacity // 5)])
        high = random.choice([capacity, max(low, capacity // 2)])
        sizes = [random.randint(low, high) for _ in range(n)]
        yield f"random {index}: {n}, {capacity}", {"capacity": capacity, "sizes": sizes}


def cp_model_of(instance):
    capacity, sizes = instance["capacity"], instance["sizes"]
    bins = len(packed(instance, sorted(range(len(sizes)), key=lambda item: -sizes[item])))
    model = cp_model.CpModel()
    used = [model.new_bool_var("") for _ in range(bins)]
    inside = [[model.new_bool_var("") for _ in range(bins)] for _ in sizes]
    for row in inside:
        model.add_exactly_one(row)
    for at in range(bins):
        model.add(sum(size * row[at] for size, row in zip(sizes, inside)) <= capacity * used[at])
        if at > 0:
            model.add_implication(used[at], used[at - 1])
    model.minimize(sum(used))

    def read(solver):
        rows = [[item for item, row in enumerate(inside) if solver.boolean_value(row[at])] for at in range(bins)]
        return [row for row in rows if row]

    return cp_sat(model, read)


def first_fit_decreasing(instance):
    sizes = instance["sizes"]
    return heuristic(lambda: packed(instance, sorted(range(len(sizes)), key=lambda item: -sizes[item])))


PEERS = {"CP-SAT": cp_model_of, "first fit, falling": first_fit_decreasing}
