"""Shared by the rules of tasks and kinds of proof: refusals, and the shapes of instances and answers."""

from math import isqrt


class Wrong(Exception):
    """The certificate proves nothing, for this reason."""


class Better(Wrong):
    """There is a better answer: the claim itself is false, not only its proof."""


class TooLong(Wrong):
    """Nothing is shown in either direction: the row needs more work than the checker's limit."""


def need(holds, reason):
    if not holds:
        raise Wrong(reason)


def numbers(values, low, high, what):
    """Requires a list of integers from low to below high."""
    need(
        isinstance(values, list) and all(type(v) is int and low <= v < high for v in values),
        f"{what}: not a list of whole numbers from {low} to {high - 1}",
    )
    return values


def choice(values, n, what="answer"):
    """Requires some of 0 .. n - 1, none twice."""
    need(len(set(numbers(values, 0, n, what))) == len(values), f"{what}: a value stands twice")
    return values


def whole(digits, what):
    """The number that decimal digits spell."""
    need(len(numbers(digits, 0, 10, what)) == 1 or digits[0] > 0, f"{what}: a number of several digits begins with 0")
    return int("".join(map(str, digits)))


def order(answer, n):
    need(len(choice(answer, n)) == n, "the answer does not hold every value")
    return answer


def parts(answer, n):
    """Requires lists that together hold each of 0 .. n - 1 once."""
    need(isinstance(answer, list) and all(isinstance(one, list) for one in answer), "the answer is no list of lists")
    order([item for one in answer for item in one], n)
    return answer


def square(grid, low, high, what):
    need(
        isinstance(grid, list) and all(len(numbers(row, low, high, what)) == len(grid) for row in grid),
        f"{what}: not a square",
    )
    return grid


def amounts(values, count, low, what):
    need(len(numbers(values, low, 2**31, what)) == count, f"{what}: not {count} of them")
    return values


def vertices(instance):
    """The vertices: at most as many as a list can hold in little time."""
    need(type(instance["n"]) is int and 0 < instance["n"] <= 100_000, "n is no number of vertices from 1 to 100,000")
    return range(instance["n"])


def neighbours(instance):
    """The neighbours of each vertex, in a graph without loops."""
    near = [set() for _ in vertices(instance)]
    for u, v in instance["edges"]:
        need(0 <= u < len(near) and 0 <= v < len(near) and u != v, "an edge has no such ends")
        near[u].add(v)
        near[v].add(u)
    return near


def weighted(instance, least=0):
    """{neighbour: weight} for each vertex."""
    near = [{} for _ in vertices(instance)]
    for u, v, w in instance["edges"]:
        need(
            0 <= u < len(near) and 0 <= v < len(near) and u != v and least <= w < 2**31,
            "an edge has no such ends or weight",
        )
        need(near[u].get(v, w) == w, "an edge has two weights")
        near[u][v] = near[v][u] = w
    return near


def shortest(near):
    """The lengths of the shortest paths between all vertices, None where there is none (Floyd 1962)."""
    n = len(near)
    far = 1 + sum(max(ways.values(), default=0) for ways in near)
    ways = [[0 if u == v else near[u].get(v, far) for v in range(n)] for u in range(n)]
    for by in range(n):
        for row in ways:
            if row[by] < far:
                row[:] = [min(known, row[by] + on) for known, on in zip(row, ways[by])]
    return [[None if way >= far else way for way in row] for row in ways]


def rounded(points):
    """The distances of points of the plane, rounded to the nearest integer: floor(2 sqrt(s)) is isqrt(4 s)."""
    return [[(isqrt(4 * ((a - c) ** 2 + (b - d) ** 2)) + 1) // 2 for c, d in points] for a, b in points]


def bits(members):
    return sum(1 << one for one in members)
