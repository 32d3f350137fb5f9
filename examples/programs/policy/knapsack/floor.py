# Knapsack, the floor: items in their own order, each taken if it still fits.
import json
import sys

given = json.loads(sys.stdin.readline())
room = given["capacity"]
taken = []
for item, weight in enumerate(given["weights"]):
    if weight <= room:
        room -= weight
        taken.append(item)
print(taken)
