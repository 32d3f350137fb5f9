"""Jobs visit machines, each in an order of its own: a list of jobs, one an operation, that ends as soon as possible."""

from common import need, numbers


def shop(instance):
    need(type(instance["m"]) is int and 0 < instance["m"] <= 1000, "m is no number of machines from 1 to 1000")
    machines = [numbers(row, 0, instance["m"], "machines") for row in instance["machines"]]
    times = [numbers(row, 0, 2**31, "times") for row in instance["times"]]
    shape = [len(row) for row in times]
    need(machines and [len(row) for row in machines] == shape == shape[:1] * len(shape), "not as many times as machines")
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


def interrupted(operations):
    """The least end of (head, time, tail) on one machine, when the longest tail may interrupt others (Jackson 1955)."""
    most, now, waiting, coming = 0, 0, [], sorted(operations, reverse=True)
    while coming or waiting:
        if not waiting:
            now = max(now, coming[-1][0])
        while coming and coming[-1][0] <= now:
            _, time, tail = coming.pop()
            waiting.append([tail, time])
        one = max(waiting)
        done = min(one[1], coming[-1][0] - now) if coming else one[1]
        now += done
        one[1] -= done
        if one[1] == 0:
            waiting.remove(one)
            most = max(most, now + one[0])
    return most


def walk(instance, goal):
    """A case: when each machine is free and each job ready, and how many of its operations are done. Of the next operations
    the one that would end first names a machine; one that could begin there before that end comes next, for any other could
    be put behind it (Giffler & Thompson 1960)."""
    machines, times = shop(instance)
    stages = len(machines[0])
    tails = [[sum(row[i + 1:]) for i in range(stages)] for row in times]

    def least(free, ready, stage):
        on = [[] for _ in free]
        for job, now in enumerate(ready):
            for i in range(stage[job], stages):
                now = max(now, free[machines[job][i]])
                on[machines[job][i]].append((now, times[job][i], tails[job][i]))
                now += times[job][i]
        return max(max(ready), *(interrupted(one) for one in on))

    def further(case):
        free, ready, stage = case
        left = [(job, machines[job][i], times[job][i]) for job, i in enumerate(stage) if i < stages]
        comes = [(max(free[own], ready[job]) + time, own, time, job) for job, own, time in left]
        if not comes:
            return None
        (end, machine, *_), cases = min(comes), []
        for done, own, time, job in comes:
            if own == machine and (done - time < end or done == end):
                after = (tuple(done if m == machine else at for m, at in enumerate(free)),
                         tuple(done if j == job else at for j, at in enumerate(ready)),
                         tuple(i + (j == job) for j, i in enumerate(stage)))
                if least(*after) < goal:
                    cases.append(after)
        return cases

    return ((0,) * instance["m"], (0,) * len(machines), (0,) * len(machines)), further
