"""A truth value, 0 or 1, for each variable; as many clauses as possible are true."""

from clauses import (
    PEERS,
    answer_under_labels,
    judge,
    label_count,
    mutants,
    odd_clauses,
    random_answer,
    under_labels,
)

MAXIMISE = True
ROWS = False


def odd_instances(random, count):
    for name, n, clauses in odd_clauses(random, count):
        yield name, {"n": n, "clauses": clauses}
