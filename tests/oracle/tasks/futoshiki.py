"""A square filled with 1 ... n; as many rows, columns and signs as possible hold."""

import grids
from found import cp_sat
from labels import placed, renamed
from ortools.sat.python import cp_model
from verdict import feasible

MAXIMISE = True
ROWS = True


def judge(instance, answer):
    n = len(instance["grid"])
    most = n * n
    if (found := grids.broken_square(answer, instance["grid"])) is not None:
        return found
    lines = answer + [list(column) for column in zip(*answer)]
    return feasible(
        sum(len(set(line)) == n for line in lines)
        + sum(answer[r][c] < answer[s][t] for r, c, s, t in instance["less"]),
        most,
    )


def square_under_labels(square, labels):
    rows = placed([placed(renamed(row, labels["value"], 1), labels["column"]) for row in square], labels["row"])
    return [list(column) for column in zip(*rows)] if labels["axis"] == [1, 0] else rows


def under_labels(instance, labels):
    """Reverses the values, and with them the signs."""
    row, column, value = labels["row"], labels["column"], labels["value"]
    signs = []
    for r, c, s, t in instance["less"]:
        lesser, other = [row[r], column[c]], [row[s], column[t]]
        if labels["axis"] == [1, 0]:
            lesser, other = lesser[::-1], other[::-1]
        signs.append(lesser + other if value[0] < value[-1] else other + lesser)
    return {"grid": square_under_labels(instance["grid"], labels), "less": sorted(signs)}


def answer_under_labels(answer, labels):
    n = len(labels["row"])
    return (
        square_under_labels(answer, labels)
        if [len(row) for row in answer] == [n] * n
        else [renamed(row, labels["value"], 1) for row in answer]
    )


def label_count(instance):
    return len(instance["grid"]) + 1


random_answer = grids.random_square
mutants = grids.square_mutants


def odd_instances(random, count):
    empty = [[0] * 3 for _ in range(3)]
    yield "nothing given", {"grid": empty, "less": []}
    yield (
        "a circle of signs",
        {"grid": [[0, 0], [0, 0]], "less": [[0, 0, 0, 1], [0, 1, 1, 1], [1, 1, 1, 0], [1, 0, 0, 0]]},
    )
    yield "less than one", {"grid": [[0, 1, 0]] + empty[1:], "less": [[0, 0, 0, 1]]}
    yield "equal givens", {"grid": [[2, 2, 0]] + empty[1:], "less": []}
    yield "a sign twice", {"grid": empty, "less": [[1, 1, 0, 1], [1, 1, 0, 1]]}
    yield "filled and right", {"grid": [[1, 2], [2, 1]], "less": [[0, 0, 1, 0]]}
    yield "filled and wrong", {"grid": [[1, 2], [1, 2]], "less": [[0, 1, 1, 1]]}
    for index in range(count):
        n = random.choice([2, 2, 3, 3, 4, 5])
        pairs = [
            (r, c, r + dr, c + dc)
            for r in range(n)
            for c in range(n)
            for dr, dc in ((0, 1), (1, 0))
            if r + dr < n and c + dc < n
        ]
        less = [list(p if random.random() < 0.5 else p[2:] + p[:2]) for p in pairs if random.random() < 0.3]
        grid = [[random.randint(1, n) if random.random() < 0.15 else 0 for _ in range(n)] for _ in range(n)]
        yield f"random {index}: {n}", {"grid": grid, "less": less}


def cp_model_of(instance):
    """A variable per constraint that holds."""
    given = instance["grid"]
    n = len(given)
    model = cp_model.CpModel()
    cell = [[model.new_int_var(given[r][c] or 1, given[r][c] or n, "") for c in range(n)] for r in range(n)]
    held = []
    for line in cell + [list(column) for column in zip(*cell)]:
        holds = model.new_bool_var("")
        held.append(holds)
        for i in range(n):
            for j in range(i):
                model.add(line[i] != line[j]).only_enforce_if(holds)
    for r, c, s, t in instance["less"]:
        held.append(model.new_bool_var(""))
        model.add(cell[r][c] < cell[s][t]).only_enforce_if(held[-1])
    model.maximize(sum(held))
    return cp_sat(model, lambda solver: [[solver.value(x) for x in row] for row in cell])


PEERS = {"CP-SAT": cp_model_of}
