"""Orders that grow from both ends."""

from kinds.walk import two_machines
from tasks.flow_shop import passed, times_of


def walk(instance, goal):
    """A case: the remaining jobs, when each machine is free of those in front, and how long it takes from each machine
    on when the rest is done except for those at the back. For each two machines, Johnson's order (1954) of the
    remaining jobs, each with the lag of the machines between, ends as early as any (Mitten 1959). The next job goes to
    the front or to the back, where the sum of bounds is larger."""
    times = times_of(instance)
    machines = range(len(times[0]))
    pairs = []
    for u in machines:
        for v in machines[u + 1 :]:
            two = [(row[u], sum(row[u + 1 : v]), row[v], job) for job, row in enumerate(times)]
            first = sorted((one for one in two if one[0] < one[2]), key=lambda one: one[0] + one[1])
            last = sorted((one for one in two if one[0] >= one[2]), key=lambda one: -one[1] - one[2])
            pairs.append((u, v, first + last))

    def least(left, front, back):
        if not left:
            return max(a + b for a, b in zip(front, back))
        most = max(front[k] + back[k] + sum(times[job][k] for job in left) for k in machines)
        for u, v, line in pairs:
            most = max(most, two_machines(line, left, front[u], front[v]) + back[v])
        return most

    def further(case):
        left, front, back = case
        if not left:
            return None
        at_front = [(left - {job}, passed(times[job], front), back) for job in sorted(left)]
        at_back = [(left - {job}, front, passed(times[job][::-1], back[::-1])[::-1]) for job in sorted(left)]
        sides = [[(least(*one), one) for one in side] for side in (at_front, at_back)]
        return [one for bound, one in max(sides, key=lambda side: sum(bound for bound, _ in side)) if bound < goal]

    idle = (0,) * len(times[0])
    return (frozenset(range(len(times))), idle, idle), further
