"""Distinct items of the largest total value whose weight is at most the capacity."""

from found import cp_sat, highs
from labels import placed, renamed
from ortools.sat.python import cp_model
from verdict import Verdict, feasible, not_a_flat_list, outside_or_repeated, worst

MAXIMISE = True
ROWS = False


def judge(instance, answer):
    capacity, weights, values = instance["capacity"], instance["weights"], instance["values"]
    most = max(1, sum(weights) - capacity)
    if verdict := not_a_flat_list(answer, most):
        return verdict
    if not answer:
        something_fits = any(w <= capacity and v > 0 for w, v in zip(weights, values))
        return worst("empty", most) if something_fits else feasible(0, most)
    if verdict := outside_or_repeated(answer, len(weights), most):
        return verdict
    running = 0
    for at, item in enumerate(answer):
        running += weights[item]
        if running > capacity:
            return Verdict("over_capacity", at, None, sum(weights[i] for i in answer) - capacity, most)
    return feasible(sum(values[item] for item in answer), most)


def under_labels(instance, labels):
    return dict(
        instance, weights=placed(instance["weights"], labels["item"]), values=placed(instance["values"], labels["item"])
    )


def answer_under_labels(answer, labels):
    return renamed(answer, labels["item"])


def label_count(instance):
    return len(instance["weights"])


def random_answer(instance, random):
    room, chosen = instance["capacity"], []
    for item in random.sample(range(len(instance["weights"])), len(instance["weights"])):
        if instance["weights"][item] <= room or random.random() < 0.02:
            room -= instance["weights"][item]
            chosen.append(item)
    return chosen


def add_what_is_just_too_heavy(instance, answer, random):
    del random
    room = instance["capacity"] - sum(instance["weights"][i] for i in answer if 0 <= i < len(instance["weights"]))
    heavier = [i for i, w in enumerate(instance["weights"]) if w > room and i not in answer]
    return answer + [min(heavier, key=lambda i: instance["weights"][i])] if heavier else answer


mutants = [add_what_is_just_too_heavy]


def odd_instances(random, count):
    yield "one item that fits", {"capacity": 5, "weights": [5], "values": [7]}
    yield "one item too heavy", {"capacity": 4, "weights": [5], "values": [7]}
    yield "capacity 0", {"capacity": 0, "weights": [0, 3, 0, 1], "values": [4, 5, 0, 1]}
    yield "weightless", {"capacity": 3, "weights": [0, 0, 0], "values": [1, 2, 3]}
    yield "worthless", {"capacity": 9, "weights": [1, 2, 3], "values": [0, 0, 0]}
    yield "all fit", {"capacity": 100, "weights": [10, 20, 30], "values": [1, 2, 3]}
    yield "all alike", {"capacity": 50, "weights": [7] * 20, "values": [9] * 20}
    yield (
        "even weights, odd capacity",
        {"capacity": 101, "weights": [2 * i + 2 for i in range(20)], "values": [2 * i + 2 for i in range(20)]},
    )
    big = 2**31 - 1
    yield "int32's end", {"capacity": big, "weights": [big, big - 1, 1, 2], "values": [big, big, big, 5]}
    for index in range(count):
        n = random.randint(1, 30)
        top = random.choice([3, 20, 1000, 10**6])
        weights = [random.randint(0, top) for _ in range(n)]
        alike = random.random() < 0.4
        values = [w + random.randint(0, 3) if alike else random.randint(0, top) for w in weights]
        capacity = random.randint(0, sum(weights))
        yield f"random {index}: {n}, {top}", {"capacity": capacity, "weights": weights, "values": values}


def cp_model_of(instance):
    model = cp_model.CpModel()
    chosen = [model.new_bool_var("") for _ in instance["weights"]]
    model.add(sum(w * x for w, x in zip(instance["weights"], chosen)) <= instance["capacity"])
    model.maximize(sum(v * x for v, x in zip(instance["values"], chosen)))
    return cp_sat(model, lambda solver: [i for i, x in enumerate(chosen) if solver.boolean_value(x)])


def highs_model(instance):
    items = list(range(len(instance["weights"])))
    rows = [(0, instance["capacity"], items, instance["weights"])]
    return highs(instance["values"], rows, True, lambda chosen: chosen)


PEERS = {"CP-SAT": cp_model_of, "HiGHS": highs_model}
