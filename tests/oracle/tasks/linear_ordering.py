"""Items in a line; the largest sum of the entries of earlier against later items."""

from found import cp_sat
from labels import placed, renamed
from orders import mutants, not_an_order, precedences, random_order, read_order
from ortools.sat.python import cp_model
from verdict import feasible

MAXIMISE = True
ROWS = False


def label_count(instance):
    return len(instance["matrix"])


def judge(instance, answer):
    matrix = instance["matrix"]
    n = len(matrix)
    if verdict := not_an_order(answer, n):
        return verdict
    return feasible(sum(matrix[answer[a]][answer[b]] for b in range(n) for a in range(b)), n)


def under_labels(instance, labels):
    return {"matrix": placed([placed(row, labels["item"]) for row in instance["matrix"]], labels["item"])}


def answer_under_labels(answer, labels):
    return renamed(answer, labels["item"])


def random_answer(instance, random):
    return random_order(len(instance["matrix"]), random)


def odd_instances(random, count):
    yield "two items", {"matrix": [[0, 1], [2, 0]]}
    yield "a diagonal that counts nothing", {"matrix": [[9, 1, 0], [0, 9, 1], [1, 0, 9]]}
    yield "all nothing", {"matrix": [[0] * 5 for _ in range(5)]}
    yield "all alike", {"matrix": [[7] * 6 for _ in range(6)]}
    yield "cycles", {"matrix": [[int((j - i) % 7 in (1, 2, 3)) for j in range(7)] for i in range(7)]}
    for index in range(count):
        n = random.randint(2, 12)
        top = random.choice([1, 9, 10**6])
        yield f"random {index}: {n}, {top}", {"matrix": [[random.randint(0, top) for _ in range(n)] for _ in range(n)]}


def cp_model_of(instance):
    model = cp_model.CpModel()
    matrix, n = instance["matrix"], len(instance["matrix"])
    before = precedences(model, n)
    model.maximize(sum(matrix[i][j] * before[i, j] for i in range(n) for j in range(n) if i != j))
    return cp_sat(model, read_order(n, before))


PEERS = {"CP-SAT": cp_model_of}
