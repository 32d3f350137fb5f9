"""Jobs one after another, with the fewest weighted minutes past their due times."""

from common import amounts, numbers, order


def objective(instance, answer):
    times = numbers(instance["times"], 1, 10**6 + 1, "times")
    weights, due = (amounts(instance[name], len(times), 0, name) for name in ("weights", "due"))
    now = cost = 0
    for job in order(answer, len(times)):
        now += times[job]
        cost += weights[job] * max(0, now - due[job])
    return cost


def sums(instance):
    return 2 ** len(instance["times"]) * len(instance["times"])


def best(instance):
    """For each set of jobs done first: the minimum cost, by its last job, which ends when all of them are done."""
    times, weights, due = instance["times"], instance["weights"], instance["due"]
    cost, ends = [0], [0]
    for done in range(1, 2 ** len(times)):
        jobs = [job for job in range(len(times)) if done >> job & 1]
        end = ends[done & (done - 1)] + times[jobs[0]]
        ends.append(end)
        cost.append(min(cost[done & ~(1 << job)] + weights[job] * max(0, end - due[job]) for job in jobs))
    return cost[-1]
