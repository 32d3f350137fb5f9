"""As many vertices as possible, no two of them adjacent."""

from common import choice, need, neighbours


def objective(instance, answer):
    near = neighbours(instance)
    need(len(choice(answer, instance["n"])) > 0, "the answer is empty")
    need(not any(v in near[u] for u in answer for v in answer), "two vertices are neighbours")
    return len(answer)


def linear(instance, goal):
    """A variable per vertex. Of vertices that are pairwise adjacent at most one can be chosen."""
    near = neighbours(instance)

    def row(name, *clique):
        need(name == "clique" and len(set(clique)) == len(clique), "no such inequality")
        need(all(v in near[u] for u in clique for v in clique if u != v), "two of them are no neighbours")
        return dict.fromkeys(clique, -1), -1

    return dict.fromkeys(range(instance["n"]), -1), -goal, instance["n"], row
