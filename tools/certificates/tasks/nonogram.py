"""A picture of black and white cells, where as many lines as possible have the given runs."""

from itertools import groupby

from common import need, numbers


def objective(instance, answer):
    rows, columns = instance["rows"], instance["columns"]
    need(isinstance(answer, list) and len(answer) == len(rows), "the answer has another number of rows")
    need(all(len(numbers(row, 0, 2, "answer")) == len(columns) for row in answer), "a row has another length")
    lines = zip([*answer, *zip(*answer)], [*rows, *columns])
    return sum([len(list(run)) for black, run in groupby(line) if black] == runs for line, runs in lines)


def bound(instance):
    """All lines."""
    return len(instance["rows"]) + len(instance["columns"])
