"""Answers in letters, as expressions or as numbers without brackets, for tasks that accept them.

A task's module declares them by ALPHABET (with FIRST_LETTER, and a line for each row where ROWS), EXPRESSIONS, or
NUMBERS: "single", "digits" or "digit_rows". Each text comes with its meaning, since it is written from the value.
"""

import json
import re
from fractions import Fraction

from verdict import Broken

SIGNS = {
    -1: ["+"],
    -2: ["-", "\u2212", "\u2013"],
    -3: ["*", "x", "\u00d7", "\u00b7", "\\times "],
    -4: ["/", "\u00f7", "\\div "],
}
MAX_ITEMS = 100  # including a bracket for every second item
MAX_JSON_DIGITS = 4000


def alphabet(module):
    return getattr(module, "ALPHABET", "")


def numbers(module):
    return getattr(module, "NUMBERS", None)


def expressions(module):
    return getattr(module, "EXPRESSIONS", False)


def may_be_an_answer(module, text):
    """For a text that is not a list of the task's. It may say yes too often."""
    if expressions(module):
        return re.search(r"[^\d\s()\[\]{}+*/x-]", text) is None
    letters = alphabet(module)
    bare = "".join(text.split()).lower()
    return (
        bool(letters)
        and set(bare) <= set(letters.lower())
        or (numbers(module) is not None and text.isascii() and text.isdigit())
    )


def is_one_number(module, value):
    """Whether lists are nested too deeply. Where expressions are answers, a number in three brackets or more is one."""
    depth = 0
    while isinstance(value, list) and len(value) == 1:
        value, depth = value[0], depth + 1
    return expressions(module) and depth > 2 and type(value) is int and value >= 0


def in_letters(module, value, random):
    letters = alphabet(module)
    first = getattr(module, "FIRST_LETTER", 0)
    rows = value if module.ROWS else [value]
    if not all(isinstance(row, list) and row for row in rows):
        return None
    if not all(isinstance(item, int) and 0 <= item - first < len(letters) for row in rows for item in row):
        return None
    words = [[letters[item - first] for item in row] for row in rows]
    if letters.upper() != letters.lower() and letters in (letters.upper(), letters.lower()) and random.random() < 0.3:
        words = [[letter.swapcase() for letter in word] for word in words]
    between = random.choice(
        ["", "", "", " ", "  "] if any(letter.isdigit() for letter in letters) else ["", "", "", " ", ", ", ","]
    )
    if module.ROWS:
        lines = [between.join(word) for word in words]
        return random.choice(["\n".join(lines), "\r\n".join(lines), json.dumps(["".join(word) for word in words])])
    text = between.join(words[0])
    listed = "[" + ", ".join(f'"{letter}"' for letter in words[0]) + "]"
    return random.choice([text, text, f'"{text}"', f"'{text}'", listed])


def worth(value):
    """The value of a postfix order; None for a division by zero."""
    stack = []
    for item in value:
        if item >= 0:
            stack.append(Fraction(item))
            continue
        right, left = stack.pop(), stack.pop()
        if item == -4 and right == 0:
            return None
        stack.append({-1: left + right, -2: left - right, -3: left * right}.get(item) if item > -4 else left / right)
    return stack[0]


def as_expression(value, random):
    """(text in infix order, meaning), with all brackets or only the necessary ones; None where the value is not a
    postfix order. The side after an equals sign must be right."""
    stack = []
    for item in value:
        if type(item) is not int or not -4 <= item < 2**31:
            return None
        if item >= 0:
            stack.append((str(item), 3))
            continue
        if len(stack) < 2:
            return None
        (right, right_rank), (left, left_rank) = stack.pop(), stack.pop()
        rank = 1 if item > -3 else 2
        always = random.random() < 0.3
        left = f"({left})" if left_rank < rank or (always and left_rank < 3) else left
        right = f"({right})" if right_rank <= rank or (always and right_rank < 3) else right
        blank = random.choice(["", " "])
        stack.append((f"{left}{blank}{random.choice(SIGNS[item])}{blank}{right}", rank))
    if len(stack) != 1 or len(value) > MAX_ITEMS:
        return None
    text = stack[0][0]
    found = worth(value)
    right = found is not None and found.denominator == 1 and abs(found) < 10**18
    said = random.choice([int(found), int(found) + 1]) if right else 24
    equation = value if right and said == found else Broken("unparsable")
    return random.choice([(text, value), (f"({text})", value), (f"{text} = {said}", equation)])


def grouped(text, mark):
    head = len(text) % 3
    return mark.join(([text[:head]] if head else []) + [text[at : at + 3] for at in range(head, len(text), 3)])


def is_row_of_digits(row):
    return isinstance(row, list) and bool(row) and all(type(item) is int and 0 <= item <= 9 for item in row)


def as_number(row, random, marks):
    """(text, whether it is a number's only spelling)."""
    text = "".join(map(str, row))
    if len(row) > 1 and row[0] == 0:
        return text, False
    return (grouped(text, random.choice(marks)) if random.random() < 0.3 else text), True


def as_digits(value, random):
    if not is_row_of_digits(value):
        return None
    text, good = as_number(value, random, [",", " ", "{,}", "\u202f", "\u00a0"])
    if not good:
        return text, Broken("not_integer")
    broken = random.random()
    if broken < 0.1:
        return random.choice(
            [
                ("-" + text, Broken("unparsable")),
                ("+" + text, Broken("unparsable")),
                (text + ".5", Broken("not_integer")),
                ("0" + text, Broken("not_integer")),
                (text + " or so", Broken("unparsable")),
                (text + "e1", Broken("unparsable")),
            ]
        )
    if broken < 0.2 and text.isdigit() and len(text) < MAX_JSON_DIGITS:
        return int(text), value
    return text, value


def as_digit_rows(value, random):
    if not value or not all(map(is_row_of_digits, value)):
        return None
    texts = [as_number(row, random, [",", " ", "\u202f"]) for row in value]
    between = random.choice([" R ", "R", " r ", " remainder ", ", rem ", "; ", ", ", "\n", " R: "])
    text = between.join(text for text, _ in texts)
    return text, value if all(good for _, good in texts) else Broken("not_integer")


def as_value(value, random):
    if len(value) != 1 or type(value[0]) is not int:
        return None
    inside = -(2**31) <= value[0] < 2**31
    text = random.choice([str, lambda number: f"{number:,}"])(value[0])
    return text, value if inside else Broken("overflow")


def wrapped(module, text, random):
    """Wraps without meaning that use no letter of the task's."""
    wraps = [
        f"**{text}**",
        f"`{text}`",
        f"${text}$",
        f"Answer: {text}",
        f"{text}.",
        f"```\n{text}\n```",
        f" {text}\n",
        f"{text}<|im_end|>",
    ]
    marks = set("*`$.:<|>") & set(alphabet(module))
    return text if marks or random.random() < 0.6 else random.choice(wraps)


def written(module, value, random):
    """(text, meaning) of the value in the task's own spelling; None where it has none."""
    if not isinstance(value, list):
        return None
    ways = {"single": as_value, "digits": as_digits, "digit_rows": as_digit_rows}
    if alphabet(module):
        text = in_letters(module, value, random)
        found = None if text is None else (text, value)
        if found and random.random() < 0.05:
            found = text + "?" if "?" not in alphabet(module) else text + "!", Broken()
    elif expressions(module):
        found = as_expression(value, random)
    else:
        found = ways[numbers(module)](value, random) if numbers(module) else None
    if found is None or not isinstance(found[0], str):
        return found
    return wrapped(module, found[0], random), found[1]
