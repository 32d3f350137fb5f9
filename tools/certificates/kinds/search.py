"""A tree of choices. Each node names a cell, and its children are the values that the task's rule allows there; where
there are none, the case is closed. The rule drops a value only if no answer with it is better than the objective."""

from common import need


def prove(task, instance, objective, proof):
    """task.search gives the number of cells, and allowed(values chosen so far by cell, cell) -> values."""
    cells, allowed = task.search(instance, objective)
    waiting = [{}]
    for cell in proof["tree"]:
        need(waiting, "the tree goes on after its last case")
        chosen = waiting.pop()
        need(type(cell) is int and 0 <= cell < cells and cell not in chosen, "a case names no free cell")
        waiting += [{**chosen, cell: value} for value in reversed(allowed(chosen, cell))]
    need(not waiting, f"{len(waiting)} cases of the tree are missing")
