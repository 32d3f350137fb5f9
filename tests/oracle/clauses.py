"""The common definition of tasks on clauses in plain Python: labels of variables, and clauses of literals v and -v, v
from 1, some of which may be hard."""

from found import cp_sat, exact
from labels import other_bits, placed, random_bits
from ortools.sat.python import cp_model
from verdict import Verdict, feasible, first_outside, not_a_flat_list, worst

MAX_TO_TRY_ALL = 10


def weights_of(instance):
    return instance.get("weights", [1] * len(instance["clauses"]))


def hard_of(instance):
    return instance.get("hard", [0] * len(instance["clauses"]))


def holds(clause, values):
    return any(values[abs(literal) - 1] == (1 if literal > 0 else 0) for literal in clause)


def worth(instance, values):
    """The weight of the true clauses that are not hard."""
    return sum(
        weight
        for clause, weight, hard in zip(instance["clauses"], weights_of(instance), hard_of(instance))
        if not hard and holds(clause, values)
    )


def false_hard(instance, values):
    return sum(hard and not holds(clause, values) for clause, hard in zip(instance["clauses"], hard_of(instance)))


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
    if broken := false_hard(instance, answer):
        return Verdict("hard_clause", -1, None, broken, sum(hard_of(instance)))
    return feasible(worth(instance, answer), most)


def under_labels(instance, labels):
    """A literal keeps its sign; clauses without weights are sorted."""
    new = labels["variable"]
    clauses = [
        [new[abs(literal) - 1] * (1 if literal > 0 else -1) for literal in clause] for clause in instance["clauses"]
    ]
    if "weights" not in instance:
        return dict(instance, clauses=sorted(clauses))
    by_clause = {name: placed(instance[name], labels["clause"]) for name in ("weights", "hard") if name in instance}
    return dict(instance, clauses=placed(clauses, labels["clause"]), **by_clause)


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
        least = random.choice([k, k, 1, 0])
        lengths = [k] + [random.randint(least, k) for _ in range(m - 1)]
        yield (
            f"random {index}: {n}",
            n,
            [[random.randint(1, n) * random.choice([1, -1]) for _ in range(length)] for length in lengths],
        )


def cp_model_of(instance):
    model = cp_model.CpModel()
    value = [model.new_bool_var("") for _ in range(instance["n"])]
    held = []
    for clause, weight, hard in zip(instance["clauses"], weights_of(instance), hard_of(instance)):
        true = model.new_bool_var("")
        model.add_bool_or([value[abs(x) - 1] if x > 0 else ~value[abs(x) - 1] for x in clause] + [~true])
        if hard:
            model.add(true == 1)
        else:
            held.append(weight * true)
    model.maximize(sum(held))
    return cp_sat(model, lambda solver: [int(solver.boolean_value(x)) for x in value])


def all_values(instance):
    def values(number):
        return [number >> variable & 1 for variable in range(instance["n"])]

    def best():
        tried = (values(number) for number in range(1 << instance["n"]))
        feasible_ones = [one for one in tried if not false_hard(instance, one)]
        return max(feasible_ones, key=lambda one: worth(instance, one), default=None)

    return exact(best, instance["n"] <= MAX_TO_TRY_ALL)


PEERS = {"CP-SAT": cp_model_of, "plain trial": all_values}
