# ok
def solve(weights, **others):
    return [str(len(weights)), " ".join(map(str, weights))]
