# Travelling salesman: always the city farthest from the tour, at the place that it lengthens least.
import json

distances = json.loads(input())["distances"]
tour, left = [0], set(range(1, len(distances)))
while left:
    city = max(left, key=lambda city: (min(distances[city][other] for other in tour), -city))
    place = min(range(len(tour)), key=lambda k: distances[tour[k - 1]][city] + distances[city][tour[k]] - distances[tour[k - 1]][tour[k]])
    tour.insert(place, city)
    left.remove(city)
print(*tour)
