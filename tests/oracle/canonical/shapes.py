"""The properties of an instance that hold under all its labels, from its JSON alone: a shape per task, independent of
the program."""

import math

from plane import distance
from shape import Shape
from tasks import MODULES


def of_graph(instance):
    """Vertices, with the weights of them and their edges; terminals have their own colour. An edge of weight 0 does not
    count."""
    shape, terminals = Shape(), instance.get("terminals", [])
    weights = instance.get("weights", [0] * instance["n"])
    at = [shape.node("vertex", weight, v in terminals) for v, weight in enumerate(weights)]
    for (u, v), weight in {tuple(sorted(edge[:2])): edge[2:] for edge in instance["edges"]}.items():
        if not weight:
            shape.link(at[u], at[v])
        elif weight[0]:
            shape.joint([at[u], at[v]], "edge", weight[0])
    shape.node("k", instance.get("k"))
    return shape


def of_two_graphs(instance):
    shape = Shape()
    for edges, kind in (("edges1", "vertex"), ("edges2", "image")):
        at = shape.nodes(instance["n"], kind)
        for u, v in {tuple(sorted(edge)) for edge in instance[edges]}:
            shape.link(at[u], at[v])
    return shape


def of_arcs(instance):
    shape = Shape()
    at = shape.nodes(len(instance["successors"]), "vertex")
    for u, successors in enumerate(instance["successors"]):
        for v in set(successors):
            shape.arc(at[u], at[v], "arc")
    return shape


def of_sets(instance):
    shape = Shape()
    elements = shape.nodes(instance["universe"], "element")
    for members, *cost in zip(instance["sets"], *([instance["costs"]] if "costs" in instance else [])):
        shape.joint([elements[e] for e in set(members)], "set", *cost)
    return shape


def of_clauses(instance):
    """A literal that occurs twice in its clause counts twice."""
    shape = Shape()
    variables = shape.nodes(instance["n"], "variable")
    weights = instance.get("weights", [0] * len(instance["clauses"]))
    for clause, weight, hard in zip(instance["clauses"], weights, instance.get("hard", [0] * len(weights))):
        own = shape.node("clause", weight, hard)
        for literal in clause:
            shape.joint([own, variables[abs(literal) - 1]], "literal", literal > 0)
    return shape


def of_words(instance):
    shape = Shape()
    letters = shape.nodes(instance["letters"], "letter")
    for word in instance["words"]:
        own = shape.node("word", len(word))
        for place, letter in enumerate(word):
            shape.joint([own, letters[letter - 1]], "stands", place)
    return shape


def of_cities(instance):
    rows, shape = MODULES["tsp"].distances_of(instance), Shape()
    at = shape.nodes(len(rows), "city")
    for i, row in enumerate(rows):
        for j in range(i):
            shape.joint([at[i], at[j]], "far", row[j])
    return shape


def of_square(instance):
    shape, rows = Shape(), instance["matrix"]
    at = [shape.node("item", row[i]) for i, row in enumerate(rows)]
    for i, row in enumerate(rows):
        for j, entry in enumerate(row):
            if i != j:
                shape.arc(at[i], at[j], "entry", entry)
    return shape


def of_places(amounts, limit):
    def shape_of(instance):
        shape = Shape()
        shape.node("limit", instance[limit])
        at = [shape.node("place", amount, place == 0) for place, amount in enumerate(instance[amounts])]
        for a in range(len(at)):
            for b in range(a):
                shape.joint([at[a], at[b]], "far", distance(instance, a, b))
        return shape

    return shape_of


def of_numbers(*lists, facts=(), common=()):
    """Items identified by their numbers. Fields that have a divisor in `common` are divided by it."""

    def shape_of(instance):
        shape = Shape()
        own = {field: instance[field] if field in lists else [instance[field]] for field in (*lists, *facts)}
        for fields in common:
            divisor = max(1, math.gcd(*(one for field in fields for one in own[field])))
            own |= {field: [one // divisor for one in own[field]] for field in fields}
        shape.node("facts", *(own[field][0] for field in facts))
        for numbers in zip(*(own[field] for field in lists)):
            shape.node("item", repr(numbers))
        return shape

    return shape_of


def of_knapsack(instance):
    """Space that no item can use does not count."""
    room = min(instance["capacity"], sum(instance["weights"]))
    return of_numbers("weights", "values", facts=["capacity"], common=[["capacity", "weights"], ["values"]])(
        dict(instance, capacity=room)
    )


def of_shop(instance):
    shape = Shape()
    machines = shape.nodes(instance["m"], "machine")
    for way, times in zip(instance["machines"], instance["times"]):
        own = shape.node("job", len(way))
        for stage, (machine, time) in enumerate(zip(way, times)):
            shape.joint([own, machines[machine]], "operation", stage, time)
    return shape


def of_chests(instance):
    shape, damage = Shape(), instance["damage"]
    at = [
        shape.node("chest", hardness, uses, damage[chest][chest])
        for chest, (hardness, uses) in enumerate(zip(instance["hardness"], instance["uses"]))
    ]
    for weapon, row in enumerate(damage):
        for chest, amount in enumerate(row):
            if weapon != chest:
                shape.arc(at[weapon], at[chest], "damage", amount)
    return shape


def of_meetings(instance):
    """The clock begins with the first window. Adjoining windows are one."""
    shape = Shape()
    first = min((start for windows in instance["availability"] for start, _ in windows), default=0)
    people = []
    for windows in instance["availability"]:
        joined = []
        for start, end in sorted(windows):
            if joined and start - first <= joined[-1][1]:
                joined[-1][1] = max(joined[-1][1], end - first)
            else:
                joined.append([start - first, end - first])
        people.append(shape.node("attendee", repr(joined)))
    for attendees, duration in zip(instance["attendees"], instance["durations"]):
        shape.joint([people[p] for p in attendees], "meeting", duration)
    for capacity in instance["capacities"]:
        shape.node("room", capacity)
    return shape


def lines(shape, count, kind):
    """Rows or columns, either end of which may be the first."""
    made = shape.nodes(count, kind)
    shape.row(made)
    return made


def of_sudoku(instance):
    shape, grid = Shape(), instance["grid"]
    shape.node("box", *instance["box"])
    rows, columns = lines(shape, len(grid), "row"), lines(shape, len(grid), "column")
    values = shape.nodes(len(grid), "value")
    for r, row in enumerate(grid):
        for c, value in enumerate(row):
            if value:
                shape.joint([rows[r], columns[c], values[value - 1]], "given")
    return shape


def of_futoshiki(instance):
    """Rows and columns are lines of one colour. Values stand in a row between two ends; half a sign joins its lesser
    cell to the one and half the other cell to the other."""
    shape, grid = Shape(), instance["grid"]
    rows, columns = lines(shape, len(grid), "line"), lines(shape, len(grid), "line")
    shape.joint(rows, "side")
    shape.joint(columns, "side")
    values, low, high = lines(shape, len(grid), "value"), shape.node("end"), shape.node("end")
    shape.link(low, values[0])
    shape.link(high, values[-1])
    cells = [[shape.joint([rows[r], columns[c]], "cell") for c in range(len(grid))] for r in range(len(grid))]
    for r, row in enumerate(grid):
        for c, value in enumerate(row):
            if value:
                shape.link(cells[r][c], values[value - 1])
    for r, c, s, t in instance["less"]:
        shape.link(
            shape.joint([cells[r][c], low], "half of a sign"), shape.joint([cells[s][t], high], "half of a sign")
        )
    return shape


def of_nonogram(instance):
    """A line's runs stand in a row between the two ends of the crossing lines."""
    shape = Shape()
    sides = {field: lines(shape, len(instance[field]), field) for field in ("rows", "columns")}
    for field, across in (("rows", "columns"), ("columns", "rows")):
        begin, end = (shape.joint([sides[across][at]], "end", across) for at in (0, -1))
        for line, runs in zip(sides[field], instance[field]):
            chain = [shape.joint([line], "run", run) for run in runs]
            shape.row(chain)
            if chain:
                shape.joint([chain[0], begin], "next to")
                shape.joint([chain[-1], end], "next to")
    return shape


def of_queens(instance):
    shape, n = Shape(), len(instance["queens"])
    rows, columns = lines(shape, n, "row"), lines(shape, n, "column")
    for row, column in zip(rows, instance["queens"]):
        if column >= 0:
            shape.joint([row, columns[column]], "queen")
    return shape


def of_cards(instance):
    """A number only determines which two are equal."""
    shape, cards = Shape(), instance["cards"]
    numbers = shape.nodes(len(cards) ** 2 // 2, "number")
    for r, row in enumerate(cards):
        for c, number in enumerate(row):
            shape.joint([numbers[number]], "card", r, c)
    return shape
