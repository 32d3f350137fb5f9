# Travelling salesman: the cities in their order, each at the place that it lengthens the tour least.
import json

distances = json.loads(input())["distances"]
tour = [0]
for city in range(1, len(distances)):
    place = min(range(len(tour)), key=lambda k: distances[tour[k - 1]][city] + distances[city][tour[k]] - distances[tour[k - 1]][tour[k]])
    tour.insert(place, city)
print(*tour)
