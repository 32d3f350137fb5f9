"""The shortest round trip."""

from math import sqrt

from common import need, order, rounded, square


def rounded_doubles(points):
    """The same by a double's square root, as TSPLIB's programs compute it; Python's floats are IEEE 754 doubles."""
    places = [(float(x), float(y)) for x, y in points]
    return [[int(sqrt((a - c) * (a - c) + (b - d) * (b - d)) + 0.5) for c, d in places] for a, b in places]


def distances(instance):
    if "points" in instance:
        metrics = {"euc_2d": rounded, "euc_2d_doubles": rounded_doubles}
        need(instance["metric"] in metrics, "a metric that this checker does not know")
        return metrics[instance["metric"]](instance["points"])
    ways = square(instance["distances"], 0, 2**31, "distances")
    need(
        all(row[v] == ways[v][u] and row[u] == 0 for u, row in enumerate(ways) for v in range(u + 1)),
        "the distances are not symmetric",
    )
    return ways


def objective(instance, answer):
    ways = distances(instance)
    order(answer, len(ways))
    return sum(ways[a][b] for a, b in zip(answer, answer[1:] + answer[:1]))
