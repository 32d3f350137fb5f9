"""As many values as possible with a given sum."""

from common import choice, need, numbers


def objective(instance, answer):
    values = numbers(instance["values"], 0, 2**31, "values")
    need(sum(values[item] for item in choice(answer, len(values))) == instance["target"], "the sum is another one")
    return len(answer)


def sums(instance):
    return len(instance["values"]) * (instance["target"] + 1)


def best(instance):
    """The largest count for each sum of some of the values so far."""
    target, most = instance["target"], {0: 0}
    for value in numbers(instance["values"], 0, 2**31, "values"):
        for total, count in list(most.items()):
            if total + value <= target and most.get(total + value, -1) <= count:
                most[total + value] = max(count + 1, most.get(total + value, 0))
    return most.get(target)
