"""Jobs in one order on all machines of a line; the earliest time at which everything is done."""

from found import cp_sat
from labels import placed, renamed
from orders import mutants, not_an_order, precedences, random_order, read_order
from ortools.sat.python import cp_model
from verdict import feasible

MAXIMISE = False
ROWS = False


def label_count(instance):
    return len(instance["times"])


def judge(instance, answer):
    times = instance["times"]
    if verdict := not_an_order(answer, len(times)):
        return verdict
    ready = [0] * len(times[0])
    for job in answer:
        done = 0
        for machine, time in enumerate(times[job]):
            done = max(done, ready[machine]) + time
            ready[machine] = done
    return feasible(ready[-1], len(times))


def under_labels(instance, labels):
    return {"times": placed(instance["times"], labels["job"])}


def answer_under_labels(answer, labels):
    return renamed(answer, labels["job"])


def random_answer(instance, random):
    return random_order(len(instance["times"]), random)


def odd_instances(random, count):
    yield "one job", {"times": [[4, 0, 2]]}
    yield "one machine", {"times": [[4], [0], [2], [9]]}
    yield "all nothing", {"times": [[0, 0, 0] for _ in range(5)]}
    yield "all alike", {"times": [[3, 3, 3] for _ in range(8)]}
    yield "one slow machine", {"times": [[1, 50, 1], [2, 50, 9], [9, 50, 2], [4, 50, 4], [7, 50, 3], [3, 50, 8]]}
    yield "large times", {"times": [[10**6, 1, 10**6], [1, 10**6, 1], [0, 10**6, 10**6], [10**6, 10**6, 0]]}
    for index in range(count):
        n, m = random.randint(1, 9), random.randint(1, 5)
        top = random.choice([1, 9, 20, 10**6])
        yield (
            f"random {index}: {n} x {m}, {top}",
            {"times": [[random.randint(0, top) for _ in range(m)] for _ in range(n)]},
        )


def cp_model_of(instance):
    model = cp_model.CpModel()
    times, n = instance["times"], len(instance["times"])
    machines = range(len(times[0]))
    most = sum(map(sum, times))
    before = precedences(model, n)
    start = [[model.new_int_var(0, most, "") for _ in machines] for _ in range(n)]
    end = model.new_int_var(0, most, "")
    for k in machines:
        model.add_no_overlap([model.new_fixed_size_interval_var(start[j][k], times[j][k], "") for j in range(n)])
        for i in range(n):
            for j in range(n):
                if i != j:
                    model.add(start[j][k] >= start[i][k] + times[i][k]).only_enforce_if(before[i, j])
    for j in range(n):
        for k in machines:
            done = start[j][k] + times[j][k]
            model.add((start[j][k + 1] if k + 1 in machines else end) >= done)
    model.minimize(end)
    return cp_sat(model, read_order(n, before))


PEERS = {"CP-SAT": cp_model_of}
