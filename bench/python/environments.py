#!/usr/bin/env python3
"""The time of a training step's verdicts: 384 problems of others' environments, 16 completions each.

    python bench/python/environments.py [--json] [--check] [--task NAME ...]

The tasks are RLVE's collection C₁₆, where a checkout is on Python's path or in OPTGAP_RLVE, unless --task names others that
OPTGAP_EXTERNAL knows. Half of the completions are an environment's own reference. Three ways, whose verdicts are compared
before anything is timed: each environment called in this process; the pool, whose workers stand for as many cores as there
are; and `evaluate`, which finds the answers before and rewards the verdicts behind it. A way's number is the least of the
rounds. The goal: the pool's 6,144 verdicts take at most 0.3 s on two cores; --check exits with 1 beyond it.
"""

import argparse
import json
import os
import sys
import time

if folder := os.environ.get("OPTGAP_RLVE"):
    sys.path.insert(0, folder)

import optgap.rows.external as external
from optgap.data.suites import load
from optgap.rows.external.calls import Call
from optgap.rows.external.worker import Environment
from optgap.trainers.common.evaluation import evaluate

PROBLEMS, GROUP = 384, 16
MAX_SECONDS = 0.3


def problems(tasks, level):
    """[(task, canonical problem, ground truth, reference)]: those that are made, cut to PROBLEMS."""
    pool = external.workers()
    each = -(-PROBLEMS // len(tasks))
    rows = external.rows_or_none([task for task in tasks for _ in range(each)], [level] * (each * len(tasks)),
                                 list(range(each)) * len(tasks), format="answer_only")  # fmt: skip
    truths = [row.ground_truth for row in rows if row is not None][:PROBLEMS]
    read = [external.read(json.loads(truth)) for truth in truths]
    golds = pool.run([Call(one.key.task, "gold", (one.problem,)) for one in read])
    return [(one.key.task, one.problem, truth, gold.value or "7") for one, truth, gold in zip(read, truths, golds)]


def in_process(asked, answers):
    """Verdicts of environments that this process loads itself, and the seconds they took."""
    loaded = {}
    for task in dict.fromkeys(task for task, *_ in asked):
        loaded[task] = Environment()
        loaded[task].load(*external.workers().settings.source(task))

    def run():
        return [
            loaded[task].verify(problem, text)[:2]
            for (task, problem, *_), texts in zip(asked, answers)
            for text in texts
        ]

    return run


def measured(tasks, level, rounds):
    """{way: seconds of all verdicts}."""
    asked = problems(tasks, level)
    answers = [
        [reference if row % 2 else f"{row} {place}" for row in range(GROUP)]
        for place, (*_, reference) in enumerate(asked)
    ]
    calls = [
        Call(task, "verify", (problem, text)) for (task, problem, *_), texts in zip(asked, answers) for text in texts
    ]
    completions = [f"<answer>{text}</answer>" for texts in answers for text in texts]
    truths = [truth for *_, truth, _ in asked for _ in range(GROUP)]
    pool = external.workers()
    ways = {
        "in this process": in_process(asked, answers),
        "pool": lambda: [outcome.value for outcome in pool.run(calls)],
        "evaluate": lambda: evaluate(completions, truths, reward="environment"),
    }
    assert ways["in this process"]() == ways["pool"](), "verdicts differ"
    ways["evaluate"]()
    least = dict.fromkeys(ways, float("inf"))
    for _ in range(rounds):
        for name, run in ways.items():
            began = time.perf_counter()
            run()
            least[name] = min(least[name], time.perf_counter() - began)
    return len(calls), least


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--task", action="append")
    parser.add_argument("--level", default="d2")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    tasks = options.task or [entry.task for entry in load("rlve_c16").entries]
    os.environ.setdefault("OPTGAP_RLVE_VERSION", "73cccd9")
    external.configure(trusted=True)
    count, found = measured(tasks, options.level, options.rounds)
    met = found["pool"] <= MAX_SECONDS
    if options.json:
        print(json.dumps({"verdicts": count, "tasks": len(tasks), "workers": external.workers().settings.workers,
                          "seconds": found, "met": met}))  # fmt: skip
    else:
        print(f"{count} verdicts, {len(tasks)} environments, {external.workers().settings.workers} workers")
        for name, seconds in found.items():
            print(f"{name:16}{seconds:8.3f} s {count / seconds:12,.0f} / s")
        print(f"goal of {MAX_SECONDS} s for the pool: {'met' if met else 'missed'}")
    return 0 if met or not options.check else 1


if __name__ == "__main__":
    sys.exit(main())
