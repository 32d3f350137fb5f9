"""An expression over some of the numbers whose value is as near the target as possible; in postfix order, -1 to -4 for
+ - * /."""

from collections import Counter

from common import need, numbers

TOP = 2**31


def result(sign, a, b):
    """The result; 0 where the rules do not allow it."""
    value = a + b if sign == -1 else a - b if sign == -2 else a * b if sign == -3 else a // b if a % b == 0 else 0
    return value if 0 < value < TOP else 0


def objective(instance, answer):
    given = numbers(instance["numbers"], 1, TOP, "numbers")
    need(len(numbers(answer, -4, TOP, "answer")) > 0, "the answer is empty")
    need(not Counter(one for one in answer if one >= 0) - Counter(given), "a number is not given, or not so often")
    values = []
    for one in answer:
        if one < 0:
            need(len(values) >= 2, "a sign has no two values before it")
            right, left = values.pop(), values.pop()
            one = result(one, left, right)
            need(one > 0, "a result is not a whole number from 1 to 2147483647")
        values.append(one)
    need(len(values) == 1, "the answer is not one expression")
    return abs(values[0] - instance["target"]) + 1


def bound(instance):
    """The target itself."""
    del instance
    return 1
