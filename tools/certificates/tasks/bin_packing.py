"""Pack items into the fewest bins of one capacity."""

from common import need, numbers, parts


def items(instance):
    return numbers(instance["sizes"], 1, instance["capacity"] + 1, "sizes")


def objective(instance, answer):
    sizes = items(instance)
    for one in parts(answer, len(sizes)):
        need(one and sum(sizes[item] for item in one) <= instance["capacity"], "a bin is empty or too full")
    return len(answer)


def bound(instance):
    """The sum of all sizes, in full bins, rounded up."""
    return -(-sum(items(instance)) // instance["capacity"])
