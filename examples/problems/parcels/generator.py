import random

random.seed(int(input()))
count = random.randint(10, 30)
print(count, 100)
print(*(random.randint(10, 70) for _ in range(count)))
