count, capacity = map(int, input().split())
loads = []
for weight in map(int, input().split()):
    van = next((k for k, load in enumerate(loads) if load + weight <= capacity), len(loads))
    loads[van:] = [weight] if van == len(loads) else [loads[van] + weight, *loads[van + 1 :]]
    print(van)
