"""Mutated answers: right ones made wrong, or right again, and spelled in many ways.

Each comes with its meaning, so no second parser is needed: text is written from a value with a known meaning.
"""

import json
import re

import symbols
from verdict import Broken

INT32 = range(-(2**31), 2**31)
OUT_OF_RANGE = [-1, -2, 2**31 - 1, -(2**31), 2**31, -(2**31) - 1, 10**12, 10**30]
NO_INTEGERS = [0.5, 1.0, "1", "", True, False, None, {}, {"a": 1}]


def meaning(value):
    """The answer that a nested JSON list means."""
    if not isinstance(value, list):
        return Broken("unparsable")
    problems = set()

    def walk(items, depth):
        if depth > 2:
            problems.add("bad_depth")
        if all(type(item) is int and item in INT32 for item in items):  # most rows of long answers
            return
        lists = sum(isinstance(item, list) for item in items)
        if 0 < lists < len(items):
            problems.add("mixed")
        for item in items:
            if isinstance(item, list):
                walk(item, depth + 1)
            elif isinstance(item, bool) or not isinstance(item, int):
                problems.add("not_integer")
            elif item not in INT32:
                problems.add("overflow")

    walk(value, 1)
    if not problems:
        return value
    (only, *others) = problems
    return Broken(None if others or only == "mixed" else only)


# Mutations of one flat list: the answer itself, or one of its rows. `size`: values below it are in range.


def drop(items, size, random):
    del size
    at = random.randrange(len(items))
    return items[:at] + items[at + 1 :]


def drop_several(items, size, random):
    del size
    return [item for item in items if random.random() < 0.7]


def insert(items, size, random):
    at = random.randint(0, len(items))
    return items[:at] + [random.randrange(size)] + items[at:]


def insert_a_new_one(items, size, random):
    unused = [value for value in range(size) if value not in items]
    return items + [random.choice(unused)] if unused else items


def replace(items, size, random):
    at = random.randrange(len(items))
    return items[:at] + [random.randrange(size)] + items[at + 1 :]


def swap(items, size, random):
    del size
    a, b = random.randrange(len(items)), random.randrange(len(items))
    changed = list(items)
    changed[a], changed[b] = changed[b], changed[a]
    return changed


def repeat(items, size, random):
    del size
    at = random.randint(0, len(items))
    return items[:at] + [random.choice(items)] + items[at:]


def repeat_the_first(items, size, random):
    del size, random
    return items + items[:1]


def repeat_all(items, size, random):
    del size
    return items * random.choice([2, 3])


def one_value_200_times(items, size, random):
    del size
    return [random.choice(items)] * 200


def out_of_range(items, size, random):
    at = random.randrange(len(items))
    return items[:at] + [random.choice([size, size + 1, *OUT_OF_RANGE])] + items[at + 1 :]


def negate(items, size, random):
    del size
    at = random.randrange(len(items))
    return items[:at] + [-items[at]] + items[at + 1 :]


def count_from_one(items, size, random):
    del size, random
    return [item + 1 for item in items]


def shuffle(items, size, random):
    del size
    return random.sample(items, len(items))


def turn(items, size, random):
    del size
    at = random.randrange(len(items))
    return items[at:] + items[:at]


def cut_off(items, size, random):
    del size
    return items[: random.randrange(len(items))]


def constant(items, size, random):
    del items
    return list(range(random.randint(1, size)))


MILD = [drop, insert, insert_a_new_one, replace, swap, repeat, shuffle, turn]
HARSH = [
    drop_several,
    repeat_the_first,
    repeat_all,
    one_value_200_times,
    out_of_range,
    negate,
    count_from_one,
    cut_off,
    constant,
]


# Mutations of the shape.


def empty(value, random):
    del value, random
    return []


def one_level_deeper(value, random):
    del random
    return [value]


def each_in_its_own_list(value, random):
    del random
    return [[item] for item in value]


def in_two_rows(value, random):
    at = random.randint(0, len(value))
    return [value[:at], value[at:]]


def flattened(value, random):
    del random
    return [inner for item in value for inner in (item if isinstance(item, list) else [item])]


def first_item_only(value, random):
    del random
    return value[:1]


def one_item_in_a_list(value, random):
    at = random.randrange(len(value))
    return value[:at] + [[value[at]]] + value[at + 1 :]


def with_an_empty_list(value, random):
    del random
    return value + [[]]


SHAPES = [
    empty,
    one_level_deeper,
    each_in_its_own_list,
    in_two_rows,
    flattened,
    first_item_only,
    one_item_in_a_list,
    with_an_empty_list,
]


def copied(value):
    """Copies lists within lists; other parts of an answer never change."""
    return [copied(item) for item in value] if isinstance(value, list) else value


def spoil(value, random):
    """Replaces one leaf by a value that is not an integer."""
    changed = copied(value)
    at = random.randrange(len(changed))
    inner = changed[at]
    if isinstance(inner, list) and inner:
        inner[random.randrange(len(inner))] = random.choice(NO_INTEGERS)
    else:
        changed[at] = random.choice(NO_INTEGERS)
    return changed


def mutate_once(module, instance, value, random):
    size = max(1, module.label_count(instance))
    draw = random.random()
    if not value:
        return [random.randrange(size)]
    clean = not isinstance(meaning(value), Broken)
    if draw < 0.4 and clean and module.mutants and any(isinstance(v, list) for v in value) == module.ROWS:
        return random.choice(module.mutants)(instance, value, random)
    if draw < 0.45:
        return random.choice(SHAPES)(value, random)
    change = random.choice(MILD if draw < 0.85 else HARSH)
    rows = [at for at, item in enumerate(value) if isinstance(item, list) and item]
    if rows and random.random() < 0.7:
        at = random.choice(rows)
        if all(isinstance(item, int) for item in value[at]):
            return value[:at] + [change(value[at], size, random)] + value[at + 1 :]
    if rows:
        return [drop, swap, repeat, shuffle, cut_off][random.randrange(5)](value, size, random)
    return change(value, size, random) if all(isinstance(item, int) for item in value) else value


def mutated_value(module, instance, start, random):
    value = copied(start)
    for _ in range(random.choice([0, 1, 1, 1, 1, 2, 2, 3])):
        value = mutate_once(module, instance, value, random)
    if value and random.random() < 0.02:
        value = spoil(value, random)
    return value


# Spellings with the same meaning.


def tuples(value):
    return json.dumps(value).replace("[", "(").replace("]", ")")


def rows_without_a_list(separator):
    def write(value):
        if len(value) < 2 or not all(isinstance(item, list) and item for item in value):
            return json.dumps(value)
        return separator.join(json.dumps(item) for item in value)

    return write


def trailing_comma(value):
    return json.dumps(value)[:-1] + (",]" if value else "]")


SPELLINGS = [
    json.dumps,
    tuples,
    trailing_comma,
    rows_without_a_list("\n"),
    rows_without_a_list(", "),
    lambda value: json.dumps(value, separators=(",", ":")),
    lambda value: json.dumps(value, indent=1),
    lambda value: f"  {json.dumps(value)}\r\n\t",
    lambda value: f"```json\n{json.dumps(value)}\n```",
    lambda value: f"```\n{json.dumps(value)}\n```",
    lambda value: f"**{json.dumps(value)}**",
    lambda value: f"__{json.dumps(value)}__",
    lambda value: f"`{json.dumps(value)}`",
    lambda value: f"${json.dumps(value)}$",
    lambda value: f"$${json.dumps(value)}$$",
    lambda value: f"\\( {json.dumps(value)} \\)",
    lambda value: f"Answer: {json.dumps(value)}",
    lambda value: f"Selected = {json.dumps(value)}",
    lambda value: f"{json.dumps(value)}.",
    lambda value: f"{json.dumps(value)}<|im_end|>",
    lambda value: f"{json.dumps(value)}</s>\n",
]

# Texts that the grammar does not accept, made from the text of an answer.
BREAKAGES = [
    lambda text: text[:-1],
    lambda text: text[1:],
    lambda text: text[:-1] + ")",
    lambda text: text + "]",
    lambda text: "The answer is " + text,
    lambda text: text + " is best",
    lambda text: f"{text} or {text}",
    lambda text: "sorted(" + text + ")",
    lambda text: re.sub(r"(?<!\d)(\d)", r"0\1", text, count=1) if re.search(r"\d", text) else "[01]",
    lambda text: text.replace("[", "{").replace("]", "}"),
    lambda text: text.replace(", ", " ") if ", " in text else "[1 2]",
    lambda text: text.replace("[", "[+", 1) if text[1:2].isdigit() else "+1",
    lambda text: text[:-1] + ", 1e1]",
    lambda text: text[:-1] + ", 0x1]",
    lambda text: text[:-1] + ", NaN]",
    lambda text: text[:-1] + ", 1_0]",
    lambda text: text[:-1] + ", \u0663]",
    lambda text: text[:-1] + ", ...]",
    lambda text: "[i for i in range(7)]",
    lambda text: "list(range(7))",
    lambda text: "[" * 50 + text + "]" * 50,
    lambda text: "[" + "9" * 5000 + "]",
    lambda text: "none",
    lambda text: "I do not know",
    lambda text: "3",
    lambda text: "[",
]


def broken_text(module, value, random):
    """A value that the task does not accept either, since a word of its alphabet is an answer, and a list of one number
    an expression."""
    if symbols.expressions(module) and len(value) < 2:
        value = [1, 1]
    text = random.choice(BREAKAGES)(json.dumps(value))
    return text if not symbols.may_be_an_answer(module, text) else "?"


def mutated(module, instance, start, random):
    """(the sent `answer`, its meaning)."""
    draw = random.random()
    if draw < 0.03:
        word = random.choice(["Impossible", "impossible", "IMPOSSIBLE", "**Impossible**", "Infeasible"])
        known = word.strip("*")
        return word, known if known.lower() == getattr(module, "WORD", "").lower() else Broken("unparsable")
    value = mutated_value(module, instance, start, random)
    if symbols.is_one_number(module, value):
        value = start
    if draw < 0.08 and value:
        return broken_text(module, value, random), Broken()
    read = meaning(value)
    if isinstance(read, Broken) and symbols.may_be_an_answer(module, json.dumps(value)):  # a number in three brackets
        value, read = start, meaning(start)
    if draw < 0.25 and (written := symbols.written(module, value, random)) is not None:
        return written
    if draw < 0.4:
        read = meaning(value)
        return random.choice(SPELLINGS)(value), Broken() if isinstance(read, Broken) else read
    return value, meaning(value)
