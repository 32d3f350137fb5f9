"""A round trip from place 0 within a budget, with the largest sum of prizes."""

from common import amounts, choice, need, numbers, rounded


def objective(instance, answer):
    ways = rounded([numbers(point, 0, 10_001, "points") for point in instance["points"]])
    prizes = amounts(instance["prizes"], len(ways), 0, "prizes")
    trip = choice(answer, len(ways)) + ([] if 0 in answer else [0])
    length = sum(ways[a][b] for a, b in zip(trip, trip[1:] + trip[:1]))
    need(prizes[0] == 0, "place 0 has a prize")
    need(length <= instance["budget"], "the trip is longer than the budget")
    return sum(prizes[place] for place in set(trip))


def sums(instance):
    return 2 ** (len(instance["points"]) - 1) * len(instance["points"]) ** 2 // 4


def best(instance):
    """The shortest paths from 0 through each set of places to each last one, as long as the budget allows the return. A
    place on the way may be left out: each path is one through exactly its set."""
    ways, budget = rounded(instance["points"]), instance["budget"]
    places, most = range(1, len(ways)), instance["prizes"][0]
    shortest = {1: {0: 0}}
    while shortest:
        longer = {}
        for held, lasts in shortest.items():
            worth = sum(prize for place, prize in enumerate(instance["prizes"]) if held >> place & 1)
            most = max([most] + [worth for last, way in lasts.items() if way + ways[last][0] <= budget])
            for place in places:
                if not held >> place & 1:
                    way = min(known + ways[last][place] for last, known in lasts.items())
                    if way <= budget:
                        longer.setdefault(held | 1 << place, {})[place] = way
        shortest = longer
    return most
