#!/usr/bin/env python3
"""Canonical keys against other programs: two instances have one key exactly when they are isomorphic.

    canonical_test.py [COUNT] [--seed S]

COUNT instances a task (default 150), each with a relabelled copy, small enough for chance to make isomorphic ones, beside
regular graphs that colour refinement cannot tell apart. Isomorphic is what NetworkX's search says of pairs and, where
pynauty is installed, what nauty's certificates say of all. tools/oracle.sh --canonical installs it.
"""

import argparse
import collections
import itertools
import math
import random as randoms
import sys

import networkx

from rows import optgap

try:
    import pynauty
except ImportError:
    pynauty = None

PAIRS = 300
"""Compared by NetworkX, a task."""


class Shape:
    """Vertices and edges with labels: what is to be isomorphic."""

    def __init__(self, labels, edges):
        self.labels = list(labels)
        self.edges = {tuple(sorted(ends)): label for ends, label in edges.items()}

    def size(self):
        return len(self.labels), len(self.edges)

    def graph(self):
        made = networkx.Graph()
        made.add_nodes_from((v, {"label": label}) for v, label in enumerate(self.labels))
        made.add_edges_from((u, v, {"label": label}) for (u, v), label in self.edges.items())
        return made

    def certificate(self):
        """nauty's, of the graph whose edges are vertices of their label's colour."""
        count = len(self.labels)
        colours = collections.defaultdict(set)
        for v, label in enumerate(self.labels):
            colours["vertex", label].add(v)
        links = {}
        for number, (ends, label) in enumerate(sorted(self.edges.items())):
            colours["edge", label].add(count + number)
            links[count + number] = list(ends)
        order = sorted(colours)
        made = pynauty.Graph(count + len(self.edges), adjacency_dict=links, vertex_coloring=[colours[c] for c in order])
        return (tuple((c, len(colours[c])) for c in order), pynauty.certificate(made))


def same(one, other):
    equal = networkx.algorithms.isomorphism.categorical_edge_match("label", None)
    vertices = networkx.algorithms.isomorphism.categorical_node_match("label", None)
    return networkx.is_isomorphic(one.graph(), other.graph(), node_match=vertices, edge_match=equal)


def permuted(n, random):
    order = list(range(n))
    random.shuffle(order)
    return order


def graph_instance(n, edges, random):
    """Under random labels, its edges in random order."""
    to = permuted(n, random)
    listed = [random.sample([to[u], to[v]], 2) for u, v in edges]
    random.shuffle(listed)
    return {"n": n, "edges": listed}


REGULAR = [networkx.petersen_graph(), networkx.circular_ladder_graph(5), networkx.circular_ladder_graph(3),
           networkx.complete_bipartite_graph(3, 3), networkx.cycle_graph(6), networkx.disjoint_union(*[networkx.cycle_graph(3)] * 2),
           networkx.line_graph(networkx.complete_bipartite_graph(4, 4)), networkx.circulant_graph(8, [1, 4]),
           networkx.hypercube_graph(3)]  # fmt: skip
SHRIKHANDE = networkx.Graph(((a, b), ((a + x) % 4, (b + y) % 4)) for a in range(4) for b in range(4)
                            for x, y in ((0, 1), (1, 0), (1, 1)))
"""As regular as the rook's graph on 4 by 4, and another one."""


def graphs(random):
    if random.random() < 0.15:
        chosen = networkx.convert_node_labels_to_integers(random.choice([*REGULAR, SHRIKHANDE]))
        n, edges = chosen.number_of_nodes(), list(chosen.edges)
    else:
        n = random.randint(3, 6)
        edges = [pair for pair in itertools.combinations(range(n), 2) if random.random() < random.choice((0.3, 0.5, 0.8))]
    shape = Shape([0] * n, dict.fromkeys(edges, 1))
    return shape, lambda: graph_instance(n, edges, random)


def weighted(random):
    n = random.choice((4, 6))
    edges = {pair: random.randint(1, 2) for pair in itertools.combinations(range(n), 2) if random.random() < 0.5}

    def instance():
        to = permuted(n, random)
        return {"n": n, "edges": [[to[u], to[v], w] for (u, v), w in random.sample(list(edges.items()), len(edges))]}

    return Shape([0] * n, edges), instance


def matrices(random):
    n = random.randint(4, 5)
    edges = {pair: random.randint(1, 2) for pair in itertools.combinations(range(n), 2)}

    def instance():
        to = permuted(n, random)
        rows = [[0] * n for _ in range(n)]
        for (u, v), weight in edges.items():
            rows[to[u]][to[v]] = rows[to[v]][to[u]] = weight
        return {"distances": rows}

    return Shape([0] * n, edges), instance


def covers(random):
    universe, count = random.randint(2, 4), random.randint(2, 4)
    sets = [[e for e in range(universe) if random.random() < 0.5] for _ in range(count)]
    edges = {(e, universe + s): 1 for s, own in enumerate(sets) for e in own}

    def instance():
        to = permuted(universe, random)
        named = [random.sample([to[e] for e in own], len(own)) for own in sets]
        random.shuffle(named)
        return {"universe": universe, "sets": named}

    return Shape([0] * universe + [1] * count, edges), instance


def knapsacks(random):
    """Items have no joints: what is the same follows from the labels, with their divisors taken out."""
    items = [(random.randint(1, 4), random.randint(1, 3)) for _ in range(random.randint(2, 3))]
    capacity = random.randint(1, 12)
    whole = sum(weight for weight, _ in items)
    room = min(capacity, whole)
    divisor = math.gcd(room, *(weight for weight, _ in items))
    worth = math.gcd(*(value for _, value in items))
    labels = [("item", weight // divisor, value // worth) for weight, value in items]

    def instance():
        by, of = random.randint(1, 3), random.randint(1, 3)
        mixed = random.sample(items, len(items))
        large = capacity if capacity < whole else whole + random.randint(0, 5)
        return {"capacity": large * by, "weights": [w * by for w, _ in mixed], "values": [v * of for _, v in mixed]}

    return Shape([*labels, ("capacity", room // divisor, 0)], {}), instance


TASKS = {"clique": graphs, "independent_set": graphs, "coloring": graphs, "hamiltonian": graphs,
         "bisection": weighted, "max_cut": weighted, "tsp": matrices, "set_cover": covers, "knapsack": knapsacks}  # fmt: skip


def keys_of(task, instances):
    """The canonical keys, and which of them are coarse."""
    asked = [{"proposal": {"task": task, "instance": instance}} for instance in instances]
    found = optgap("score", "-", "--budget", "0", rows=asked)
    wrong = [row for row in found if not row.get("canonical")]
    if wrong:
        sys.exit(f"{task}: no key for {wrong[0]['proposal']}: {wrong[0].get('rule') or wrong[0].get('error')}")
    return [row["canonical"] for row in found], [row["coarse"] for row in found]


def mismatches(task, count, random):
    """What differs, and how many pairs NetworkX compared, how many classes nauty has."""
    drawn = [TASKS[task](random) for _ in range(count)]
    shapes = [shape for shape, _ in drawn for _ in range(2)]
    keys, coarse = keys_of(task, [instance() for _, instance in drawn for _ in range(2)])
    wrong = [f"{task} {i // 2}: relabelled, another key" for i in range(0, len(keys), 2) if keys[i] != keys[i + 1]]
    if any(coarse):
        wrong.append(f"{task}: {sum(coarse)} coarse keys of small instances")
    alike = collections.defaultdict(list)
    for i, shape in enumerate(shapes):
        alike[shape.size()].append(i)
    pairs = [pair for rows in alike.values() for pair in itertools.islice(itertools.combinations(rows, 2), 200)]
    random.shuffle(pairs)
    equal = 0
    for i, j in pairs[:PAIRS]:
        isomorphic = same(shapes[i], shapes[j])
        equal += isomorphic
        if isomorphic != (keys[i] == keys[j]):
            wrong.append(f"{task} {i // 2}, {j // 2}: NetworkX says {isomorphic}, the keys {keys[i] == keys[j]}")
    classes = None
    if pynauty is not None:
        of_key = collections.defaultdict(set)
        of_certificate = collections.defaultdict(set)
        for key, shape in zip(keys, shapes):
            certificate = shape.certificate()
            of_key[key].add(certificate)
            of_certificate[certificate].add(key)
        classes = len(of_certificate)
        wrong += [f"{task}: one key, {len(found)} classes of nauty's" for found in of_key.values() if len(found) > 1]
        wrong += [f"{task}: one class of nauty's, {len(found)} keys" for found in of_certificate.values() if len(found) > 1]
    return wrong, min(PAIRS, len(pairs)), equal, classes


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("count", type=int, nargs="?", default=150)
    arguments.add_argument("--seed", default="1")
    said = arguments.parse_args()
    wrong = []
    for task in TASKS:
        random = randoms.Random(f"{task} canonical {said.seed}")
        found, pairs, equal, classes = mismatches(task, said.count, random)
        nauty = "pynauty is not installed" if classes is None else f"{classes} classes as nauty's"
        print(f"{task}: {2 * said.count} instances, {pairs} pairs by NetworkX, {equal} isomorphic; {nauty}")
        if not (0 < equal < pairs):
            found.append(f"{task}: the pairs show nothing")
        wrong += found
    for line in wrong[:20]:
        print(f"WRONG {line}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
