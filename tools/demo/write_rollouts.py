#!/usr/bin/env python3
"""Writes tools/demo/rollouts.jsonl: completions like those of language models, right and wrong.

Run it again after a generator has changed its version. The demo and its test read the result.

  tools/demo/write_rollouts.py [--binary build/release/optgap]
"""

import argparse
import json
import pathlib
import random
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

STORIES = {
    "tsp": {
        "open": "We need a short closed tour through {n} cities. The distances are symmetric, so the direction does not matter.",
        "steps": [
            "Starting at city {a}, the nearest unvisited city is {b} at distance {w}.",
            "Going {a} -> {b} costs {w}, while {b} -> {c} would cost more, so keep this edge.",
            "Check a 2-opt exchange around {a} and {c}: the sum changes from {w} to {v}, and {v} < {w}, so we swap.",
            "If city {c} moves between {a} and {b}, the detour is only {v}.",
        ],
        "close": "Every city appears exactly once and we return to the start, so this tour is valid.",
        "noun": "tour",
    },
    "knapsack": {
        "open": "There are {n} items and one capacity. I want the largest total value, so let me look at value per weight.",
        "steps": [
            "Item {a} has ratio about 1.{w}, item {b} about 1.{v}; take item {a} first.",
            "After items {a} and {b} the remaining capacity is {w}{v}, so item {c} still fits.",
            "Swapping item {b} for item {c} gains {v} in value and uses {w} more weight. Since {v} < {w}, hmm, not obviously good.",
            "Item {c} is heavy. Without it we could take {a} and {b} together.",
        ],
        "close": "The total weight stays within the capacity, so the selection is feasible.",
        "noun": "selection",
    },
    "independent_set": {
        "open": "We look for as many vertices as possible with no edge between any two of them, out of {n}.",
        "steps": [
            "Vertex {a} has few neighbours, so include it and cross out everything adjacent to it.",
            "Vertices {a} and {b} are not adjacent, good. But {c} is adjacent to {b}, so skip {c}.",
            "If we drop {b} we could add {a} and {c} instead: 2 > 1, so the exchange helps.",
            "Degree of {a} is {w}, degree of {c} is {v}. Prefer the smaller one.",
        ],
        "close": "No two of the chosen vertices share an edge.",
        "noun": "set",
    },
}


def reasoning(task, size, sentences, rng):
    story = STORIES[task]
    text = [story["open"].format(n=size)]
    for number in range(sentences):
        step = rng.choice(story["steps"])
        text.append(
            step.format(
                a=rng.randrange(size),
                b=rng.randrange(size),
                c=rng.randrange(size),
                w=rng.randrange(10, 99),
                v=rng.randrange(10, 99),
            )
        )
        if number % 5 == 4:
            text.append(
                rng.choice(
                    [
                        "Wait, let me double-check that.",
                        "Hmm, is x < y here? Yes.",
                        "Actually, let me recount.",
                        "So far so good.",
                        "Let me try another branch.",
                    ]
                )
            )
            text[-1] += "\n"
    text.append(story["close"])
    return " ".join(text)


def near_miss(task, answer, rng):
    """A feasible answer, a little worse than the optimum."""
    worse = list(answer)
    if task == "tsp":
        at = rng.randrange(1, len(worse) - 3)
        worse[at], worse[at + 2] = worse[at + 2], worse[at]
    else:
        worse.remove(rng.choice(worse))
    return worse


def size_of(task, instance):
    if task == "tsp":
        return len(instance["distances"])
    return len(instance["weights"]) if task == "knapsack" else instance["n"]


def broken_rule(task, instance, answer):
    """An answer that violates the task's rule."""
    if task == "tsp":
        return answer[:-2]
    if task == "knapsack":
        return list(range(len(instance["weights"])))
    taken = set(answer)
    extra = next(
        v for edge in instance["edges"] for v, other in (edge, edge[::-1]) if other in taken and v not in taken
    )
    return answer + [extra]


def completions(task, instance, answer, rng):
    """(name, completion, finish, format) of every kind of rollout."""
    size = size_of(task, instance)
    noun = STORIES[task]["noun"]
    good = json.dumps(answer)
    tight = good.replace(" ", "")

    def think(sentences=6):
        return "<think>\n" + reasoning(task, size, sentences, rng) + "\n</think>\n\n"

    def give(text):
        return "<answer>" + text + "</answer>"

    yield "optimal after long reasoning", think(60) + give(good), "stop", None
    yield "optimal, terse", "<think>Best " + noun + " found by exchange.</think>" + give(tight), "stop", None
    yield "near miss", think(12) + give(json.dumps(near_miss(task, answer, rng))), "stop", None
    yield (
        "near miss, twice perturbed",
        think(9) + give(json.dumps(near_miss(task, near_miss(task, answer, rng), rng))),
        "stop",
        None,
    )
    yield "constant policy", think(2) + give(json.dumps(list(range(size)) if task == "tsp" else [0])), "stop", None
    yield "breaks the task's rule", think(7) + give(json.dumps(broken_rule(task, instance, answer))), "stop", None
    yield "repeats an element", think(4) + give(json.dumps(answer + [answer[1]])), "stop", None
    yield "element outside the instance", think(4) + give(json.dumps(answer[:-1] + [size])), "stop", None
    yield "counts from one", think(4) + give(json.dumps([v + 1 for v in answer])), "stop", None
    yield "no reasoning part", "The best " + noun + " is below.\n" + give(good), "stop", None
    yield "no answer part", think(5) + "So the final answer is " + good + ".", "stop", None
    yield "answer only inside the reasoning", "<think>\nI think it is " + give(good) + "\n</think>\nDone.", "stop", None
    yield (
        "changes its mind",
        think(3) + give(json.dumps(near_miss(task, answer, rng))) + "\nNo wait!\n" + give(good),
        "stop",
        None,
    )
    yield (
        "talks on after the answer",
        think(3) + give(good) + "\n\nI hope this helps! Let me know if you have questions.",
        "stop",
        None,
    )
    yield (
        "refusal",
        "I'm sorry, but this problem is NP-hard and I can't be sure of finding an optimal " + noun + ".",
        "stop",
        None,
    )
    yield "cut off while thinking", think(40)[:900], "length", None
    yield "cut off inside the answer", think(5) + "<answer>" + good[: len(good) // 2], "length", None
    yield "aborted", "", "abort", None
    yield "an expression instead of a list", think(2) + give(f"sorted(range({size}), key=lambda v: v)"), "stop", None
    yield "code instead of a list", think(2) + give("[__import__('os').getpid()]"), "stop", None
    yield "floats", think(2) + give("[" + ", ".join(f"{v}.0" for v in answer) + "]"), "stop", None
    yield "a number past int32", think(2) + give(json.dumps(answer[:-1] + [10**20])), "stop", None
    yield "nested too deep", think(2) + give("[[" + good + "]]"), "stop", None
    yield "unclosed bracket", think(2) + give(good[:-1]), "stop", None
    yield (
        "full-width digits",
        think(2) + give(good.translate(str.maketrans("0123456789", "０１２３４５６７８９"))),
        "stop",
        None,
    )
    yield (
        "marker mentioned in the reasoning",
        "<think>I must write it between <answer> and </answer>.</think>" + give(good),
        "stop",
        None,
    )
    yield "code fence", think(3) + "<answer>\n```json\n" + good + "\n```\n</answer>", "stop", None
    yield "bold, with a label and a full stop", think(3) + "<answer>**Answer: " + good + ".**</answer>", "stop", None
    yield "end-of-turn token", think(3) + give(tight) + "<|im_end|>\n", "stop", None
    yield "boxed", "The exchange argument gives $\\boxed{" + tight + "}$.", "stop", "boxed"
    yield "answer line", "I compared a few options.\n\nANSWER： " + good, "stop", "answer_line"
    yield (
        "template opened the reasoning",
        reasoning(task, size, 5, rng) + "\n</think>\n" + give(good),
        "stop",
        "forge_prefilled",
    )
    yield "no reasoning wanted", give(good), "stop", "answer_only"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=str(ROOT / "build/release/optgap"))
    options = parser.parse_args()
    made = subprocess.run(
        [
            options.binary,
            "generate",
            *STORIES,
            "--level",
            "benchmark",
            "--count",
            "1",
            "--seed",
            "2026",
            "--split",
            "test",
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    solved = subprocess.run(
        [options.binary, "solve", "-"], input=made, capture_output=True, text=True, check=True
    ).stdout
    rows = []
    for line in solved.splitlines():
        row = json.loads(line)
        rng = random.Random(row["key"])
        for what, completion, finish, form in completions(row["task"], row["instance"], row["answer"], rng):
            out = {"key": row["key"], "what": what, "completion": completion, "finish": finish}
            if form:
                out["format"] = form
            rows.append(json.dumps(out, ensure_ascii=False))
    path = ROOT / "tools/demo/rollouts.jsonl"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    print(f"{path.relative_to(ROOT)}: {len(rows)} rollouts")


if __name__ == "__main__":
    main()
