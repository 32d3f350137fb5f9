"""The number of uses of each coin, so that an amount is paid exactly; as few coins as possible."""

from found import cp_sat
from labels import placed
from ortools.sat.python import cp_model
from verdict import Verdict, feasible, first_outside, is_rows, worst

MAXIMISE = False
ROWS = False


def judge(instance, answer):
    coins, amount = instance["coins"], instance["amount"]
    if isinstance(answer, str):
        return worst("unparsable", amount)
    if not answer:
        return worst("empty", amount)
    if is_rows(answer):
        return worst("bad_depth", amount)
    if len(answer) != len(coins):
        return worst("wrong_length", amount)
    if (at := first_outside(answer, amount + 1)) is not None:
        return worst("out_of_range", amount, at)
    wrong = abs(sum(count * coin for count, coin in zip(answer, coins)) - amount)
    if wrong:
        return Verdict("wrong_sum", -1, None, min(wrong, amount), amount)
    return feasible(sum(answer), amount)


def under_labels(instance, labels):
    return dict(instance, coins=placed(instance["coins"], labels["coin"]))


def answer_under_labels(answer, labels):
    """A list without a number for each coin keeps its order."""
    return placed(answer, labels["coin"]) if len(answer) == len(labels["coin"]) else answer


def label_count(instance):
    return min(instance["amount"] + 1, 50)


def random_answer(instance, random):
    """Random coins while they fit, so that the sum is often right where a coin is small."""
    counts, rest = [0] * len(instance["coins"]), instance["amount"]
    while fitting := [i for i, coin in enumerate(instance["coins"]) if coin <= rest]:
        kind = random.choice(fitting)
        taken = random.randint(1, max(1, rest // instance["coins"][kind] // 2))
        counts[kind] += taken
        rest -= taken * instance["coins"][kind]
    return counts


def whole(instance, answer):
    return len(answer) == len(instance["coins"]) and all(isinstance(count, int) for count in answer)


def exchange_in_kind(instance, answer, random):
    """Exchanges coins of one value for another's at the same sum, where both have enough."""
    if not whole(instance, answer) or len(answer) < 2:
        return answer
    i, j = random.sample(range(len(answer)), 2)
    a, b = instance["coins"][i], instance["coins"][j]
    changed = list(answer)
    changed[i] += b
    changed[j] -= a
    return changed


def one_coin_more(instance, answer, random):
    if not whole(instance, answer):
        return answer
    changed = list(answer)
    changed[random.randrange(len(changed))] += random.choice([-1, 1])
    return changed


mutants = [exchange_in_kind, one_coin_more]


def odd_instances(random, count):
    yield "one coin, right", {"coins": [7], "amount": 7}
    yield "one coin, twice", {"coins": [7], "amount": 14}
    yield "too large a coin", {"coins": [8], "amount": 7}
    yield "another remainder", {"coins": [6, 9, 15], "amount": 100}
    yield "the largest sum that nothing pays", {"coins": [9, 13], "amount": 95}
    yield "one more", {"coins": [9, 13], "amount": 96}
    yield "a coin twice", {"coins": [5, 5, 3], "amount": 11}
    yield "ones", {"coins": [1], "amount": 1000}
    yield "words of the set's end", {"coins": [31, 32, 33, 64], "amount": 1023}
    for index in range(count):
        kinds, top = random.randint(1, 12), random.choice([5, 40, 300])
        coins = [random.randint(1, top) for _ in range(kinds)]
        yield f"random {index}: {kinds}, {top}", {"coins": coins, "amount": random.randint(1, 10 * top)}


def cp_model_of(instance):
    coins, amount = instance["coins"], instance["amount"]
    model = cp_model.CpModel()
    counts = [model.new_int_var(0, amount // coin, "") for coin in coins]
    model.add(sum(coin * count for coin, count in zip(coins, counts)) == amount)
    model.minimize(sum(counts))
    return cp_sat(model, lambda solver: [solver.value(count) for count in counts])


PEERS = {"CP-SAT": cp_model_of}
