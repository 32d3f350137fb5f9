#!/usr/bin/env python3
"""Rubrics on one core in process CPU time, beside the plain Python reference on the same texts.

  build/venv-python/bin/python bench/rubrics/bench_rubrics.py [--rubrics 64] [--group 8]
  python3 bench/rubrics/bench_rubrics.py --binary build/release/optgap_check_rows     without the package: the engine alone

Texts of about 4 kB of made-up English-like words, 6 points x 3 references x 6 keywords, 6 checks. The engine's figures
are for content alone, with checks (preset paper), and also with gates (preset ours)."""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/oracle/rubrics"))

STYLE = [{"check": "words", "in": [300, 900]}, {"check": "sentences", "min": 10}, {"check": "paragraphs", "min": 3},
         {"check": "bullets", "max": 20}, {"check": "headings", "max": 5}, {"check": "contains", "any": ["as an AI"], "min": 0}]  # fmt: skip


def vocabulary(draw, count):
    letters = "etaoinshrdlucmfwypvbgkqjxz"
    return ["".join(draw.choices(letters, range(26, 0, -1), k=draw.randint(2, 10))) for _ in range(count)]


def text(draw, words, weights, count):
    parts = []
    for place, word in enumerate(draw.choices(words, weights, k=count)):
        parts.append(word.capitalize() if place % 14 == 0 else word)
        parts.append(". " if place % 14 == 13 else "\n\n" if place % 90 == 89 else " ")
    return "".join(parts)


def case(draw, words, weights):
    references = [text(draw, words, weights, 600) for _ in range(3)]
    rare = [sorted({word for word in one.lower().replace(".", "").split() if len(word) > 4}) for one in references]
    points = [[draw.sample(rare[at], 6) for at in range(3)] for _ in range(6)]
    return references, points


def rubric(references, points, preset, style):
    lists = [{"references": [{"keywords": words} for words in point]} for point in points]
    return {
        "chain": {"chain": 1, "preset": preset, "references": references, "content": {"points": lists}, "style": style}
    }


def measured(call, rounds):
    best = float("inf")
    for _ in range(rounds):
        begin = time.process_time()
        call()
        best = min(best, time.process_time() - begin)
    return best


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rubrics", type=int, default=64)
    options.add_argument("--group", type=int, default=8)
    options.add_argument("--binary", help="measure by this program (optgap_check_rows), not through the package")
    options.add_argument("--json", action="store_true")
    chosen = options.parse_args()

    import twin

    if chosen.binary is None:
        from optgap.data.rubrics import Rubrics

    draw = random.Random(1)
    words = vocabulary(draw, 3000)
    weights = [1 / (place + 1) for place in range(len(words))]
    cases = [case(draw, words, weights) for _ in range(chosen.rubrics)]
    texts = [text(draw, words, weights, 620) for _ in range(chosen.rubrics * chosen.group)]
    which = [row // chosen.group for row in range(len(texts))]
    size = sum(map(len, texts)) / len(texts)
    found = {"bytes": round(size), "texts": len(texts)}
    for name, preset, style in (("content", "paper", []), ("content and 6 checks", "paper", STYLE),
                                ("content, 6 checks and gates", "ours", STYLE)):  # fmt: skip
        rows = [rubric(references, points, preset, style) for references, points in cases]
        if chosen.binary is not None:
            asked = json.dumps({"chains": [row["chain"] for row in rows], "texts": texts, "chain_of": which})
            answer = subprocess.run(
                [chosen.binary, "--rubrics"], input=asked + "\n", capture_output=True, text=True, check=True
            )
            found[name] = json.loads(answer.stdout)["microseconds"]
            continue
        begin = time.process_time()
        rubrics = Rubrics.compile(rows)
        found["microseconds to compile a rubric"] = (time.process_time() - begin) / len(rows) * 1e6
        found[name] = measured(lambda rubrics=rubrics: rubrics.score(texts, which), 5) / len(texts) * 1e6
    some = range(0, len(texts), max(1, len(texts) // 64))

    def by_twin():
        for row in some:
            references, points = cases[which[row]]
            twin.paper_content(points, references, texts[row])

    found["content by the twin"] = measured(by_twin, 2) / len(some) * 1e6
    if chosen.json:
        print(json.dumps(found))
        return
    print(f"{found.pop('texts')} texts of {found.pop('bytes')} bytes; microseconds a text on one core")
    for name, value in found.items():
        print(f"  {name:34} {value:10.1f}")


if __name__ == "__main__":
    main()
