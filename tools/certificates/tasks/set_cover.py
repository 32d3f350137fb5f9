"""The fewest sets that contain every element, or where sets have costs the least expensive ones."""

from common import amounts, choice, need, numbers


def sets_of(instance):
    return [set(numbers(one, 0, instance["universe"], "sets")) for one in instance["sets"]]


def costs_of(instance):
    return amounts(instance.get("costs", [1] * len(instance["sets"])), len(instance["sets"]), 1, "costs")


def objective(instance, answer):
    sets, costs = sets_of(instance), costs_of(instance)
    covered = set().union(*(sets[one] for one in choice(answer, len(sets))))
    need(len(covered) == instance["universe"], "an element is in none of the sets")
    return sum(costs[one] for one in answer)


def linear(instance, goal):
    """A variable per set. Of the sets that contain an element at least one is chosen. Where the claim is that no cover
    exists, all costs are 0 and the goal is 1."""
    sets = sets_of(instance)

    def row(name, element):
        need(name == "holding" and 0 <= element < instance["universe"], "no such inequality")
        return {at: 1 for at, one in enumerate(sets) if element in one}, 1

    return (dict(enumerate(costs_of(instance))), goal, len(sets), row) if goal is not None else ({}, 1, len(sets), row)
