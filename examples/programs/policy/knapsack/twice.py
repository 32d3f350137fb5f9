# Invalid: the lightest item twice.
import json

weights = json.loads(input())["weights"]
print([weights.index(min(weights))] * 2)
