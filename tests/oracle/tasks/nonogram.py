"""A grid of zeros and ones in which as many rows and columns as possible have the given runs of ones."""

import itertools

import grids
from found import cp_sat
from labels import placed
from ortools.sat.python import cp_model
from verdict import feasible

MAXIMISE = True
ROWS = True


def size(instance):
    return len(instance["rows"]), len(instance["columns"])


def runs(line):
    return [len(list(block)) for value, block in itertools.groupby(line) if value == 1]


def judge(instance, answer):
    height, width = size(instance)
    most = height * width
    if (found := grids.broken(answer, height, width, 0, 1, most)) is not None:
        return found
    columns = [list(column) for column in zip(*answer)]
    return feasible(
        sum(runs(row) == clue for row, clue in zip(answer, instance["rows"]))
        + sum(runs(column) == clue for column, clue in zip(columns, instance["columns"])),
        most,
    )


def mirrored(labels):
    return labels != sorted(labels)


def under_labels(instance, labels):
    """Mirrored lines change places, and lines along the mirrored axis are reversed."""
    rows, columns = (
        [clue[::-1] if mirrored(labels[along]) else clue for clue in instance[field]]
        for field, along in (("rows", "column"), ("columns", "row"))
    )
    return {"rows": placed(rows, labels["row"]), "columns": placed(columns, labels["column"])}


def answer_under_labels(answer, labels):
    height, width = len(labels["row"]), len(labels["column"])
    if [len(row) for row in answer] != [width] * height:
        return answer
    return placed([placed(row, labels["column"]) for row in answer], labels["row"])


def label_count(instance):
    return sum(size(instance))


def random_answer(instance, random):
    """Every row has its runs in some place."""
    height, width = size(instance)
    rows = []
    for clue in instance["rows"]:
        free = width - sum(clue)
        places = sorted(random.sample(range(free + 1), len(clue)))
        row, begin = [], 0
        for place, length in zip(places, clue):
            row += [0] * (place - begin) + [1] * length
            begin = place
        rows.append(row + [0] * (width - len(row)))
    return rows


def whole(instance, answer):
    height, width = size(instance)
    return len(answer) == height and all(isinstance(row, list) and len(row) == width for row in answer)


def another_colour(instance, answer, random):
    if not whole(instance, answer):
        return answer
    changed = [list(row) for row in answer]
    row = random.choice(changed)
    at = random.randrange(len(row))
    row[at] = 1 - row[at] if row[at] in (0, 1) else 0
    return changed


def shifted_row(instance, answer, random):
    if not whole(instance, answer):
        return answer
    changed = [list(row) for row in answer]
    at = random.randrange(len(changed))
    changed[at] = changed[at][1:] + changed[at][:1]
    return changed


mutants = [another_colour, another_colour, shifted_row]


def clues_of(grid):
    return {"rows": [runs(row) for row in grid], "columns": [runs(column) for column in zip(*grid)]}


def odd_instances(random, count):
    yield "one black cell", {"rows": [[1]], "columns": [[1]]}
    yield "one white cell", {"rows": [[]], "columns": [[]]}
    yield "rows against columns", {"rows": [[1], []], "columns": [[2], [1]]}
    yield "all black", {"rows": [[3], [3]], "columns": [[2], [2], [2]]}
    yield "black rows, white columns", {"rows": [[2], [2]], "columns": [[], []]}
    for index in range(count):
        height, width = random.randint(1, 5), random.randint(1, 5)
        share = random.choice([0.3, 0.5, 0.7])
        grids = [[[int(random.random() < share) for _ in range(width)] for _ in range(height)] for _ in range(2)]
        clues = clues_of(grids[0])
        if index % 2:  # rows of one picture, columns of another
            clues["columns"] = clues_of(grids[1])["columns"]
        yield f"random {index}: {height} x {width}", clues


def cp_model_of(instance):
    """A variable per line that is right. An automaton defines the zeros and ones that such a line may have."""
    height, width = size(instance)
    model = cp_model.CpModel()
    cell = [[model.new_bool_var("") for _ in range(width)] for _ in range(height)]
    lines = list(zip(cell, instance["rows"])) + list(zip(map(list, zip(*cell)), instance["columns"]))
    held = []
    for line, clue in lines:
        held.append(model.new_bool_var(""))
        right = [model.new_bool_var("") for _ in line]  # a line with the required runs
        moves, state = [(0, 0, 0)], 0
        for k, length in enumerate(clue):
            for _ in range(length):
                moves.append((state, 1, state + 1))
                state += 1
            if k + 1 < len(clue):
                moves.append((state, 0, state + 1))
                state += 1
            moves.append((state, 0, state))
        model.add_automaton(right, 0, [state], sorted(set(moves)))
        for own, wanted in zip(line, right):
            model.add(own == wanted).only_enforce_if(held[-1])
    model.maximize(sum(held))
    return cp_sat(model, lambda solver: [[solver.value(x) for x in row] for row in cell])


PEERS = {"CP-SAT": cp_model_of}
