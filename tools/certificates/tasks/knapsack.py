"""The most valuable items whose weights sum to at most the capacity."""

from common import amounts, choice, need, numbers


def objective(instance, answer):
    weights = numbers(instance["weights"], 0, 2**31, "weights")
    values = amounts(instance["values"], len(weights), 0, "values")
    need(sum(weights[item] for item in choice(answer, len(weights))) <= instance["capacity"], "the items are too heavy")
    return sum(values[item] for item in answer)


def sums(instance):
    return len(instance["weights"]) * (min(instance["capacity"], 2 ** len(instance["weights"])) + 1)


def best(instance):
    """The frontier of weight and value, lightest first, without pairs that weigh no less and are worth no more."""
    need(instance["capacity"] >= 0, "a capacity below nothing")
    frontier = [(0, 0)]
    for weight, value in zip(instance["weights"], instance["values"]):
        taken = [(w + weight, v + value) for w, v in frontier if w + weight <= instance["capacity"]]
        both, frontier, most = frontier + taken, [], -1
        for w, v in sorted(both, key=lambda pair: (pair[0], -pair[1])):
            if v > most:
                frontier.append((w, v))
                most = v
    return frontier[-1][1]
