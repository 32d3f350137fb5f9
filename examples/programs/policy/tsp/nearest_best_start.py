# Travelling salesman: to the nearest city that is left, from each of the first eight cities; the shortest of these tours.
import json

distances = json.loads(input())["distances"]


def walk(start):
    tour, left = [start], set(range(len(distances))) - {start}
    while left:
        tour.append(min(left, key=lambda city: (distances[tour[-1]][city], city)))
        left.remove(tour[-1])
    return tour


def length(tour):
    return sum(distances[here][there] for here, there in zip(tour, tour[1:] + tour[:1]))


print(*min((walk(start) for start in range(min(8, len(distances)))), key=length))
