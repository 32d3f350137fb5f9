"""A square filled with 1 ... n; as many rows, columns and boxes as possible hold each number once."""

import grids
from found import cp_sat
from labels import placed, renamed
from ortools.sat.python import cp_model
from verdict import feasible

MAXIMISE = True
ROWS = True


def sets_of_cells(instance):
    """Rows, columns, boxes."""
    n = len(instance["grid"])
    height, width = instance["box"]
    yield from ([(r, c) for c in range(n)] for r in range(n))
    yield from ([(r, c) for r in range(n)] for c in range(n))
    for top in range(0, n, height):
        for left in range(0, n, width):
            yield [(top + i, left + j) for i in range(height) for j in range(width)]


def judge(instance, answer):
    n = len(instance["grid"])
    most = n * n
    if (found := grids.broken_square(answer, instance["grid"])) is not None:
        return found
    return feasible(sum(len({answer[r][c] for r, c in cells}) == n for cells in sets_of_cells(instance)), most)


def square_under_labels(square, labels):
    return placed([placed(renamed(row, labels["value"], 1), labels["column"]) for row in square], labels["row"])


def under_labels(instance, labels):
    return {"box": instance["box"], "grid": square_under_labels(instance["grid"], labels)}


def answer_under_labels(answer, labels):
    n = len(labels["row"])
    return (
        square_under_labels(answer, labels)
        if [len(row) for row in answer] == [n] * n
        else [renamed(row, labels["value"], 1) for row in answer]
    )


def label_count(instance):
    return len(instance["grid"])


random_answer = grids.random_square
mutants = grids.square_mutants


def odd_instances(random, count):
    yield "nothing given", {"box": [2, 2], "grid": [[0] * 4 for _ in range(4)]}
    yield "boxes that are rows", {"box": [1, 3], "grid": [[0] * 3 for _ in range(3)]}
    yield "boxes that are columns", {"box": [3, 1], "grid": [[0, 2, 0], [0, 0, 0], [1, 0, 0]]}
    yield "equal givens in a box", {"box": [2, 2], "grid": [[1, 0, 0, 0], [0, 1, 0, 0], [0] * 4, [0] * 4]}
    yield "filled and right", {"box": [1, 2], "grid": [[1, 2], [2, 1]]}
    yield "filled and wrong", {"box": [2, 1], "grid": [[1, 2], [1, 2]]}
    for index in range(count):
        height, width = random.choice([(1, 2), (2, 1), (2, 2), (2, 2), (1, 4), (2, 3), (3, 2)])
        n = height * width
        share = random.choice([0.1, 0.2, 0.3])
        grid = [[random.randint(1, n) if random.random() < share else 0 for _ in range(n)] for _ in range(n)]
        yield f"random {index}: {height} x {width}", {"box": [height, width], "grid": grid}


def cp_model_of(instance):
    """A variable per constraint that holds."""
    given = instance["grid"]
    n = len(given)
    model = cp_model.CpModel()
    cell = [[model.new_int_var(given[r][c] or 1, given[r][c] or n, "") for c in range(n)] for r in range(n)]
    held = []
    for cells in sets_of_cells(instance):
        held.append(model.new_bool_var(""))
        for i in range(n):
            for j in range(i):
                (r, c), (s, t) = cells[i], cells[j]
                model.add(cell[r][c] != cell[s][t]).only_enforce_if(held[-1])
    model.maximize(sum(held))
    return cp_sat(model, lambda solver: [[solver.value(x) for x in row] for row in cell])


PEERS = {"CP-SAT": cp_model_of}
