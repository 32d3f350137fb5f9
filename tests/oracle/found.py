"""The result of an external solver on one instance, and the calls to those solvers.

A peer is a function from an instance to a closure `solve(limit)`: building the model and solving it are two steps, so
that only the second is timed. CP-SAT's limit is deterministic time, about a second each, so that tables repeat.
"""

from dataclasses import dataclass

import highspy
from ortools.sat.python import cp_model


@dataclass(frozen=True)
class Found:
    """`status` is optimal, feasible, infeasible or unknown; `bound` is None where the solver gives none."""

    status: str
    answer: list | None = None
    bound: int | None = None


CP_STATUS = {cp_model.OPTIMAL: "optimal", cp_model.FEASIBLE: "feasible", cp_model.INFEASIBLE: "infeasible"}


def cp_sat(model, read):
    """Uses one worker; `read(solver)` makes the answer."""

    def solve(limit):
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.max_deterministic_time = limit
        solver.parameters.max_time_in_seconds = 20 * limit
        status = CP_STATUS.get(solver.solve(model), "unknown")
        known = status in ("optimal", "feasible")
        bound = round(solver.best_objective_bound) if known and model.has_objective() else None
        return Found(status, read(solver) if known else None, bound)

    return solve


def highs(costs, rows, maximise, read):
    """0/1 program: a cost per column, rows (lower, upper, columns, coefficients); `read` gets the chosen columns."""
    model = highspy.Highs()
    for option, value in (("output_flag", False), ("threads", 1), ("mip_rel_gap", 0.0), ("mip_abs_gap", 1e-6)):
        model.setOptionValue(option, value)
    for column, cost in enumerate(costs):
        model.addVar(0, 1)
        model.changeColCost(column, cost)
        model.changeColIntegrality(column, highspy.HighsVarType.kInteger)
    model.changeObjectiveSense(highspy.ObjSense.kMaximize if maximise else highspy.ObjSense.kMinimize)
    for lower, upper, columns, coefficients in rows:
        model.addRow(lower, upper, len(columns), columns, coefficients)

    def solve(limit):
        model.setOptionValue("time_limit", float(limit))
        model.run()
        status = model.getModelStatus()
        if status == highspy.HighsModelStatus.kInfeasible:
            return Found("infeasible")
        if status != highspy.HighsModelStatus.kOptimal:
            return Found("unknown")
        chosen = [column for column, value in enumerate(model.getSolution().col_value) if value > 0.5]
        return Found("optimal", read(chosen))

    return solve


def heuristic(call, applies=True):
    """A peer without a proof: `call()` gives an answer or None. Like `exact`, it leaves out what would take it too
    long."""

    def solve(limit):
        del limit
        answer = call() if applies else None
        return Found("unknown" if answer is None else "feasible", answer)

    solve.applies = applies
    return solve


def exact(call, applies=True):
    """A peer that proves: `call()` gives an optimal answer, or None when there is no feasible one.

    It cannot be stopped, so `applies` leaves out what would take it too long.
    """

    def solve(limit):
        del limit
        if not applies:
            return Found("unknown")
        answer = call()
        return Found("infeasible" if answer is None else "optimal", answer)

    solve.applies = applies
    return solve
