# Travelling salesman, greedy: from city 0 on to the nearest city that was not visited, the first of several.
import json
import sys

distances = json.loads(sys.stdin.readline())["distances"]
tour = [0]
left = set(range(1, len(distances)))
while left:
    here = distances[tour[-1]]
    city = min(left, key=lambda other: (here[other], other))
    tour.append(city)
    left.remove(city)
print(*tour)
