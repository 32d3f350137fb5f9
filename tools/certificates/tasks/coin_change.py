"""The fewest coins that reward an amount exactly."""

from common import need, numbers


def objective(instance, answer):
    coins = numbers(instance["coins"], 1, 2**31, "coins")
    need(len(numbers(answer, 0, 2**31, "answer")) == len(coins), "the answer has not a number for each coin")
    need(sum(count * coin for count, coin in zip(answer, coins)) == instance["amount"], "the sum is another one")
    return sum(answer)


def sums(instance):
    return len(instance["coins"]) * max(1, instance["amount"])


def best(instance):
    """The fewest coins for each amount, from 0 on."""
    coins = sorted(set(numbers(instance["coins"], 1, 2**31, "coins")))
    fewest = [0]
    for amount in range(1, instance["amount"] + 1):
        known = [fewest[amount - coin] for coin in coins if coin <= amount and fewest[amount - coin] is not None]
        fewest.append(1 + min(known) if known else None)
    return fewest[-1]
