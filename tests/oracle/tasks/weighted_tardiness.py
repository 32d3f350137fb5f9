"""Jobs in an order on one machine; the least sum of weight times lateness."""

from found import cp_sat
from labels import placed, renamed
from orders import mutants, not_an_order, random_order
from ortools.sat.python import cp_model
from verdict import feasible

MAXIMISE = False
ROWS = False


def label_count(instance):
    return len(instance["times"])


def judge(instance, answer):
    n = len(instance["times"])
    if verdict := not_an_order(answer, n):
        return verdict
    now = cost = 0
    for job in answer:
        now += instance["times"][job]
        cost += instance["weights"][job] * max(0, now - instance["due"][job])
    return feasible(cost, n)


def under_labels(instance, labels):
    return {name: placed(values, labels["job"]) for name, values in instance.items()}


def answer_under_labels(answer, labels):
    return renamed(answer, labels["job"])


def random_answer(instance, random):
    return random_order(len(instance["times"]), random)


def odd_instances(random, count):
    yield "one job in time", {"times": [4], "weights": [5], "due": [9]}
    yield "one job late", {"times": [4], "weights": [5], "due": [0]}
    yield "all alike", {"times": [3] * 9, "weights": [2] * 9, "due": [10] * 9}
    yield "all in time", {"times": [1, 2, 3, 4], "weights": [1] * 4, "due": [10] * 4}
    yield "all due at once", {"times": [5, 1, 4, 2, 8], "weights": [3, 9, 1, 5, 5], "due": [0] * 5}
    yield "large numbers", {"times": [10**6] * 6 + [1], "weights": [1, 10**6] * 3 + [7], "due": [10**9, 0, 3] * 2 + [5]}
    for index in range(count):
        n = random.randint(1, 12)
        top = random.choice([2, 20, 1000, 10**6])
        times = [random.randint(1, top) for _ in range(n)]
        yield (
            f"random {index}: {n}, {top}",
            {
                "times": times,
                "weights": [random.randint(1, random.choice([1, 10, 10**6])) for _ in range(n)],
                "due": [random.randint(0, sum(times)) for _ in range(n)],
            },
        )


def cp_model_of(instance):
    model = cp_model.CpModel()
    times, n = instance["times"], len(instance["times"])
    all_times = sum(times)
    jobs, ends, costs = [], [], []
    for j in range(n):
        start = model.new_int_var(0, all_times - times[j], "")
        jobs.append(model.new_fixed_size_interval_var(start, times[j], ""))
        ends.append(start + times[j])
        late = model.new_int_var(0, all_times, "")
        model.add(late >= start + times[j] - instance["due"][j])
        costs.append(instance["weights"][j] * late)
    model.add_no_overlap(jobs)
    model.minimize(sum(costs))
    return cp_sat(model, lambda solver: sorted(range(n), key=lambda j: solver.value(ends[j])))


PEERS = {"CP-SAT": cp_model_of}
