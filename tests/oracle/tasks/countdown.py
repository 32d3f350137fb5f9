"""An expression over given numbers, as a list in postfix order with -1 to -4 for + - * /, as near a target as
possible."""

from collections import Counter
from itertools import combinations

from found import exact
from verdict import Verdict, feasible, is_rows, worst

MAXIMISE = False
ROWS = False
EXPRESSIONS = True
MOST = 2**31 - 1
MAX_TO_TRY_ALL = 5


def result(left, sign, right):
    """The result; None where it is not an integer of 1 to MOST."""
    if sign == -4 and (right == 0 or left % right):
        return None
    value = {-1: left + right, -2: left - right, -3: left * right, -4: left // right if right else 0}[sign]
    return value if 1 <= value <= MOST else None


def judge(instance, answer):
    numbers, most = instance["numbers"], len(instance["numbers"])
    if isinstance(answer, str):
        return worst("unparsable", most)
    if not answer:
        return worst("empty", most)
    if is_rows(answer):
        return worst("bad_depth", most)
    waiting = 0
    for at, word in enumerate(answer):
        if word < -4 or (word < 0 and waiting < 2):
            return worst("not_expression", most, at)
        waiting += -1 if word < 0 else 1
    if waiting != 1:
        return worst("not_expression", most)
    unused, surplus = Counter(numbers), []
    for at, word in enumerate(answer):
        if word >= 0:
            unused[word] -= 1
            if unused[word] < 0:
                surplus.append(at)
    if surplus:
        return Verdict("number_not_given", surplus[0], None, min(len(surplus), most), most)
    stack = []
    for at, word in enumerate(answer):
        if word >= 0:
            stack.append(word)
            continue
        right = stack.pop()
        stack[-1] = result(stack[-1], word, right)
        if stack[-1] is None:
            return Verdict("bad_result", at, None, 1, most)
    return feasible(1 + abs(stack[0] - instance["target"]), most)


def label_count(instance):
    return min(max(instance["numbers"]) + 1, 50)


def random_answer(instance, random):
    """Random calculations, most of which have a result."""
    parts = [([number], number) for number in instance["numbers"]]
    for _ in range(random.randrange(2 * len(parts))):
        if len(parts) < 2:
            break
        left, right = random.sample(parts, 2)
        sign = random.choice([-1, -2, -3, -3, -4])
        value = result(left[1], sign, right[1])
        if value is not None or random.random() < 0.05:
            parts = [part for part in parts if part is not left and part is not right]
            parts.append((left[0] + right[0] + [sign], value or 1))
    return max(parts, key=lambda part: len(part[0]))[0]


def another_sign(instance, answer, random):
    del instance
    signs = [at for at, word in enumerate(answer) if isinstance(word, int) and -4 <= word < 0]
    changed = list(answer)
    if signs:
        changed[random.choice(signs)] = random.randint(-4, -1)
    return changed


def another_number(instance, answer, random):
    at = random.randrange(len(answer))
    return answer[:at] + [random.choice(instance["numbers"])] + answer[at + 1 :]


def one_sign_more(instance, answer, random):
    return answer + [random.choice(instance["numbers"]), random.randint(-4, -1)]


mutants = [another_sign, another_number, one_sign_more]


def odd_instances(random, count):
    yield "one number", {"numbers": [7], "target": 7}
    yield "one number, far away", {"numbers": [1], "target": 1_000_000}
    yield "two equal ones", {"numbers": [6, 6], "target": 1}
    yield "large ones", {"numbers": [1_000_000] * 4, "target": 999_999}
    yield "ones", {"numbers": [1] * 6, "target": 100}
    yield "twenty-four", {"numbers": [3, 3, 8, 8], "target": 24}
    yield "the show's", {"numbers": [25, 50, 75, 100, 3, 6], "target": 952}
    for index in range(count):
        size, top = random.randint(1, 6), random.choice([5, 12, 60])
        numbers = [random.randint(1, top) for _ in range(size)]
        yield f"random {index}: {size}, {top}", {"numbers": numbers, "target": random.randint(1, top**3)}


def all_values(instance):
    """Every value of every set of numbers, by splitting the set in two."""
    numbers, target = instance["numbers"], instance["target"]

    def call():
        values = {}
        places = range(len(numbers))
        for size in range(1, len(numbers) + 1):
            for chosen in combinations(places, size):
                found = {numbers[chosen[0]]: [numbers[chosen[0]]]} if size == 1 else {}
                for part in range(1, size):
                    for left in combinations(chosen, part):
                        right = tuple(place for place in chosen if place not in left)
                        for a, first in values[left].items():
                            for b, second in values[right].items():
                                for sign in (-1, -2, -3, -4):
                                    value = result(a, sign, b)
                                    if value is not None and value not in found:
                                        found[value] = first + second + [sign]
                values[chosen] = found
        return min((abs(value - target), form) for found in values.values() for value, form in found.items())[1]

    return exact(call, len(numbers) <= MAX_TO_TRY_ALL)


PEERS = {"all values": all_values}
