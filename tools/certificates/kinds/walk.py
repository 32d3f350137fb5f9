"""The checker tries all answers itself, piece by piece, so the certificate holds only the claim. The task's rule leaves
a case out only if no answer in it is better than the objective. Above MOST cases the checker refuses."""

from common import Better, TooLong

MOST = 200_000


def prove(task, instance, objective, proof):
    """task.walk gives the first case, and further(case) -> its sub-cases; None if it holds a better answer. Sub-cases
    depend on the case alone, so a repeated case is not examined again."""
    del proof
    first, further = task.walk(instance, objective)
    waiting, met = [first], {first}
    while waiting:
        cases = further(waiting.pop())
        if cases is None:
            raise Better("there is an answer" if objective is None else f"an answer is better than {objective}")
        for case in cases:
            if case not in met:
                met.add(case)
                waiting.append(case)
        if len(met) > MOST:
            raise TooLong(f"the walk has more than {MOST} cases")


def interrupted(operations):
    """The minimum end of (head, time, tail) on one machine, if the longest tail may interrupt others (Jackson 1955)."""
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


def outside(places):
    """The number of places outside the longest increasing sequence of them."""
    rising = []
    for place in places:
        rising.append(1 + max((so_far for so_far, other in zip(rising, places) if other < place), default=0))
    return len(places) - max(rising, default=0)


def two_machines(line, left, begin, end):
    """When the remaining jobs end on the second of two machines, which are free from `begin` and `end` on, in the order
    of `line`: (time on the first, lag, time on the second, job) each."""
    for first, lag, second, job in line:
        if job in left:
            begin += first
            end = max(end, begin + lag) + second
    return end
