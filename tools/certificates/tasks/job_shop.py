"""Jobs visit machines, each in an order of its own: a list that names each job once for each of its operations, read from
first to last, so that the last operation ends as soon as possible."""

from common import need, numbers


def shop(instance):
    machines = [numbers(row, 0, instance["m"], "machines") for row in instance["machines"]]
    times = [numbers(row, 0, 2**31, "times") for row in instance["times"]]
    need(machines and [len(row) for row in machines] == [len(machines[0])] * len(times), "not as many times as machines")
    need(all(len(row) == len(machines[0]) for row in times), "not as many times as machines")
    return machines, times


def objective(instance, answer):
    machines, times = shop(instance)
    stages = len(machines[0])
    numbers(answer, 0, len(machines), "answer")
    need(sorted(answer) == [job for job in range(len(machines)) for _ in range(stages)], "a job is not named for each operation")
    free, ready, stage = [0] * instance["m"], [0] * len(machines), [0] * len(machines)
    for job in answer:
        machine = machines[job][stage[job]]
        free[machine] = ready[job] = max(free[machine], ready[job]) + times[job][stage[job]]
        stage[job] += 1
    return max(ready)


def interrupted(operations):
    """The least end of (head, time, tail) on one machine, tails included, when the longest tail may interrupt the others
    (Jackson 1955)."""
    most, now, waiting = 0, 0, []
    coming = sorted(operations, reverse=True)
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
    jobs, stages = range(len(machines)), len(machines[0])
    tails = [[sum(row[i + 1:]) for i in range(stages)] for row in times]

    def least(free, ready, stage):
        on = [[] for _ in free]
        for job in jobs:
            now = ready[job]
            for i in range(stage[job], stages):
                head = max(now, free[machines[job][i]])
                on[machines[job][i]].append((head, times[job][i], tails[job][i]))
                now = head + times[job][i]
        return max(max(ready), *(interrupted(one) for one in on))

    def further(case):
        free, ready, stage = case
        starts = {job: max(free[machines[job][stage[job]]], ready[job]) for job in jobs if stage[job] < stages}
        if not starts:
            return None
        end, machine = min((start + times[job][stage[job]], machines[job][stage[job]]) for job, start in starts.items())
        cases = []
        for job, start in starts.items():
            if machines[job][stage[job]] == machine and (start < end or start + times[job][stage[job]] == end):
                done = start + times[job][stage[job]]
                after = (tuple(done if m == machine else at for m, at in enumerate(free)),
                         tuple(done if j == job else at for j, at in enumerate(ready)),
                         tuple(i + (j == job) for j, i in enumerate(stage)))
                if least(*after) < goal:
                    cases.append(after)
        return cases

    return ((0,) * instance["m"], (0,) * len(machines), (0,) * len(machines)), further
