# Travelling salesman: the cities by their distance from the first.
import json

first = json.loads(input())["distances"][0]
print(*sorted(range(len(first)), key=lambda city: (city != 0, first[city], city)))
