"""Split numbers into k parts whose largest sum is minimal."""

from common import need, numbers, parts


def objective(instance, answer):
    values = numbers(instance["values"], 1, 10**9 + 1, "values")
    need(len(parts(answer, len(values))) == instance["k"], "the answer has not k parts")
    return max(sum(values[item] for item in part) for part in answer)


def bound(instance):
    """An equal share of the sum, or the largest value."""
    values = instance["values"]
    return max(-(-sum(values) // instance["k"]), *values)
