"""The digits of a product; the right ones count, from the last one on."""

from units import agreeing, by_plain_integers, digits, not_numbers, number, one_off
from verdict import feasible

MAXIMISE = True
ROWS = False
NUMBERS = "digits"


def right(instance):
    return digits(number(instance["a"]) * number(instance["b"]))


def judge(instance, answer):
    truth = right(instance)
    most = len(truth)
    return not_numbers(answer, most, False, lambda flat: len(flat) == most, 9) or feasible(
        agreeing(answer[::-1], truth[::-1]), most
    )


def label_count(instance):
    del instance
    return 10


def random_answer(instance, random):
    """The product with some of its first digits wrong."""
    truth = right(instance)
    cut = random.randint(0, len(truth))
    return [random.randrange(10) for _ in range(cut)] + truth[cut:]


mutants = [one_off]


def odd_instances(random, count):
    yield "0 and 0", {"a": [0], "b": [0]}
    yield "0 and more", {"a": [0], "b": [1, 2, 3]}
    yield "nines", {"a": [9] * 40, "b": [9] * 40}
    yield "powers of ten", {"a": [1] + [0] * 20, "b": [1] + [0] * 7}
    yield "a 0 in front", {"a": [0, 1], "b": [3]}
    yield "no digits", {"a": [], "b": [3]}
    yield "too long", {"a": [1] * 6001, "b": [3]}
    for index in range(count):
        size = random.choice([1, 3, 12, 60])
        a, b = (digits(random.randrange(10 ** random.randint(1, size))) for _ in range(2))
        yield f"random {index}", {"a": a, "b": b}


PEERS = by_plain_integers(right, lambda instance: len(right(instance)))
