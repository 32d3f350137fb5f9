# Invalid: all items, whatever they weigh.
import json

print(list(range(len(json.loads(input())["weights"]))))
