# Knapsack: the best of fifty random orders, always the same, each item taken if it still fits.
import json
import random

given = json.loads(input())
weights, values = given["weights"], given["values"]
draw = random.Random(1)


def fill(order):
    room, taken = given["capacity"], []
    for item in order:
        if weights[item] <= room:
            room -= weights[item]
            taken.append(item)
    return taken


found = [fill(draw.sample(range(len(weights)), len(weights))) for _ in range(50)]
print(max(found, key=lambda taken: sum(values[item] for item in taken)))
