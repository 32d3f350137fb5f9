"""The fewest colours such that no two neighbours have the same."""

from common import need, neighbours, numbers


def objective(instance, answer):
    near = neighbours(instance)
    need(len(numbers(answer, 0, 2**31, "answer")) == len(near), "the answer has not a colour for each vertex")
    need(not any(answer[u] == answer[v] for u, v in instance["edges"]), "two neighbours have one colour")
    return len(set(answer))


def search(instance, goal):
    """A cell per vertex. With one colour fewer than the goal: the colours that no neighbour has, among those in use and
    one more, since unused colours are interchangeable."""
    near = neighbours(instance)

    def allowed(chosen, vertex):
        taken = {chosen[other] for other in near[vertex] if other in chosen}
        used = 1 + max(chosen.values(), default=-1)
        return [colour for colour in range(min(used + 1, goal - 1)) if colour not in taken]

    return len(near), allowed
