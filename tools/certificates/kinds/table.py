"""The checker finds the optimum itself by dynamic programming, so the certificate holds only the claim. `sums` is about
the number of additions. Above MOST the checker refuses, so that no row takes long."""

from common import Better, TooLong

MOST = 20_000_000


def prove(task, instance, objective, proof):
    """task.sums, and task.best: the best answer's value, None without an answer. The claim's own answer is feasible and
    has the objective, so a different value can only mean a better answer."""
    del proof
    sums = task.sums(instance)
    if sums > MOST:
        raise TooLong(f"the table takes {sums} sums, more than {MOST}")
    best = task.best(instance)
    if best != objective:
        raise Better(f"the best there is is {best}, not {objective}")
