#!/usr/bin/env python3
"""The score of a constant answer of one word: prompts with one to three instruction types each, with arguments drawn as
in their benchmarks.

  vacuity.py BINARY [--prompts N] [--seed S] [--word W]

Prints the share of prompts that the word passes, by suite and form. Exit code 1 unless it passes a third or more of
IFBench's prompts as published and less than 2 % of any suite's in the strict form."""

import argparse
import json
import random
import subprocess
import sys

TABLES = {
    "table": {"en": ["the", "and"], "de": ["der", "und"]},
    "stop_words": ["the", "and"],
    "verbs": ["go", "write"],
    "syllables": {"the": 1},
}
VOCABULARY = "western sentence signal dump spot opposite bottom potato administration working welcome morning good agency".split()


def arguments(rng, names):
    """Numbers of the same sizes as in the benchmarks' rows."""
    numbers = {
        "min_words": lambda: rng.randint(100, 400),
        "max_words": lambda: rng.randint(410, 500),
        "percentage": lambda: rng.randint(5, 90),
        "num_words": lambda: rng.randint(50, 500),
        "num_sentences": lambda: rng.randint(3, 20),
        "let_frequency": lambda: rng.randint(2, 30),
        "N": lambda: rng.randint(2, 20),
        "n": lambda: rng.randint(2, 10),
        "m": lambda: rng.randint(2, 10),
        "n_start": lambda: rng.randint(0, 5),
        "n_end": lambda: rng.randint(6, 30),
        "nth_paragraph": lambda: 2,
        "num_paragraphs": lambda: rng.randint(2, 5),
        "n_sent": lambda: rng.randint(2, 4),
        "n_words": lambda: rng.randint(3, 9),
        "capital_frequency": lambda: rng.randint(2, 10),
        "frequency": lambda: rng.randint(2, 5),
    }
    given = {}
    for name in names:
        if name in TABLES:
            given[name] = TABLES[name]
        elif name.endswith("relation"):
            given[name] = rng.choice(["less than", "at least"])
        elif name in ("keywords", "forbidden_words"):
            given[name] = rng.sample(VOCABULARY, 2)
        elif name.startswith("num_") or name in numbers or name == "small_n":
            given[name] = numbers.get(name, lambda: rng.randint(2, 6))()
        else:
            given[name] = {
                "letter": "e",
                "language": "de",
                "options": "yes/no/maybe",
                "sep": "...",
                "postscript_marker": "P.S.",
                "section_spliter": "Section",
                "phrase": "the quick brown fox",
                "reference_text": "Paris lies on the Seine.",
                "prompt_to_repeat": "Tell me about the river Seine in Paris.",
            }.get(name, rng.choice(VOCABULARY))
    return given


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--prompts", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--word", default="Pst")
    options = parser.parse_args()
    kinds = json.loads(subprocess.run([options.binary, "--kinds"], capture_output=True, text=True, check=True).stdout)[
        "types"
    ]
    rows, places = [], []
    for suite in ("IFEval", "IFBench", "IF-RLVR"):
        rng = random.Random(f"{options.seed} {suite}")
        types = [kind for kind in kinds if kind["suite"] == suite and kind["evidence"] != "Q"]
        fixed = [kind for kind in kinds if kind["suite"] == suite and kind["evidence"] == "Q"]
        for prompt in range(options.prompts):
            # IFBench has 344 constraints on 300 prompts. A fixed question occurs once, and all other types equally
            # often.
            some = [fixed[prompt]] if prompt < len(fixed) else [types[prompt % len(types)]]
            some += [rng.choice(types)] if prompt >= len(fixed) and rng.random() < 44 / 300 else []
            given = [(kind["name"], arguments(rng, [name for name, _ in kind["arguments"]])) for kind in some]
            for mode in ("peer", "strict"):
                for name, values in given:
                    rows.append({"check": {"check": name, **values}, "mode": mode, "texts": [options.word]})
                    places.append((suite, mode, prompt))
    lines = subprocess.run(
        [options.binary],
        input="".join(json.dumps(row) + "\n" for row in rows),
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    failed = dict.fromkeys(places, False)
    for place, row, line in zip(places, rows, lines):
        result = json.loads(line)
        if "error" in result:
            print(f"{row['check']}: {result['error']}")
            return 1
        failed[place] |= result["passed"] == "0"
    shares = {}
    for suite in ("IFEval", "IFBench", "IF-RLVR"):
        for mode in ("peer", "strict"):
            own = [not failed[place] for place in failed if place[:2] == (suite, mode)]
            shares[suite, mode] = sum(own) / len(own)
            print(f"{suite} {mode}: '{options.word}' passes {100 * shares[suite, mode]:.1f} % of {len(own)} prompts")
    bad = shares["IFBench", "peer"] < 1 / 3 or any(
        share >= 0.02 for (_, mode), share in shares.items() if mode == "strict"
    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
