"""Items divided among parts: common parts of the tasks whose answers are lists of items in parts."""

from labels import placed, renamed
from verdict import is_rows, outside_or_repeated, worst


def broken_rows(answer, count, most, right_rows):
    """The verdict of the first failed rule up to `repeated`, else None."""
    if isinstance(answer, str):
        return worst("unparsable", most)
    if not answer:
        return worst("empty", most)
    if not is_rows(answer):
        return worst("bad_depth", most)
    if not right_rows(answer):
        return worst("wrong_length", most)
    return outside_or_repeated([item for row in answer for item in row], count, most)


def under_item_labels(instance, labels, field):
    return dict(instance, **{field: placed(instance[field], labels["item"])})


def answer_under_labels(answer, labels):
    return [renamed(row, labels["item"]) for row in answer]


def is_shared_out(answer):
    return bool(answer) and all(isinstance(row, list) and row for row in answer)


def move_one(instance, answer, random):
    del instance
    if not is_shared_out(answer) or len(answer) < 2:
        return answer
    rows = [list(row) for row in answer]
    source, target = random.sample(rows, 2)
    target.append(source.pop(random.randrange(len(source))))
    return rows


def exchange(instance, answer, random):
    del instance
    if not is_shared_out(answer) or len(answer) < 2:
        return answer
    rows = [list(row) for row in answer]
    one, other = random.sample(rows, 2)
    i, j = random.randrange(len(one)), random.randrange(len(other))
    one[i], other[j] = other[j], one[i]
    return rows


def parts_in_another_order(instance, answer, random):
    del instance
    return random.sample(answer, len(answer))


def leave_one_out(instance, answer, random):
    del instance
    if not is_shared_out(answer):
        return answer
    rows = [list(row) for row in answer]
    row = random.choice(rows)
    row.pop(random.randrange(len(row)))
    return rows
