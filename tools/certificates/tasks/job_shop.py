"""Jobs visit machines, each in its own order: a list of jobs, one per operation, that ends as early as possible."""

from common import need, numbers


def shop(instance):
    need(type(instance["m"]) is int and 0 < instance["m"] <= 1000, "m is no number of machines from 1 to 1000")
    machines = [numbers(row, 0, instance["m"], "machines") for row in instance["machines"]]
    times = [numbers(row, 1, 10**6 + 1, "times") for row in instance["times"]]
    shape = [len(row) for row in times]
    need(
        machines and [len(row) for row in machines] == shape == shape[:1] * len(shape), "not as many times as machines"
    )
    return machines, times


def objective(instance, answer):
    machines, times = shop(instance)
    stages = len(machines[0])
    numbers(answer, 0, len(machines), "answer")
    need(sorted(answer) == sorted([*range(len(machines))] * stages), "a job is not named for each operation")
    free, ready, stage = [0] * instance["m"], [0] * len(machines), [0] * len(machines)
    for job in answer:
        machine = machines[job][stage[job]]
        free[machine] = ready[job] = max(free[machine], ready[job]) + times[job][stage[job]]
        stage[job] += 1
    return max(ready)
