# Knapsack: the most valuable item that fits, alone.
import json

given = json.loads(input())
fitting = [item for item, weight in enumerate(given["weights"]) if weight <= given["capacity"]]
print([max(fitting, key=lambda item: given["values"][item])])
