# Invalid: half of the cities.
import json

print(*range(len(json.loads(input())["distances"]) // 2))
