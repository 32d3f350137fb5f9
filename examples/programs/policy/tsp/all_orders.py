# Travelling salesman, exact and slow: every order of the cities. Time runs out on every hidden instance.
import itertools
import json

distances = json.loads(input())["distances"]


def length(rest):
    tour = (0, *rest)
    return sum(distances[tour[k - 1]][tour[k]] for k in range(len(tour)))


print(0, *min(itertools.permutations(range(1, len(distances))), key=length))
