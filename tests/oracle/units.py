"""Tasks with one right answer: the number of its right integers before the first wrong one counts."""

from found import Found
from verdict import first_outside, is_rows, values_of, worst


def number(digits):
    return int("".join(map(str, digits)))


def digits(value):
    return [int(digit) for digit in str(value)]


def not_numbers(answer, most, rows, shaped, high):
    """The verdict on a malformed answer: `shaped` checks the lengths of its lists."""
    if isinstance(answer, str):
        return worst("unparsable", most)
    if not answer:
        return worst("empty", most)
    if is_rows(answer) != rows:
        return worst("bad_depth", most)
    if not shaped(answer):
        return worst("wrong_length", most)
    at = first_outside(values_of(answer), high + 1)
    return None if at is None else worst("out_of_range", most, at)


def agreeing(answer, truth):
    """The number of entries that agree before the first that does not."""
    return next((i for i, (own, right) in enumerate(zip(answer, truth)) if own != right), min(len(answer), len(truth)))


def one_off(instance, answer, random):
    """Changes one integer by one, in a list or in a row."""
    del instance
    changed = [list(item) if isinstance(item, list) else item for item in answer]
    inside = random.choice([item for item in changed if isinstance(item, list) and item] or [changed])
    if inside and all(isinstance(item, int) for item in inside):
        inside[random.randrange(len(inside))] += random.choice([-1, 1])
    return changed


def by_plain_integers(right, units):
    """A peer that computes the answer and knows that it is right."""
    return {"plain integers": lambda instance: lambda limit: Found("optimal", right(instance), units(instance))}
