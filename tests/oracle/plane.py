"""Places of a plane with place 0 as the depot: common parts of the routing tasks, and small and odd sets of places."""

from math import isqrt

from labels import placed, renamed


def distance(instance, a, b):
    """Given, or rounded to the nearest integer, which is exact in integers: the root of an integer is never halfway
    between two."""
    if "distances" in instance:
        return instance["distances"][a][b]
    (x, y), (u, v) = instance["points"][a], instance["points"][b]
    return (isqrt(4 * ((x - u) ** 2 + (y - v) ** 2)) + 1) // 2


def closed_length(instance, route):
    """The length from place 0 through the places and back."""
    stops = [0, *route, 0]
    return sum(distance(instance, a, b) for a, b in zip(stops, stops[1:]))


def under_place_labels(instance, labels, amounts):
    new = labels["place"]
    changed = {amounts: placed(instance[amounts], new)}
    if "distances" in instance:
        changed["distances"] = placed([placed(row, new) for row in instance["distances"]], new)
    else:
        changed["points"] = placed(instance["points"], new)
    return dict(instance, **changed)


def named_places(answer, labels):
    return renamed(answer, labels["place"])


def odd_points(random, count):
    """(name, points)"""
    yield "two places", [[0, 0], [3, 4]]
    yield "one point", [[5, 5]] * 6
    yield "a line", [[3 * i, 0] for i in range(8)]
    yield "a square's corners", [[0, 0], [0, 10_000], [10_000, 0], [10_000, 10_000]]
    yield "a grid", [[10 * (i % 3), 10 * (i // 3)] for i in range(9)]
    for index in range(count):
        n, side = random.randint(2, 11), random.choice([1, 3, 30, 100, 10_000])
        yield f"random {index}: {n}, {side}", [[random.randint(0, side), random.randint(0, side)] for _ in range(n)]
