# Knapsack: by value per square root of weight: between value and density.
import json

given = json.loads(input())
room, weights, values = given["capacity"], given["weights"], given["values"]
taken = []
for item in sorted(range(len(weights)), key=lambda item: (-(values[item] ** 2) / weights[item], item)):
    if weights[item] <= room:
        room -= weights[item]
        taken.append(item)
print(taken)
