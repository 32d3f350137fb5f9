#!/usr/bin/env python3
"""The cost of scoring dicts: CPU time of `optgap.score` beside that of `Engine.score` of the same answers.

    python bench/python/rows.py [--json] [--check]

64 rows of eight groups with keys, completions and given baselines, warm, on one thread. The rewards are compared before
anything is timed. A case's number is the minimum over rounds of a call's mean, since other processes only add to it. The
goals: 64 rows take at most twice the time of Engine.score, and one row at most 100 µs; --check exits with 1 beyond them.
"""

import argparse
import json
import sys
import time

import optgap

ROWS, GROUP = 64, 8
MAX_RATIO, MAX_ONE_US = 2.0, 100.0
SETTING = {"device": "cpu", "threads": 1}


def measured(chars, rounds=60, calls=20):
    """{case: microseconds of a call} for completions of so many characters."""
    engine = optgap.Engine(**SETTING)
    instances = engine.generate("tsp", level="easy", count=ROWS // GROUP)
    baselines = engine.solve(instances)
    instance_of = [row // GROUP for row in range(ROWS)]
    answers = engine.noisy_greedy(instances, GROUP).tolist()
    texts = [
        f"<think>{row:0{chars}d}</think><answer>{json.dumps(answer)}</answer>" for row, answer in enumerate(answers)
    ]
    keys, records = instances.keys, baselines.records()
    rows = [
        {"key": keys[one], "completion": text, "baseline": dict(records[one])} for one, text in zip(instance_of, texts)
    ]
    scorer = optgap.Scorer(engine)
    lines = [json.dumps({name: row[name] for name in ("key", "baseline")}) for row in rows]
    cases = {
        "Engine.score": lambda: engine.score(instances, texts, baselines, instance_of=instance_of),
        "optgap.score": lambda: optgap.score(rows, **SETTING),
        "Scorer.score": lambda: scorer.score(rows),
        "Scorer.score_columns": lambda: scorer.score_columns(lines, texts),
        "optgap.score of one row": lambda: optgap.score(rows[:1], **SETTING),
    }
    wanted = cases["Engine.score"]().reward.tolist()
    assert [row["reward"] for row in cases["optgap.score"]()] == wanted
    assert cases["Scorer.score_columns"]().reward.tolist() == wanted
    least = dict.fromkeys(cases, float("inf"))
    for _ in range(rounds):
        for name, call in cases.items():
            began = time.process_time_ns()
            for _ in range(calls):
                call()
            least[name] = min(least[name], (time.process_time_ns() - began) / calls / 1000)
    return least


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    found = {chars: measured(chars) for chars in (100, 500, 4000)}
    if options.json:
        print(json.dumps({"rows": ROWS, "microseconds_by_chars": found}, indent=1))
    else:
        print(f"{'microseconds of CPU time':28}" + "".join(f"{chars:>8} chars" for chars in found))
        for name in found[100]:
            print(f"{name:28}" + "".join(f"{found[chars][name]:14.1f}" for chars in found))
    worst = max(of["optgap.score"] / of["Engine.score"] for of in found.values())
    one = max(of["optgap.score of one row"] for of in found.values())
    met = worst <= MAX_RATIO and one <= MAX_ONE_US
    print(
        f"optgap.score takes {worst:.2f} times Engine.score, one row {one:.1f} µs: goals {'met' if met else 'missed'}"
    )
    return 0 if met or not options.check else 1


if __name__ == "__main__":
    sys.exit(main())
