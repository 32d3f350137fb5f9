"""Random and hostile (rubric, text) pairs: overlapping and nested keywords, empty lists, CJK, letters with odd case."""

import random

WORDS = """risk data model the of and machine learning deep net a an as in on at Paris Seine sea France capital 3.14 C++ x_y
co-op AI ai learn learning machine-learning state-of-the-art U.S. don't naïve café ÉCOLE école straße STRASSE ΣΟΦΟΣ σοφος σοφός
ſun sun Kelvin kelvin İstanbul istanbul ıstanbul ISTANBUL µm μm ΜM ﬁn fin 机器 机器学习 学习 東京 東 カタカナ 한국어 Ⅳ ⅳ ß ẞ ǅ ǆ
Ǆ θ ϑ ᲀ в ᾳ ͅ ι ﬅ ﬆ ṡ ẛ 𝒳 𐐀 𐐨 ٣ a̐ e\u0301 zero\u200bwidth _ __ . , - + ++ 1 12 123""".split()
BETWEEN = [
    " ",
    " ",
    " ",
    " ",
    "  ",
    "\n",
    ", ",
    ". ",
    "",
    "-",
    "_",
    "\u00a0",
    "\u3000",
    "\t",
    "'",
    "/",
    "。",
    "\u200b",
    "(",
    ") ",
]


def words(draw, count):
    return "".join(draw.choice(WORDS) + draw.choice(BETWEEN) for _ in range(count))


def keyword(draw):
    kind = draw.random()
    if kind < 0.70:
        return draw.choice(WORDS)
    if kind < 0.90:
        return draw.choice(WORDS) + draw.choice([" ", " ", "-", "", "  "]) + draw.choice(WORDS)
    if kind < 0.93:
        return ""
    return words(draw, draw.randint(1, 3))


def keywords(draw):
    found = [keyword(draw) for _ in range(draw.choice([0, 1, 2, 3, 4, 6, 9]))]
    found = [one if len(one.encode()) <= 64 else one[:8] for one in found]
    if found and draw.random() < 0.1:
        found.append(found[0].upper())
    return found[:64]


def changed(draw, text):
    """A text similar to another."""
    kind = draw.randint(0, 6)
    pieces = text.split(" ")
    if kind == 0:
        draw.shuffle(pieces)
    elif kind == 1:
        pieces = pieces[: draw.randint(0, len(pieces))]
    elif kind == 2:
        pieces = pieces * draw.randint(2, 3)
    elif kind == 3:
        pieces = [piece.upper() for piece in pieces]
    elif kind == 4:
        pieces = [piece.lower() if draw.random() < 0.5 else piece.swapcase() for piece in pieces]
    elif kind == 5:
        pieces = [piece + draw.choice(["", "", "s", "!", "\u0301"]) for piece in pieces]
    return " ".join(pieces)


def pair(seed, references=1):
    """Points (lists of keyword lists), the references' texts and a text. From 8 points on sums are numpy's."""
    draw = random.Random(seed)
    texts = [words(draw, draw.choice([0, 3, 10, 30])) for _ in range(references)]
    points = [[keywords(draw) for _ in range(draw.choice([1, 1, 2, 3]) if references == 1 else references)]
              for _ in range(draw.choice([1, 2, 3, 5, 8, 9, 17]))]  # fmt: skip
    text = changed(draw, texts[0]) if draw.random() < 0.6 else words(draw, draw.choice([0, 2, 20, 60]))
    return points, texts, text
