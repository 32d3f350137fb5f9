"""Routes from a depot that satisfy every customer's demand, as short as possible."""

from common import amounts, need, numbers, parts, rounded


def ways_of(instance):
    """The distances between all places, given or computed from points."""
    if "distances" not in instance:
        return rounded(instance["points"])
    ways, n = instance["distances"], len(instance["demands"])
    need(len(ways) == n, "distances: not a row for each place")
    for at, row in enumerate(ways):
        need(len(numbers(row, 0, 2**31, "distances")) == n and row[at] == 0, "distances: not a square of zeros inside")
    need(all(ways[a][b] == ways[b][a] for a in range(n) for b in range(a)), "distances: two ways differ")
    return ways


def objective(instance, answer):
    ways, demands = ways_of(instance), instance["demands"]
    numbers(amounts(demands, len(ways), 0, "demands")[1:], 1, instance["capacity"] + 1, "demands")
    parts([[customer - 1 for customer in route] for route in answer], len(ways) - 1)
    need(
        demands[0] == 0 and all(sum(demands[c] for c in route) <= instance["capacity"] for route in answer),
        "a route carries too much",
    )
    return sum(ways[a][b] for route in answer for a, b in zip([0, *route], [*route, 0]))


def sums(instance):
    customers = len(instance["demands"]) - 1
    return 2**customers * customers**2 // 4 + 3**customers // 2


def best(instance):
    """The shortest route through each set that a vehicle can carry (Held & Karp 1962), then the best first route of
    each set, with its lowest customer on it."""
    ways, demands, n = ways_of(instance), instance["demands"][1:], len(instance["demands"]) - 1
    ends, route, least = [{} for _ in range(2**n)], {}, [0]
    for held in range(1, 2**n):
        members = [c for c in range(n) if held >> c & 1]
        if sum(demands[c] for c in members) <= instance["capacity"]:
            for c in members:
                before = ends[held & ~(1 << c)]
                ends[held][c] = min((w + ways[b + 1][c + 1] for b, w in before.items()), default=ways[0][c + 1])
            route[held] = min(w + ways[c + 1][0] for c, w in ends[held].items())
        lowest, found, others = held & -held, [], held & (held - 1)
        part = others
        while True:
            if part | lowest in route and least[others & ~part] is not None:
                found.append(route[part | lowest] + least[others & ~part])
            if not part:
                break
            part = (part - 1) & others
        least.append(min(found, default=None))
    return least[-1]
