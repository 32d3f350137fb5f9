# Invalid: an exception after the answer was printed.
import json

distances = json.loads(input())["distances"]
print(*range(len(distances)))
print(distances[len(distances)])
