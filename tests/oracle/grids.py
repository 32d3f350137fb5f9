"""Common parts of grid tasks: the shape of an answer, and answers near a right one. A given cell of 0 is open."""

from verdict import Verdict, first_outside, is_rows, values_of, worst


def broken(answer, height, width, low, high, most):
    """The verdict on an answer that is not a grid of values low ... high; None for one that is."""
    if isinstance(answer, str):
        return worst("unparsable", most)
    if not answer:
        return worst("empty", most)
    if not is_rows(answer):
        return worst("bad_depth", most)
    if len(answer) != height or any(len(row) != width for row in answer):
        return worst("wrong_length", most)
    if (at := first_outside([value - low for value in values_of(answer)], high - low + 1)) is not None:
        return worst("out_of_range", most, at)
    return None


def broken_square(answer, given):
    """The same for a square with values 1 ... n that keeps the given cells."""
    n = len(given)
    if (found := broken(answer, n, n, 1, n, n * n)) is not None:
        return found
    changed = [i for i, value in enumerate(values_of(answer)) if given[i // n][i % n] not in (0, value)]
    return Verdict("given_changed", changed[0], None, len(changed), n * n) if changed else None


def random_square(instance, random):
    n = len(instance["grid"])
    rows = [random.sample(range(1, n + 1), n) for _ in range(n)]
    return [[given or value for given, value in zip(*pair)] for pair in zip(instance["grid"], rows)]


def whole(instance, answer):
    n = len(instance["grid"])
    return len(answer) == n and all(isinstance(row, list) and len(row) == n for row in answer)


def exchange_cells(instance, answer, random):
    """Exchanges two cells of a row."""
    if not whole(instance, answer):
        return answer
    changed = [list(row) for row in answer]
    row = random.choice(changed)
    i, j = random.randrange(len(row)), random.randrange(len(row))
    row[i], row[j] = row[j], row[i]
    return changed


def another_value(instance, answer, random):
    """Changes a cell that is not given."""
    if not whole(instance, answer):
        return answer
    n = len(answer)
    free = [(r, c) for r in range(n) for c in range(n) if instance["grid"][r][c] == 0]
    changed = [list(row) for row in answer]
    if free:
        r, c = random.choice(free)
        changed[r][c] = random.randint(1, n)
    return changed


square_mutants = [exchange_cells, another_value, another_value]
