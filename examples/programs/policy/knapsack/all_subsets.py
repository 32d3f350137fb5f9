# Knapsack, exact and slow: every subset of the items. Time runs out on every hidden instance.
import json

given = json.loads(input())
weights, values = given["weights"], given["values"]
best, taken = 0, []
for subset in range(1 << len(weights)):
    chosen = [item for item in range(len(weights)) if subset >> item & 1]
    if sum(weights[item] for item in chosen) <= given["capacity"]:
        value = sum(values[item] for item in chosen)
        if value > best:
            best, taken = value, chosen
print(taken)
