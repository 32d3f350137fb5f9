"""The column of the queen of each row; as many queens as possible that no other queen attacks."""

from found import cp_sat
from labels import placed, renamed
from ortools.sat.python import cp_model
from verdict import Verdict, feasible, first_outside, is_rows, worst

MAXIMISE = True
ROWS = False


def attacks(answer, row, other):
    return answer[row] == answer[other] or abs(answer[row] - answer[other]) == abs(row - other)


def judge(instance, answer):
    given = instance["queens"]
    n = len(given)
    if isinstance(answer, str):
        return worst("unparsable", n)
    if not answer:
        return worst("empty", n)
    if is_rows(answer):
        return worst("bad_depth", n)
    if len(answer) != n:
        return worst("wrong_length", n)
    if (at := first_outside(answer, n)) is not None:
        return worst("out_of_range", n, at)
    changed = [row for row in range(n) if given[row] not in (-1, answer[row])]
    if changed:
        return Verdict("given_changed", changed[0], None, len(changed), n)
    return feasible(
        sum(not any(attacks(answer, row, other) for other in range(n) if other != row) for row in range(n)), n
    )


def under_labels(instance, labels):
    return {"queens": answer_under_labels(instance["queens"], labels)}


def answer_under_labels(answer, labels):
    """Reverses rows and columns."""
    columns = renamed(answer, labels["column"])
    return placed(columns, labels["row"]) if len(answer) == len(labels["row"]) else columns


def label_count(instance):
    return 2 * len(instance["queens"])


def random_answer(instance, random):
    n = len(instance["queens"])
    return [random.randrange(n) if column == -1 else column for column in instance["queens"]]


def another_column(instance, answer, random):
    given = instance["queens"]
    free = [row for row in range(min(len(given), len(answer))) if given[row] == -1]
    changed = list(answer)
    if free:
        changed[random.choice(free)] = random.randrange(len(given))
    return changed


def exchange_rows(instance, answer, random):
    given = instance["queens"]
    free = [row for row in range(min(len(given), len(answer))) if given[row] == -1]
    changed = list(answer)
    if free:
        i, j = random.choice(free), random.choice(free)
        changed[i], changed[j] = changed[j], changed[i]
    return changed


mutants = [another_column, another_column, exchange_rows]


def odd_instances(random, count):
    for n in (1, 2, 3, 4, 8):
        yield f"nothing given: {n}", {"queens": [-1] * n}
    yield "two that attack each other", {"queens": [0, 1, -1, -1, -1]}
    yield "filled and right", {"queens": [1, 3, 0, 2]}
    yield "filled and wrong", {"queens": [0, 0, 0]}
    for index in range(count):
        n = random.randint(2, 9)
        share = random.choice([0.2, 0.4, 0.6])
        yield (
            f"random {index}: {n}",
            {"queens": [random.randrange(n) if random.random() < share else -1 for _ in range(n)]},
        )


def cp_model_of(instance):
    """A variable per queen that no other one attacks."""
    given = instance["queens"]
    n = len(given)
    model = cp_model.CpModel()
    column = [model.new_int_var(max(c, 0), c if c >= 0 else n - 1, "") for c in given]
    held = []
    for row in range(n):
        held.append(model.new_bool_var(""))
        for other in set(range(n)) - {row}:
            for shift in (0, row - other, other - row):
                model.add(column[row] != column[other] + shift).only_enforce_if(held[-1])
    model.maximize(sum(held))
    return cp_sat(model, lambda solver: [solver.value(x) for x in column])


PEERS = {"CP-SAT": cp_model_of}
