import sys

read = sys.stdin.buffer
sizes = [int(size) for size in read.readline().split()]  # bytes of input, output, expected output
given, printed = read.read(sizes[0]).split(), read.read(sizes[1]).split()
count, capacity = int(given[0]), int(given[1])
if len(printed) != count or not all(word.isdigit() and len(word) < 9 for word in printed):
    sys.exit(print(f"wrong expected {count} numbers"))
load = {}
for van, weight in zip(printed, given[2:]):
    load[int(van)] = load.get(int(van), 0) + int(weight)
print("wrong a van is too heavy" if max(load.values()) > capacity else f"score {len(load)}")
