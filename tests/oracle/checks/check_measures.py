#!/usr/bin/env python3
"""Measures against plain Python, and the structural pass against Python's own properties of characters.

check_measures.py BINARY [--texts N] [--seed S]     N texts a measure (default 10,000); exit code 1 if anything differs"""

import argparse
import json
import random
import subprocess
import sys
import unicodedata

import make_texts
import measure_twins
import text_rules

# Measures without a plain reference: emoji (the data is Unicode's, as ours), and language, which counts the user's
# words.
WITHOUT = {"emoji", "language"}
# Lower case since Unicode 15, which Python 3.11 does not have yet.
CHANGED = {0x10FC, 0xA7F2, 0xA7F3, 0xA7F4, 0xAB69}
OPTIONS = {
    "words": [{}, {"cjk": "runs"}, {"cjk": "words"}],
    "paragraphs": [{}, {"by": "double"}, {"by": "stars"}],
    "script_letters": [
        {"script": name} for name in ("latin", "cyrillic", "greek", "han", "hiragana", "katakana", "arabic", "hebrew")
    ],
    "bullets": [{}, {"level": 1}, {"level": 2}, {"markers": "*"}],
    "sub_bullets": [{}],
    "headings": [{}, {"level": 2}],
    "fences": [{}, {"language": "json"}],
    "contains": [
        {"texts": ["fox", "Paris.", "it"]},
        {"texts": ["fo", "*"], "boundary": "none"},
        {"texts": ["THE", "the"], "fold": "none"},
        {"texts": ["東京", "ไทย", "京都", "हिन्दी", "한국"]},
    ],
    "count_of": [
        {"texts": ["the", "and"]},
        {"texts": ["e"], "boundary": "none"},
        {"texts": ["東京", "日本の", "ไทย", "ภาษาไทย", "នៅ", "の", "e", "\u0301"]},
    ],
    "tone": [{"list": ["I", "well-known"], "name": "x"}],
    "first_word": [{"word": "The"}, {"word": "東京"}],
    "last_word": [{"word": "it"}],
    "nth_word": [{"word": "fox", "n": 3}, {"word": "the", "n": 1}],
    "starts_with": [{"texts": ["The", "a"]}],
    "ends_with": [{"texts": [".", "!"]}],
    "order_of": [{"texts": ["the", "fox", "it"]}],
    "repeated_ngrams": [{}, {"n": 1}, {"n": 2}],
    "shared_ngrams": [{"n": 2}, {"n": 1}, {"n": 2, "other": "the quick brown fox jumps over"}],
    "nesting": [{}, {"of": "quotes"}],
    "json_keys": [{"required": ["a", "b"]}, {"required": ["a"], "types": ["number"]}],
    "csv": [{}, {"rows": 8, "columns": 5}, {"delimiter": "tab"}],
    "sections": [{"splitter": "Section"}],
    "postscript": [{}, {"marker": "p.p.s"}],
    "parts": [{"separator": "***"}, {"separator": "\n", "distinct": "yes"}],
    "equals": [{"text": "the"}],
}
JSON_TEXTS = [
    '{"a": 1, "b": "x"}',
    '{"a": [1], "c": null}',
    "[1, 2]",
    '```json\n{"b": true}\n```',
    '{"a": 1.5}',
    "{'a': 1}",
    '{"a": NaN}',
]
OTHERS = [
    "P.S. x\nP.S. more",
    "x\nP.S. more",
    "x\n p.p.s yes",
    "a\np.p.s",
    "## Two\ntext",
    "<<t>> x",
    "Section 1\n**Section 2** x\nSections",
    "the",
    " The ",
    "Tell me more. And so",
    "the quick brown fox jumps over it",
    "שלום x",
]
TABLES = [
    "ID,Country,City,Year,Count\n" + "\n".join("1,a,b,c,d" for _ in range(7)),
    "a\tb\nc\td",
    "a,b\nc",
    '"x\ny",2\n3,4',
    "a\rb",
]


def ask(binary, rows, *options):
    asked = "".join(json.dumps(row) + "\n" for row in rows)
    return [
        json.loads(line)
        for line in subprocess.run(
            [binary, *options], input=asked, capture_output=True, text=True, check=True
        ).stdout.split("\n")
        if line
    ]


def texts(rng, count):
    makers = [
        make_texts.prose,
        make_texts.lines,
        make_texts.noise,
        lambda r: make_texts.mutated(r, make_texts.lines(r)),
        lambda r: make_texts.mutated(r, r.choice(JSON_TEXTS)),
        lambda r: r.choice(JSON_TEXTS + TABLES + OTHERS),
        lambda r: (
            "```"
            + r.choice(["json", " JSON ", "", "py"])
            + "\n"
            + make_texts.lines(r)
            + r.choice(["\n```", "\n~~~", ""])
        ),
        lambda r: "x\n| a | b |\n|---|:-:|\n" + make_texts.lines(r) + "[a](b) [c]() [[d](e f)",
        lambda r: (
            r.choice(["the ", "the quick brown fox jumps. ", "**a** *b* ** c** *d* "]) * r.randint(1, 4)
            + make_texts.noise(r)
        ),
    ]
    return [rng.choice(makers)(rng) for _ in range(count)] + [make_texts.scripts(rng) for _ in range(count // 4)]


def compare_measures(binary, count, seed):
    wrong, compared = 0, 0
    for kind in ask(binary, [], "--kinds")[0]["measures"]:
        name = kind["name"]
        if name in WITHOUT:
            continue
        rng = random.Random(f"{seed} {name}")
        for options in OPTIONS.get(name, [{}]):
            prompt = "Tell me more."
            some = texts(rng, max(count // len(OPTIONS.get(name, [{}])), 60)) + OTHERS + TABLES
            result = ask(binary, [{"check": {"check": name, **options, "min": 1}, "prompt": prompt, "texts": some}])[0]
            if "error" in result:
                print(f"{name} {options}: {result['error']}")
                wrong += 1
                continue
            different = [
                (text, own, twin)
                for text, own in zip(some, result["values"])
                if own != (twin := measure_twins.measured(name, text, options, prompt))
            ]
            wrong, compared = wrong + len(different), compared + len(some)
            for text, own, twin in different[:2]:
                print(f"{name} {options}: we say {own}, plain Python {twin}, of {text!r}")
            if len({value[0] for value in result["values"]}) < 2:
                print(f"{name} {options}: the same for all texts: tells nothing")
                wrong += count >= 100
    return wrong, compared


def compare_characters(binary):
    """Every character that Python's Unicode has assigned, by itself."""
    points = [
        p
        for p in range(0x110000)
        if not 0xD800 <= p < 0xE000
        and unicodedata.category(chr(p)) != "Cn"
        and p not in CHANGED
        and not 0x4E10 <= p < 0x9F00
        and not 0xAC10 <= p < 0xD700
        and not 0x17010 <= p < 0x18700
        and not 0x20010 <= p < 0x30000
        and not 0xE010 <= p < 0xF8F0
        and p < 0xF0000
        and not 0x3410 <= p < 0x4D00
    ]
    found = ask(binary, [{"texts": [chr(p) for p in points]}], "--pass")[0]
    wrong = 0
    for point, one in zip(points, found):
        char = chr(point)
        lower = char.lower()
        expected = [
            1,
            char.isalpha(),
            char.isupper(),
            char.islower(),
            char.isdecimal(),
            char.isspace(),
            char.isalnum() or char == "_",
            lower,
        ]
        counts = one["counts"]
        own = [counts[1], counts[2], counts[3], counts[4], counts[5], counts[7], len(one["words"]), one["lower"]]
        folds = (one["simple"], char.casefold()) if len(char.casefold()) == 1 else ("", "")
        if own != expected or folds[0] != folds[1]:
            wrong += 1
            print(f"U+{point:04X}: we say {own}, Python {expected}") if wrong < 10 else None
    return wrong, len(points)


def compare_splits(binary, count, seed):
    """Sentences of both rules, words, pieces and lower case of any text."""
    rng, wrong = random.Random(seed), 0
    some = texts(rng, count)
    for rule, twin in (("plain", text_rules.plain), ("regex", text_rules.regex)):
        for text, one in zip(some, ask(binary, [{"texts": some, "sentences": rule}], "--pass")[0]):
            data = text.encode()
            cut = {key: [data[b:e].decode() for b, e in one[key]] for key in ("sentences", "words", "pieces")}
            expected = {"sentences": twin(text), "words": measure_twins.words(text), "pieces": text.split()}
            if cut != expected or one["lower"] != text.lower():
                wrong += 1
                print(f"{rule}: {cut} rather than {expected}") if wrong < 5 else None
    return wrong, 2 * len(some)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--texts", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    total = 0
    for label, (wrong, compared) in (
        ("measures", compare_measures(options.binary, options.texts, options.seed)),
        ("splits", compare_splits(options.binary, options.texts, options.seed)),
        ("characters", compare_characters(options.binary)),
    ):
        print(f"{label}: {compared} compared, {wrong} differ")
        total += wrong
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
