"""Quotient and remainder of two numbers, as digits."""

from common import need, whole


def computed(instance):
    a, b = (whole(instance[name], name) for name in "ab")
    return [[int(digit) for digit in str(number)] for number in divmod(a, b)]


def objective(instance, answer):
    need(answer == computed(instance), "quotient or remainder is another one")
    return sum(map(len, answer))
