"""A truth value, 0 or 1, for each variable; as much weight of clauses as possible is true, and all hard ones are."""

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
        top = random.choice([1, 9, 10**6])
        plain = {"n": n, "clauses": clauses, "weights": [random.randint(1, top) for _ in clauses]}
        yield name, plain
        hard = [int(random.random() < 0.3) for _ in clauses]
        if 0 < sum(hard) < len(hard):
            weights = [1 if must else weight for must, weight in zip(hard, plain["weights"])]
            yield f"{name}, {sum(hard)} hard", dict(plain, weights=weights, hard=hard)
