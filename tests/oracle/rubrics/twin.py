"""Rubrics in plain Python: presets `repo` and `paper` by Python's own regular expressions, preset `ours` by slow loops.

`repo` computes the same as the function published with RLVRR (github.com/YJiangcm/RLVRR 23c0956,
openrlhf/reward_tools/reward_fn.py), rewritten from its behaviour. It shares no code with the engine.
"""

import re

import numpy as np

MATCHES = {}


def matched(keywords, text):
    """The keywords' occurrences in a text, lower case, in order; where several fit, the first of the list counts."""
    known = MATCHES.get(tuple(keywords))
    if known is None:
        any_of_them = "|".join(re.escape(keyword) for keyword in keywords)
        known = MATCHES[tuple(keywords)] = re.compile(rf"(?<!\w)(?:{any_of_them})(?!\w)", re.IGNORECASE)
    return [found.lower() for found in known.findall(text)]


def common(one, other):
    """The length of a longest common subsequence, by the table."""
    above = [0] * (len(other) + 1)
    for symbol in one:
        row = [0]
        for place, second in enumerate(other):
            row.append(above[place] + 1 if symbol == second else max(row[place], above[place + 1]))
        above = row
    return above[-1]


def ratio(of_reference, of_text):
    longer = max(len(of_reference), len(of_text))
    return (common(of_reference, of_text), longer) if longer else (0, 1)


def best(pairs):
    value = 0.0
    for upper, lower in pairs:
        value = max(value, upper / lower)
    return value


def repo_content(points, reference, text):
    """`points` are lists of keyword lists; one reference serves them all."""
    if not points or not reference.split():
        return 0.0
    scores = [best(ratio(matched(words, reference), matched(words, text)) for words in lists) for lists in points]
    return max(float(np.mean(scores)), 0.0)


def paper_content(points, references, text):
    """Equation 4: list i of a point is measured on reference i."""
    scores = [best(ratio(matched(words, references[i]), matched(words, text)) for i, words in enumerate(lists))
              for lists in points]  # fmt: skip
    total = 0.0
    for score in scores:
        total += score
    return total / len(scores)


def found_content(points, references, text):
    """The variant that counts found keywords, whatever their order and number."""
    total = 0.0
    for lists in points:
        pairs = []
        for i, words in enumerate(lists):
            wanted = set(matched(words, references[i]))
            pairs.append((len(wanted & set(matched(words, text))), max(1, len(wanted))))
        total += best(pairs)
    return total / len(points)
