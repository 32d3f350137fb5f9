"""Grundy values of pairs in Euclid's game, by the definition, and the winning move."""

from functools import cache, reduce
from operator import xor

from units import agreeing, by_plain_integers, not_numbers, one_off
from verdict import feasible

MAXIMISE = True
ROWS = False


@cache
def values(greater, lesser):
    """The pairs (greater - k lesser, lesser), the largest k first; the last one is the pair itself."""
    if lesser == 0:
        return (0,)
    found = [values(lesser, greater % lesser)[-1]]
    seen, least = {found[0]}, 0
    for _ in range(greater // lesser):
        while least in seen:
            least += 1
        found.append(least)
        seen.add(least)
    return tuple(found)


@cache
def answer_for(pairs):
    all_values = [values(max(pair), min(pair)) for pair in pairs]
    own = [chain[-1] for chain in all_values]
    nimber = reduce(xor, own, 0)
    for at, chain in enumerate(all_values):
        times = [k for k in range(1, len(chain)) if chain[-1 - k] == own[at] ^ nimber]
        if nimber and times:
            return (*own, at + 1, *times)
    return (*own, 0, 0)


def right(instance):
    return list(answer_for(tuple(map(tuple, instance["pairs"]))))


def judge(instance, answer):
    most = len(instance["pairs"]) + 2
    return not_numbers(answer, most, False, lambda flat: len(flat) == most, 10**9) or feasible(
        agreeing(answer, right(instance)), most
    )


def label_count(instance):
    return 1 + min(1000, max(right(instance)))


def random_answer(instance, random):
    """Right up to a random entry."""
    truth = right(instance)
    cut = random.randint(0, len(truth))
    return truth[:cut] + [random.randint(0, 9) for _ in truth[cut:]]


mutants = [one_off]


def odd_instances(random, count):
    yield "two equal numbers", {"pairs": [[4, 4], [9, 9]]}
    yield "nothing to win", {"pairs": [[3, 2]]}
    yield "by 1", {"pairs": [[50_000, 1], [1, 1]]}
    yield "neighbours of Fibonacci", {"pairs": [[701_408_733, 433_494_437], [2, 1]]}
    yield "a 0", {"pairs": [[0, 3]]}
    yield "no pairs", {"pairs": []}
    yield "beyond the limit", {"pairs": [[10**9 + 1, 10**9]]}
    yield "too many", {"pairs": [[2, 1]] * 5001}
    for index in range(count):
        top = random.choice([3, 30, 1000, 30_000])
        yield (
            f"random {index}",
            {"pairs": [[random.randint(1, top) for _ in range(2)] for _ in range(random.randint(1, 12))]},
        )


PEERS = by_plain_integers(right, lambda instance: len(instance["pairs"]) + 2)
