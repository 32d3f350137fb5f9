"""What the law of tasks about clauses is in plain Python: labels of variables, clauses of literals v and -v, v from 1."""

from found import cp_sat, exact
from labels import other_bits, placed, random_bits
from ortools.sat.python import cp_model
from verdict import feasible, first_outside, not_a_flat_list, worst

MOST_TO_TRY_ALL = 10


def weights_of(instance):
    return instance.get("weights", [1] * len(instance["clauses"]))


def worth(instance, values):
    return sum(
        weight
        for clause, weight in zip(instance["clauses"], weights_of(instance))
        if any(values[abs(literal) - 1] == (1 if literal > 0 else 0) for literal in clause)
    )


def judge(instance, answer):
    most = instance["n"]
    if verdict := not_a_flat_list(answer, most):
        return verdict
    if not answer:
        return worst("empty", most)
    if len(answer) != instance["n"]:
        return worst("wrong_length", most)
    if (at := first_outside(answer, 2)) is not None:
        return worst("out_of_range", most, at)
    return feasible(worth(instance, answer), most)


def under_labels(instance, labels):
    """A literal keeps its sign; clauses without weights are written in rising order."""
    new = labels["variable"]
    clauses = [
        [new[abs(literal) - 1] * (1 if literal > 0 else -1) for literal in clause] for clause in instance["clauses"]
    ]
    if "weights" not in instance:
        return dict(instance, clauses=sorted(clauses))
    return dict(
        instance, clauses=placed(clauses, labels["clause"]), weights=placed(instance["weights"], labels["clause"])
    )


def answer_under_labels(answer, labels):
    new = [label - 1 for label in labels["variable"]]
    return placed(answer, new) if len(answer) == len(new) else answer


def label_count(instance):
    return instance["n"]


random_answer = random_bits
mutants = [other_bits]


def odd_clauses(random, count):
    yield "one variable", 1, [[1]]
    yield "a contradiction", 1, [[1], [-1]]
    yield "a clause that is always true", 2, [[1, -1], [2, -2], [-1, -2]]
    yield "a literal three times", 3, [[1, 1, 1], [-1, -1, 2], [-2, -2, 3], [-3, -3, -1]]
    yield "the same clause again", 2, [[1, 2]] * 5 + [[-1, -2]] * 3
    yield "variables without a clause", 9, [[-9, 4]]
    yield "all signs of three", 3, [[a, 2 * b, 3 * c] for a in (1, -1) for b in (1, -1) for c in (1, -1)]
    for index in range(count):
        n = random.randint(1, 14)
        k = random.choice([1, 2, 2, 3, 3, 4, 9])
        m = random.randint(1, 6 * n)
        yield (
            f"random {index}: {n}",
            n,
            [[random.randint(1, n) * random.choice([1, -1]) for _ in range(k)] for _ in range(m)],
        )


def cp_model_of(instance):
    model = cp_model.CpModel()
    value = [model.new_bool_var("") for _ in range(instance["n"])]
    held = []
    for clause, weight in zip(instance["clauses"], weights_of(instance)):
        holds = model.new_bool_var("")
        model.add_bool_or([value[abs(x) - 1] if x > 0 else ~value[abs(x) - 1] for x in clause] + [~holds])
        held.append(weight * holds)
    model.maximize(sum(held))
    return cp_sat(model, lambda solver: [int(solver.boolean_value(x)) for x in value])


def all_values(instance):
    def values(number):
        return [number >> variable & 1 for variable in range(instance["n"])]

    return exact(
        lambda: max((values(number) for number in range(1 << instance["n"])), key=lambda tried: worth(instance, tried)),
        instance["n"] <= MOST_TO_TRY_ALL,
    )


PEERS = {"CP-SAT": cp_model_of, "plain trial": all_values}
