"""A square filled with 1 ... n; as many rows, columns and signs as possible hold."""

from found import cp_sat
from labels import placed, renamed
from ortools.sat.python import cp_model
from verdict import Verdict, feasible, first_outside, is_rows, values_of, worst

MAXIMISE = True
ROWS = True


def judge(instance, answer):
    given = instance["grid"]
    n = len(given)
    most = n * n
    if isinstance(answer, str):
        return worst("unparsable", most)
    if not answer:
        return worst("empty", most)
    if not is_rows(answer):
        return worst("bad_depth", most)
    if len(answer) != n or any(len(row) != n for row in answer):
        return worst("wrong_length", most)
    values = values_of(answer)
    if (at := first_outside([value - 1 for value in values], n)) is not None:
        return worst("out_of_range", most, at)
    changed = [i for i, value in enumerate(values) if given[i // n][i % n] not in (0, value)]
    if changed:
        return Verdict("given_changed", changed[0], None, len(changed), most)
    lines = answer + [list(column) for column in zip(*answer)]
    return feasible(sum(len(set(line)) == n for line in lines)
                    + sum(answer[r][c] < answer[s][t] for r, c, s, t in instance["less"]), most)


def square_under_labels(square, labels):
    rows = placed([placed(renamed(row, labels["value"], 1), labels["column"]) for row in square], labels["row"])
    return [list(column) for column in zip(*rows)] if labels["axis"] == [1, 0] else rows


def under_labels(instance, labels):
    """Values change ends together, and with them what is less."""
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
    return square_under_labels(answer, labels) if [len(row) for row in answer] == [n] * n else [
        renamed(row, labels["value"], 1) for row in answer]


def label_count(instance):
    return len(instance["grid"]) + 1


def random_answer(instance, random):
    n = len(instance["grid"])
    rows = [random.sample(range(1, n + 1), n) for _ in range(n)]
    return [[given or value for given, value in zip(*pair)] for pair in zip(instance["grid"], rows)]


def whole(instance, answer):
    n = len(instance["grid"])
    return len(answer) == n and all(isinstance(row, list) and len(row) == n for row in answer)


def exchange_cells(instance, answer, random):
    """Two cells of a row."""
    if not whole(instance, answer):
        return answer
    changed = [list(row) for row in answer]
    row = random.choice(changed)
    i, j = random.randrange(len(row)), random.randrange(len(row))
    row[i], row[j] = row[j], row[i]
    return changed


def another_value(instance, answer, random):
    """In a cell that is not given."""
    if not whole(instance, answer):
        return answer
    n = len(answer)
    free = [(r, c) for r in range(n) for c in range(n) if instance["grid"][r][c] == 0]
    changed = [list(row) for row in answer]
    if free:
        r, c = random.choice(free)
        changed[r][c] = random.randint(1, n)
    return changed


mutants = [exchange_cells, another_value, another_value]


def odd_instances(random, count):
    empty = [[0] * 3 for _ in range(3)]
    yield "nothing given", {"grid": empty, "less": []}
    yield "a circle of signs", {"grid": [[0, 0], [0, 0]],
                                "less": [[0, 0, 0, 1], [0, 1, 1, 1], [1, 1, 1, 0], [1, 0, 0, 0]]}
    yield "less than one", {"grid": [[0, 1, 0]] + empty[1:], "less": [[0, 0, 0, 1]]}
    yield "equal givens", {"grid": [[2, 2, 0]] + empty[1:], "less": []}
    yield "a sign twice", {"grid": empty, "less": [[1, 1, 0, 1], [1, 1, 0, 1]]}
    yield "filled and right", {"grid": [[1, 2], [2, 1]], "less": [[0, 0, 1, 0]]}
    yield "filled and wrong", {"grid": [[1, 2], [1, 2]], "less": [[0, 1, 1, 1]]}
    for index in range(count):
        n = random.choice([2, 2, 3, 3, 4, 5])
        pairs = [(r, c, r + dr, c + dc) for r in range(n) for c in range(n) for dr, dc in ((0, 1), (1, 0))
                 if r + dr < n and c + dc < n]
        less = [list(p if random.random() < 0.5 else p[2:] + p[:2]) for p in pairs if random.random() < 0.3]
        grid = [[random.randint(1, n) if random.random() < 0.15 else 0 for _ in range(n)] for _ in range(n)]
        yield f"random {index}: {n}", {"grid": grid, "less": less}


def cp_model_of(instance):
    """A variable for each constraint that holds."""
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
