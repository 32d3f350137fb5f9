"""The digits of a quotient, then those of the remainder."""

from units import agreeing, by_plain_integers, digits, not_numbers, number, one_off
from verdict import feasible

MAXIMISE = True
ROWS = True
NUMBERS = "digit_rows"


def right(instance):
    return [digits(part) for part in divmod(number(instance["a"]), number(instance["b"]))]


def units(instance):
    return sum(map(len, right(instance)))


def judge(instance, answer):
    most = units(instance)
    if verdict := not_numbers(answer, most, True, lambda rows: len(rows) == 2 and all(rows), 9):
        return verdict
    count = 0
    for own, truth in zip(answer, right(instance)):
        count += agreeing(own, truth) if len(own) == len(truth) else 0
        if own != truth:
            break
    return feasible(count, most)


def label_count(instance):
    del instance
    return 10


def random_answer(instance, random):
    """Right up to a random digit."""
    quotient, rest = right(instance)
    cut = random.randint(0, len(quotient) + len(rest))
    whole = [digit if at < cut else random.randrange(10) for at, digit in enumerate(quotient + rest)]
    return [whole[: len(quotient)], whole[len(quotient) :]]


mutants = [one_off]


def odd_instances(random, count):
    yield "0", {"a": [0], "b": [7]}
    yield "by 1", {"a": [9, 0, 9], "b": [1]}
    yield "by 0", {"a": [9], "b": [0]}
    yield "by more", {"a": [4, 2], "b": [1, 0, 0]}
    yield "by itself", {"a": [1, 2] * 20, "b": [1, 2] * 20}
    yield "evenly", {"a": digits(12345678901234567890 * 987654321), "b": digits(987654321)}
    yield "one short of evenly", {"a": digits(12345678901234567890 * 987654321 - 1), "b": digits(987654321)}
    yield "nines", {"a": [9] * 40, "b": [9] * 20}
    yield "a 0 in front", {"a": [0, 1], "b": [3]}
    yield "too long", {"a": [1] * 6001, "b": [3]}
    for index in range(count):
        size = random.choice([1, 3, 12, 60])
        a, b = (random.randrange(10 ** random.randint(1, size)) for _ in range(2))
        yield f"random {index}", {"a": digits(a), "b": digits(b + 1)}


PEERS = by_plain_integers(right, units)
