"""Active schedules, operation by operation."""

from kinds.walk import interrupted
from tasks.job_shop import shop


def walk(instance, goal):
    """A case: when each machine is free and each job ready, and how many of its operations are done. The next operation
    that would end first determines a machine. One that could begin there before that end comes next, since any other
    could be put after it (Giffler & Thompson 1960)."""
    machines, times = shop(instance)
    stages = len(machines[0])
    tails = [[sum(row[i + 1 :]) for i in range(stages)] for row in times]

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
                after = (
                    tuple(done if m == machine else at for m, at in enumerate(free)),
                    tuple(done if j == job else at for j, at in enumerate(ready)),
                    tuple(i + (j == job) for j, i in enumerate(stage)),
                )
                if least(*after) < goal:
                    cases.append(after)
        return cases

    return ((0,) * instance["m"], (0,) * len(machines), (0,) * len(machines)), further
