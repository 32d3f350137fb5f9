"""A line of items that maximises the entries of earlier before later items."""

from common import need, order, square


def objective(instance, answer):
    matrix = square(instance["matrix"], 0, 10**6 + 1, "matrix")
    order(answer, len(matrix))
    return sum(matrix[a][b] for at, a in enumerate(answer) for b in answer[at + 1 :])


def linear(instance, goal):
    """A variable per pair i < j, in ascending order: whether i comes before j. In a cycle of items not every item comes
    before the next one."""
    matrix = instance["matrix"]
    number = {pair: at for at, pair in enumerate(sorted((i, j) for j in range(len(matrix)) for i in range(j)))}

    def row(name, *circle):
        need(name == "circle" and len(set(circle)) == len(circle) >= 3, "no such inequality")
        steps = list(zip(circle, circle[1:] + circle[:1]))
        terms = {number[min(a, b), max(a, b)]: -1 if a < b else 1 for a, b in steps}
        return terms, sum(a > b for a, b in steps) + 1 - len(steps)

    costs = {at: matrix[j][i] - matrix[i][j] for (i, j), at in number.items()}
    return costs, sum(matrix[j][i] for i, j in number) - goal, len(number), row


def sums(instance):
    return 2 ** len(instance["matrix"]) * len(instance["matrix"])


def best(instance):
    """For each set of items in front: their best line, by its last item."""
    matrix = instance["matrix"]
    worth = [0]
    for last in range(1, 2 ** len(matrix)):
        members = [item for item in range(len(matrix)) if last >> item & 1]
        worth.append(
            max(
                worth[last & ~(1 << item)] + sum(matrix[before][item] for before in members if before != item)
                for item in members
            )
        )
    return worth[-1]
