"""The checker finds the optimum by itself, by dynamic programming: the certificate holds nothing but the claim. `sums`
is about how many numbers are added; above MOST the checker refuses, so that no row keeps it busy for long."""

from common import Better, TooLong

MOST = 20_000_000


def prove(task, instance, objective, proof):
    """task.sums, and task.best: what the best answer is worth, None without one. The claim's own answer is feasible and worth
    the objective, so that another number can only be a better answer's."""
    del proof
    sums = task.sums(instance)
    if sums > MOST:
        raise TooLong(f"the table takes {sums} sums, more than {MOST}")
    best = task.best(instance)
    if best != objective:
        raise Better(f"the best there is is {best}, not {objective}")
