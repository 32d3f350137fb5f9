"""A tree of cases over variables that are 0 or 1. Each leaf adds inequalities that every answer meets, with nonnegative
weights. The sum shows that no answer in this case is better than the objective."""

from common import Wrong, need


def least(costs, rows, scale, fixed):
    """A lower bound, times scale, on the cost of all 0/1 points that agree with `fixed` and meet the rows. Subtracts
    the weighted rows; the remainder is minimal where the sign of its coefficient chooses each variable."""
    left = {variable: scale * cost for variable, cost in costs.items()}
    total = 0
    for weight, (terms, at_least) in rows:
        need(type(weight) is int and weight >= 0, "an inequality is weighed with a negative number")
        total += weight * at_least
        for variable, factor in terms.items():
            left[variable] = left.get(variable, 0) - weight * factor
    return total + sum(cost * fixed[variable] if variable in fixed else min(0, cost) for variable, cost in left.items())


def prove(task, instance, objective, proof):
    """task.linear gives the costs of the variables, to be minimised, the bound that they must reach for the objective
    not to be beaten, the number of variables, and row(name, ...) -> ({variable: factor}, least sum)."""
    costs, goal, count, row = task.linear(instance, objective)
    open_cases, known = [{}], {}
    for node in proof["tree"]:
        need(open_cases, "the tree goes on after its last case")
        case = open_cases.pop()
        if type(node) is int:
            need(0 <= node < count and node not in case, "a case branches on no free variable")
            open_cases += [{**case, node: 1}, {**case, node: 0}]
            continue
        scale, *weighed = node
        need(type(scale) is int and scale >= 0, "a scale is negative")
        rows = []
        for weight, *name in weighed:
            text = repr(name)
            if text not in known:
                known[text] = row(*name)
            rows.append((weight, known[text]))
        # Costs are integers, so a value above goal - 1 is at least goal.
        if least(costs, rows, scale, case) <= scale * (goal - 1):
            raise Wrong(f"a leaf leaves room for a better answer: {case}")
    need(not open_cases, f"{len(open_cases)} cases of the tree are missing")
