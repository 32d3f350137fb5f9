"""The product of two numbers, as digits."""

from common import need, numbers


def computed(instance):
    a, b = (int("".join(map(str, numbers(instance[name], 0, 10, name)))) for name in "ab")
    return [int(digit) for digit in str(a * b)]


def objective(instance, answer):
    need(answer == computed(instance), "the product is another one")
    return len(answer)
