# Knapsack, greedy: items by falling value per weight, the first of several, each taken if it still fits.
import fractions
import json
import sys

given = json.loads(sys.stdin.readline())
room, weights, values = given["capacity"], given["weights"], given["values"]
worth = lambda item: fractions.Fraction(values[item], weights[item])
taken = []
for item in sorted(range(len(weights)), key=lambda item: (-worth(item), item)):
    if weights[item] <= room:
        room -= weights[item]
        taken.append(item)
print(taken)
