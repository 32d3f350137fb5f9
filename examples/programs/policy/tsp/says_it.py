# Invalid: a sentence around the answer.
import json

print("A good tour is", *range(len(json.loads(input())["distances"])))
