"""Numbers in ascending order."""

from common import need, numbers


def computed(instance):
    return sorted(numbers(instance["values"], 0, 2**31, "values"))


def objective(instance, answer):
    need(answer == computed(instance), "the order is another one")
    return len(answer)
