"""Values of variables, the true clauses as heavy as possible."""

from common import amounts, need, numbers


def objective(instance, answer):
    n, clauses = instance["n"], instance["clauses"]
    need(len(numbers(answer, 0, 2, "answer")) == n, "the answer has not a value for each variable")
    usual = (1 <= abs(one) <= n and len(clause) == len(clauses[0]) for clause in clauses for one in clause)
    need(all(usual), "no such clause")
    return sum(
        weight
        for clause, weight in zip(clauses, amounts(instance["weights"], len(clauses), 1, "weights"))
        if any(answer[abs(one) - 1] == (one > 0) for one in clause)
    )


def bound(instance):
    """Every clause."""
    return sum(instance["weights"])


def search(instance, goal):
    """A cell a variable. A value is dropped where false clauses, and of each free variable the lighter of its two kinds of
    clauses with nothing else left, leave no more than the goal."""
    clauses = [(set(clause), weight) for clause, weight in zip(instance["clauses"], instance["weights"])]

    def can_be_worth(chosen):
        lost, alone = 0, {}
        for clause, weight in clauses:
            if any(chosen.get(abs(one)) == (one > 0) for one in clause):
                continue
            free = [one for one in clause if abs(one) not in chosen]
            if not free:
                lost += weight
            elif len(free) == 1:
                alone[free[0]] = alone.get(free[0], 0) + weight
        return bound(instance) - lost - sum(min(weight, alone.get(-one, 0)) for one, weight in alone.items() if one > 0)

    def allowed(chosen, cell):
        by_variable = {at + 1: value for at, value in chosen.items()}
        return [value for value in (0, 1) if can_be_worth({**by_variable, cell + 1: value}) > goal]

    return instance["n"], allowed
