# Knapsack: items from the last to the first, each taken if it still fits.
import json

given = json.loads(input())
room, weights, values = given["capacity"], given["weights"], given["values"]
taken = []
for item in reversed(range(len(weights))):
    if weights[item] <= room:
        room -= weights[item]
        taken.append(item)
print(taken)
