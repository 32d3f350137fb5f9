"""A list in ascending order; the right places count, from the first one on."""

from units import agreeing, by_plain_integers, not_numbers, one_off
from verdict import feasible

MAXIMISE = True
ROWS = False


def right(instance):
    return sorted(instance["values"])


def judge(instance, answer):
    truth = right(instance)
    most = len(truth)
    return not_numbers(answer, most, False, lambda flat: len(flat) == most, 10**6) or feasible(
        agreeing(answer, truth), most
    )


def label_count(instance):
    return min(1000, 1 + max(instance["values"]))


def random_answer(instance, random):
    """Exchanges two places."""
    answer = right(instance)
    a, b = random.randrange(len(answer)), random.randrange(len(answer))
    answer[a], answer[b] = answer[b], answer[a]
    return answer


mutants = [one_off]


def odd_instances(random, count):
    yield "one", {"values": [0]}
    yield "all alike", {"values": [5] * 30}
    yield "falling", {"values": list(range(50, 0, -1))}
    yield "the ends", {"values": [10**6, 0, 10**6, 0, 1]}
    yield "beyond them", {"values": [10**6 + 1]}
    yield "none", {"values": []}
    yield "too many", {"values": [1] * 20_001}
    for index in range(count):
        top = random.choice([1, 5, 1000, 10**6])
        yield f"random {index}", {"values": [random.randint(0, top) for _ in range(random.randint(1, 60))]}


PEERS = by_plain_integers(right, lambda instance: len(instance["values"]))
