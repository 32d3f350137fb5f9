"""A line of items, the entries of earlier before later as heavy as possible."""

from common import order, square


def objective(instance, answer):
    matrix = square(instance["matrix"], -2**31, 2**31, "matrix")
    order(answer, len(matrix))
    return sum(matrix[a][b] for at, a in enumerate(answer) for b in answer[at + 1:])


def sums(instance):
    return 2**len(instance["matrix"]) * len(instance["matrix"])


def best(instance):
    """For each set of items in front: the best line of them, by its last item."""
    matrix = square(instance["matrix"], -2**31, 2**31, "matrix")
    worth = [0]
    for last in range(1, 2**len(matrix)):
        members = [item for item in range(len(matrix)) if last >> item & 1]
        worth.append(max(worth[last & ~(1 << item)] + sum(matrix[before][item] for before in members if before != item)
                         for item in members))
    return worth[-1]
