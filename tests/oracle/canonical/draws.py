"""Instances so small that two of them are often isomorphic by chance."""

import itertools

import networkx
from tasks import MODULES

REGULAR = [networkx.petersen_graph(), networkx.circular_ladder_graph(5), networkx.circular_ladder_graph(3),
           networkx.complete_bipartite_graph(3, 3), networkx.cycle_graph(6),
           networkx.disjoint_union(networkx.cycle_graph(3), networkx.cycle_graph(3)),
           networkx.line_graph(networkx.complete_bipartite_graph(4, 4)), networkx.circulant_graph(8, [1, 4]),
           networkx.hypercube_graph(3)]  # fmt: skip
SHRIKHANDE = networkx.Graph(
    ((a, b), ((a + x) % 4, (b + y) % 4)) for a in range(4) for b in range(4) for x, y in ((0, 1), (1, 0), (1, 1))
)
"""As regular as the rook's graph on 4 by 4, but different from it."""
CUBIC = [networkx.random_regular_graph(3, n, seed) for n in (8, 10, 12) for seed in range(8)]
"""Most have few symmetries, so that leaves of the search differ and the least must be found."""


def some(random, least, most, low, high):
    """A list of `least` to `most` numbers."""
    return [random.randint(low, high) for _ in range(random.randint(least, most))]


def pairs_of(n, share, random):
    return [[u, v] for u, v in itertools.combinations(range(n), 2) if random.random() < share]


def graph(random):
    if random.random() < 0.15:
        chosen = networkx.convert_node_labels_to_integers(random.choice([*REGULAR, SHRIKHANDE, *CUBIC]))
        return {"n": chosen.number_of_nodes(), "edges": [list(edge) for edge in chosen.edges]}
    n = random.randint(3, 6)
    return {"n": n, "edges": pairs_of(n, random.choice((0.3, 0.5, 0.8)), random)}


def heavy_vertices(random):
    drawn = graph(random)
    return dict(drawn, weights=[random.randint(1, 2) for _ in range(drawn["n"])])


def heavy_edges(random):
    n = random.choice((4, 6))
    return {"n": n, "edges": [[*pair, random.randint(1, 2)] for pair in pairs_of(n, 0.5, random)]}


def signed_edges(random):
    drawn = heavy_edges(random)
    return dict(drawn, edges=[[u, v, random.choice((-1, 1)) * weight] for u, v, weight in drawn["edges"]])


def connected(random):
    n = random.randint(3, 6)
    tree = [[random.randrange(v), v] for v in range(1, n)]
    edges = tree + [pair for pair in pairs_of(n, 0.3, random) if pair not in tree]
    return {"n": n, "edges": [[*pair, random.randint(1, 2)] for pair in edges]}


def k_center(random):
    drawn = connected(random)
    return dict(drawn, k=random.randint(1, min(2, drawn["n"])))


def steiner_tree(random):
    drawn = connected(random)
    return dict(drawn, terminals=random.sample(range(drawn["n"]), random.randint(2, 3)))


def two_graphs(random):
    n = random.randint(3, 5)
    pairs = list(itertools.combinations(range(n), 2))
    count = random.randint(1, len(pairs))
    return {"n": n, **{field: [list(pair) for pair in random.sample(pairs, count)] for field in ("edges1", "edges2")}}


def arcs(random):
    n, share = random.randint(3, 4), random.choice((0.3, 0.5))
    return {"successors": [[v for v in range(n) if v != u and random.random() < share] for u in range(n)]}


def sets(random):
    """Sometimes with costs."""
    universe, count = random.randint(2, 4), random.randint(2, 4)
    drawn = {
        "universe": universe,
        "sets": [[e for e in range(universe) if random.random() < 0.5] for _ in range(count)],
    }
    return dict(drawn, costs=[random.randint(1, 2) for _ in range(count)]) if random.random() < 0.4 else drawn


def clauses(random):
    n, width, count = random.randint(2, 4), random.randint(1, 3), random.randint(1, 4)
    least = random.choice((0, width, width))
    widths = [width] + [random.randint(least, width) for _ in range(count - 1)]
    return {
        "n": n,
        "clauses": [[random.choice((-1, 1)) * random.randint(1, n) for _ in range(own)] for own in widths],
    }


def weighted_clauses(random):
    """Sometimes with hard ones."""
    drawn = clauses(random)
    weights = [random.randint(1, 2) for _ in drawn["clauses"]]
    hard = [random.randint(0, 1) for _ in weights]
    if 0 < sum(hard) < len(hard):
        return dict(drawn, weights=[1 if must else own for must, own in zip(hard, weights)], hard=hard)
    return dict(drawn, weights=weights)


def words(random):
    letters = random.randint(2, 3)
    return {"letters": letters, "words": [some(random, 1, 3, 1, letters) for _ in range(random.randint(2, 3))]}


def matrix(random):
    """Sometimes given by points; the canonical form uses distances."""
    if random.random() < 0.4:
        return {"points": places(random), "metric": "euc_2d"}
    n = random.randint(4, 5)
    rows = [[0] * n for _ in range(n)]
    for u, v in itertools.combinations(range(n), 2):
        rows[u][v] = rows[v][u] = random.randint(1, 2)
    return {"distances": rows}


def square(random):
    n = random.randint(3, 4)
    return {"matrix": [[0 if i == j else random.randint(0, 1) for j in range(n)] for i in range(n)]}


def places(random):
    return [[random.randint(0, 2), random.randint(0, 2)] for _ in range(random.randint(3, 5))]


def vehicles(random):
    """Sometimes with distances instead of points."""
    points = places(random)
    drawn = {"capacity": random.randint(2, 4), "demands": [0] + [random.randint(1, 2) for _ in points[1:]]}
    if random.random() < 0.6:
        return dict(drawn, points=points)
    rows = [[0] * len(points) for _ in points]
    for u, v in itertools.combinations(range(len(points)), 2):
        rows[u][v] = rows[v][u] = random.randint(1, 2)
    return dict(drawn, distances=rows)


def prizes(random):
    points = places(random)
    return {
        "budget": random.randint(2, 8),
        "points": points,
        "prizes": [0] + [random.randint(0, 2) for _ in points[1:]],
    }


def knapsack(random):
    weights = some(random, 2, 3, 1, 4)
    return {"capacity": random.randint(1, 12), "weights": weights, "values": [random.randint(1, 3) for _ in weights]}


def subset_sum(random):
    return {"target": random.randint(1, 8), "values": some(random, 2, 4, 1, 6)}


def partition(random):
    return {"k": random.randint(1, 3), "values": some(random, 2, 4, 1, 4)}


def bins(random):
    return {"capacity": random.randint(6, 12), "sizes": some(random, 2, 4, 1, 6)}


def coins(random):
    return {"coins": random.sample(range(1, 9), random.randint(2, 4)), "amount": random.randint(4, 24)}


def tardiness(random):
    times = some(random, 2, 3, 1, 2)
    return {
        "times": times,
        "weights": [random.randint(1, 2) for _ in times],
        "due": [random.randint(1, 3) for _ in times],
    }


def flow_shop(random):
    machines = random.randint(1, 3)
    return {"times": [[random.randint(1, 2) for _ in range(machines)] for _ in range(random.randint(2, 4))]}


def job_shop(random):
    jobs, stages, m = random.randint(2, 3), random.randint(1, 3), random.randint(2, 3)
    return {
        "m": m,
        "machines": [[random.randrange(m) for _ in range(stages)] for _ in range(jobs)],
        "times": [[random.randint(1, 2) for _ in range(stages)] for _ in range(jobs)],
    }


def apples(random):
    kinds, levels = random.randint(2, 3), random.randint(1, 2)
    return {
        "turns": random.randint(3, 4),
        "stock": random.randint(1, 2),
        "rates": [random.randint(1, 2) for _ in range(kinds)],
        "prices": [[random.choice((1, 2, 10**9 + 1)) for _ in range(levels)] for _ in range(kinds)],
    }


def chests(random):
    n = random.randint(2, 3)
    return {
        "hardness": [random.randint(1, 2) for _ in range(n)],
        "uses": [random.randint(1, 2) for _ in range(n)],
        "damage": [[random.randint(1, 2) for _ in range(n)] for _ in range(n)],
    }


def meetings(random):
    people, count = random.randint(1, 3), random.randint(1, 3)

    def windows():
        cuts = sorted(random.sample(range(600, 700, 10), random.choice((2, 2, 4))))
        return [cuts[i : i + 2] for i in range(0, len(cuts), 2)]

    return {
        "attendees": [random.sample(range(people), random.randint(1, people)) for _ in range(count)],
        "durations": [random.choice((10, 20)) for _ in range(count)],
        "availability": [windows() for _ in range(people)],
        "capacities": some(random, 1, 2, 1, 2),
    }


def sudoku(random):
    height, width = random.choice([(1, 2), (2, 1), (2, 2), (1, 3), (3, 1)])
    n = height * width
    grid = [[0] * n for _ in range(n)]
    for _ in range(random.randint(0, 4)):
        grid[random.randrange(n)][random.randrange(n)] = random.randint(1, n)
    return {"box": [height, width], "grid": grid}


def futoshiki(random):
    n = random.randint(2, 3)
    grid = [[0] * n for _ in range(n)]
    for _ in range(random.randint(0, 2)):
        grid[random.randrange(n)][random.randrange(n)] = random.randint(1, n)
    beside = [
        [r, c, r + x, c + y] for r in range(n) for c in range(n) for x, y in ((0, 1), (1, 0)) if max(r + x, c + y) < n
    ]
    signs = [
        sign if random.random() < 0.5 else sign[2:] + sign[:2] for sign in random.sample(beside, random.randint(0, 3))
    ]
    return {"grid": grid, "less": signs}


def nonogram(random):
    height, width = random.randint(1, 3), random.randint(1, 3)
    grid = [[random.randint(0, 1) for _ in range(width)] for _ in range(height)]
    return MODULES["nonogram"].clues_of(grid)


def queens(random):
    n = random.randint(2, 5)
    return {"queens": [random.randrange(n) if random.random() < 0.4 else -1 for _ in range(n)]}


def cards(random):
    side = 2
    deck = [number for number in range(side * side // 2) for _ in range(2)]
    random.shuffle(deck)
    return {"cards": [deck[i : i + side] for i in range(0, len(deck), side)]}
