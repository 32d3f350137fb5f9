"""The product of two numbers, as digits."""

from common import need, whole


def computed(instance):
    a, b = (whole(instance[name], name) for name in "ab")
    return [int(digit) for digit in str(a * b)]


def objective(instance, answer):
    need(answer == computed(instance), "the product is another one")
    return len(answer)
