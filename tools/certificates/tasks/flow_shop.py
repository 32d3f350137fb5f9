"""An order in which jobs pass all machines, such that the last one leaves the last machine as early as possible."""

from common import need, numbers, order


def times_of(instance):
    times = [numbers(row, 0, 2**31, "times") for row in instance["times"]]
    need(
        times and times[0] and all(len(row) == len(times[0]) for row in times),
        "times: not a row of machines for each job",
    )
    return times


def passed(times, ready):
    """When each machine is free after a job."""
    free, now = [], 0
    for time, machine in zip(times, ready):
        now = max(now, machine) + time
        free.append(now)
    return tuple(free)


def objective(instance, answer):
    times = times_of(instance)
    free = (0,) * len(times[0])
    for job in order(answer, len(times)):
        free = passed(times[job], free)
    return free[-1]
