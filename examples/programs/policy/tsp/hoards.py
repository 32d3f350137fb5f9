# Invalid: a table of everything, larger than the memory there is.
import json

cities = len(json.loads(input())["distances"])
table = bytearray(1 << 30)
print(*(city + table[city] for city in range(cities)))
