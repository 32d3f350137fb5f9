"""As many vertices as possible, all adjacent to each other."""

from common import choice, need, neighbours


def objective(instance, answer):
    near = neighbours(instance)
    need(len(choice(answer, instance["n"])) > 0, "the answer is empty")
    need(all(v in near[u] for u in answer for v in answer if u != v), "two vertices are no neighbours")
    return len(answer)


def linear(instance, goal):
    """A variable per vertex. Of vertices that are pairwise not adjacent at most one is chosen."""
    near = neighbours(instance)

    def row(name, *apart):
        need(name == "apart" and len(set(apart)) == len(apart), "no such inequality")
        need(not any(v in near[u] for u in apart for v in apart), "two of them are neighbours")
        return dict.fromkeys(apart, -1), -1

    return dict.fromkeys(range(instance["n"]), -1), -goal, instance["n"], row
