"""Values of variables that maximise the weight of true clauses; all hard clauses are true and weigh nothing."""

from common import amounts, need, numbers


def hard_of(instance):
    hard = instance.get("hard", [0] * len(instance["clauses"]))
    need(len(numbers(hard, 0, 2, "hard")) == len(instance["clauses"]), "not every clause is hard or not")
    return hard


def objective(instance, answer):
    n, clauses, hard = instance["n"], instance["clauses"], hard_of(instance)
    need(len(numbers(answer, 0, 2, "answer")) == n, "the answer has not a value for each variable")
    need(all(1 <= abs(one) <= n for clause in clauses for one in clause), "no such clause")
    holds = [any(answer[abs(one) - 1] == (one > 0) for one in clause) for clause in clauses]
    need(all(true for true, must in zip(holds, hard) if must), "a hard clause is false")
    weights = amounts(instance["weights"], len(clauses), 1, "weights")
    return sum(weight for weight, true, must in zip(weights, holds, hard) if true and not must)


def bound(instance):
    """All clauses that are not hard."""
    return sum(weight for weight, must in zip(instance["weights"], hard_of(instance)) if not must)


def search(instance, goal):
    """A cell per variable. A value is dropped where the loss by false clauses, plus for each free variable the lighter
    of its two kinds of unit clauses, leaves no more than the goal. A false hard clause loses more than all others."""
    losses = [bound(instance) + 1 if must else weight for weight, must in zip(instance["weights"], hard_of(instance))]
    clauses = [(set(clause), loss) for clause, loss in zip(instance["clauses"], losses)]

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
