"""A tree of cases, in depth-first order. An inner node names how the case is split. A leaf is a list, the witness with
which the task's rule shows that no answer in its case is better than the objective."""

from common import need


def prove(task, instance, objective, proof):
    """task.branch gives the first case; further(case, node) -> the cases that it splits into, None where it cannot be
    split so; and closed(case, *witness), whether the witness closes the case."""
    need(objective is not None, "there is an answer to every instance")
    first, further, closed = task.branch(instance, objective)
    waiting = [first]
    for node in proof["tree"]:
        need(waiting, "the tree goes on after its last case")
        case = waiting.pop()
        if type(node) is int:
            cases = further(case, node) if node >= 0 else None
            need(cases is not None, "a case is split by what is not open in it")
            waiting += reversed(cases)
        else:
            need(closed(case, *node), "a leaf leaves room for a better answer")
    need(not waiting, f"{len(waiting)} cases of the tree are missing")
