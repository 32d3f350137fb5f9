# Travelling salesman: always the city and the place that lengthen the tour least.
import json

distances = json.loads(input())["distances"]
tour, left = [0], set(range(1, len(distances)))
while left:
    _, place, city = min((distances[tour[k - 1]][city] + distances[city][tour[k]] - distances[tour[k - 1]][tour[k]], k, city)
                         for city in left for k in range(len(tour)))
    tour.insert(place, city)
    left.remove(city)
print(*tour)
