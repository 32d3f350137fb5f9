"""Vertices of minimum weight such that every other one has a neighbour among them."""

from common import amounts, choice, need, neighbours


def objective(instance, answer):
    near, chosen = neighbours(instance), set(choice(answer, instance["n"]))
    need(all(v in chosen or near[v] & chosen for v in range(instance["n"])), "a vertex has no neighbour in the answer")
    return sum(amounts(instance["weights"], instance["n"], 1, "weights")[v] for v in chosen)


def linear(instance, goal):
    """A variable per vertex. Of a vertex and its neighbours at least one is chosen."""
    near = neighbours(instance)

    def row(name, vertex):
        need(name == "about" and 0 <= vertex < len(near), "no such inequality")
        return dict.fromkeys([vertex, *near[vertex]], 1), 1

    return dict(enumerate(instance["weights"])), goal, instance["n"], row
