# Knapsack, a careful program for ordinary sizes: an optimum by a table over the room that is left where that has up to 10,000
# entries, beyond by falling value.
import json

given = json.loads(input())
room, weights, values = given["capacity"], given["weights"], given["values"]
taken = []
if room <= 10_000:
    best, choice = [0] * (room + 1), []
    for weight, value in zip(weights, values):
        more = [False] * min(weight, room + 1)
        more += [best[left - weight] + value > best[left] for left in range(weight, room + 1)]
        best = [best[left - weight] + value if better else best[left] for left, better in enumerate(more)]
        choice.append(more)
    for item in reversed(range(len(weights))):
        if choice[item][room]:
            room -= weights[item]
            taken.append(item)
else:
    for item in sorted(range(len(weights)), key=lambda item: (-values[item], item)):
        if weights[item] <= room:
            room -= weights[item]
            taken.append(item)
print(taken)
