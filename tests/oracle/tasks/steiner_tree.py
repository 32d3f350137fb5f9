"""Edges of a graph that connect all terminals; the least total weight, where an edge given twice counts twice."""

from found import cp_sat
from labels import named_vertices, renamed, under_vertex_labels
from lengths import components, lengths_of, odd_lengths
from ortools.sat.python import cp_model
from verdict import Verdict, feasible, first_outside, is_rows, values_of, worst

MAXIMISE = False
ROWS = True


def under_labels(instance, labels):
    return dict(
        under_vertex_labels(instance, labels), terminals=sorted(renamed(instance["terminals"], labels["vertex"]))
    )


def answer_under_labels(answer, labels):
    return [named_vertices(edge, labels) for edge in answer]


def judge(instance, answer):
    most = len(instance["terminals"]) - 1
    if isinstance(answer, str):
        return worst("unparsable", most)
    if not answer:
        return worst("empty", most)
    if not is_rows(answer):
        return worst("bad_depth", most)
    if any(len(edge) != 2 for edge in answer):
        return worst("wrong_length", most)
    if (at := first_outside(values_of(answer), instance["n"])) is not None:
        return worst("out_of_range", most, at)
    lengths, pairs = lengths_of(instance), [(min(edge), max(edge)) for edge in answer]
    absent = [2 * i for i, pair in enumerate(pairs) if pair not in lengths]
    if absent:
        return Verdict("no_edge", absent[0], None, len(absent), len(pairs))
    part = components(instance["n"], pairs)
    apart = len({part[v] for v in instance["terminals"]}) - 1
    if apart:
        return Verdict("not_connected", -1, None, apart, most)
    return feasible(sum(lengths[pair] for pair in pairs), most)


def label_count(instance):
    return instance["n"]


def random_answer(instance, random):
    """A random spanning tree without its useless branches."""
    pairs = list(lengths_of(instance))
    tree = []
    for pair in random.sample(pairs, len(pairs)):
        part = components(instance["n"], tree)
        if part[pair[0]] != part[pair[1]]:
            tree.append(pair)
    while True:
        ends = [v for pair in tree for v in pair]
        loose = [pair for pair in tree if any(ends.count(v) == 1 and v not in instance["terminals"] for v in pair)]
        if not loose:
            return [list(pair) for pair in tree]
        tree = [pair for pair in tree if pair not in loose]


def exchange_an_edge(instance, answer, random):
    """Replaces an edge by another one of the graph."""
    edge = list(random.choice(list(lengths_of(instance))))
    at = random.randrange(len(answer)) if answer else 0
    return answer[:at] + [random.choice([edge, edge[::-1]])] + answer[at + 1 :]


def add_an_edge(instance, answer, random):
    return answer + [list(random.choice(list(lengths_of(instance))))]


mutants = [exchange_an_edge, add_an_edge]


def odd_instances(random, count):
    for name, graph in odd_lengths(random, count):
        if graph["n"] > 1:
            number = random.randint(2, min(graph["n"], 16))
            yield f"{name}, {number}", dict(graph, terminals=random.sample(range(graph["n"]), number))


def cp_model_of(instance):
    """An arborescence from the first terminal; depths forbid cycles."""
    n, terminals, lengths = instance["n"], instance["terminals"], lengths_of(instance)
    model = cp_model.CpModel()
    arcs = {arc: model.new_bool_var("") for pair in lengths for arc in (pair, pair[::-1])}
    inside = [model.new_bool_var("") for _ in range(n)]
    depth = [model.new_int_var(0, n - 1, "") for _ in range(n)]
    for v in range(n):
        entering = [x for (_, w), x in arcs.items() if w == v]
        model.add(sum(entering) == (0 if v == terminals[0] else inside[v]))
        if v in terminals:
            model.add(inside[v] == 1)
    for (u, v), x in arcs.items():
        model.add_implication(x, inside[u])
        model.add(depth[v] >= depth[u] + 1).only_enforce_if(x)
    model.minimize(sum(lengths[min(arc), max(arc)] * x for arc, x in arcs.items()))
    return cp_sat(model, lambda solver: [list(arc) for arc, x in arcs.items() if solver.boolean_value(x)])


PEERS = {"CP-SAT": cp_model_of}
