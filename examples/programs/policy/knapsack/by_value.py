# Knapsack: the most valuable item that still fits, again and again.
import json

given = json.loads(input())
room, weights, values = given["capacity"], given["weights"], given["values"]
taken = []
for item in sorted(range(len(weights)), key=lambda item: (-values[item], item)):
    if weights[item] <= room:
        room -= weights[item]
        taken.append(item)
print(taken)
