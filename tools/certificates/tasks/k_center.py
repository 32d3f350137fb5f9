"""k vertices such that the largest distance of a vertex to its nearest one is minimal."""

from common import choice, need, shortest, weighted


def objective(instance, answer):
    ways = shortest(weighted(instance, 1))
    need(len(choice(answer, instance["n"])) == instance["k"] > 0, "the answer has not k vertices")
    need(all(way is not None for row in ways for way in row), "the graph has more than one part")
    return max(min(ways[v][centre] for centre in answer) for v in range(instance["n"]))


def linear(instance, goal):
    """A variable per vertex. For a radius below the goal, at least one vertex within it of each vertex is chosen. The
    proof shows that this takes more than k vertices, which are counted as the cost."""
    ways, n = shortest(weighted(instance)), instance["n"]

    def row(name, vertex):
        need(name == "within" and 0 <= vertex < n, "no such inequality")
        return {v: 1 for v in range(n) if ways[vertex][v] < goal}, 1

    return dict.fromkeys(range(n), 1), instance["k"] + 1, n, row
