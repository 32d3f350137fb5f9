"""Vertices of minimum weight that contain an end of every edge."""

from common import amounts, choice, need, neighbours


def objective(instance, answer):
    chosen = set(choice(answer, instance["n"]))
    need(all(u in chosen or v in chosen for u, v in instance["edges"]), "an edge has neither end in the answer")
    return sum(amounts(instance["weights"], instance["n"], 1, "weights")[v] for v in chosen)


def linear(instance, goal):
    """A variable per vertex. Of vertices that are pairwise adjacent at most one can be left out."""
    near = neighbours(instance)

    def row(name, *clique):
        need(name == "clique" and len(set(clique)) == len(clique), "no such inequality")
        need(all(v in near[u] for u in clique for v in clique if u != v), "two of them are no neighbours")
        return dict.fromkeys(clique, 1), len(clique) - 1

    return dict(enumerate(instance["weights"])), goal, instance["n"], row
