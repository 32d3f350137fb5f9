# Travelling salesman: the best of a hundred random tours, always the same.
import json
import random

distances = json.loads(input())["distances"]
draw = random.Random(1)
tours = [draw.sample(range(len(distances)), len(distances)) for _ in range(100)]
print(*min(tours, key=lambda tour: sum(distances[tour[k - 1]][tour[k]] for k in range(len(tour)))))
