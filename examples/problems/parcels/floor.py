count, capacity = map(int, input().split())
print(*range(count))
