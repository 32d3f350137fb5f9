#!/usr/bin/env python3
"""How often a random answer is optimal, per task and level: random_answer of each task's module, judged by the program.

  random_answers.py                          every searched declarative task; 100 instances per level, 20 answers each
  random_answers.py --task sat --count 500
  random_answers.py --json build/random.json

A level passes while at most 1 % of its feasible random answers are optimal, up to chance (two standard deviations).
Exit code 1 when one does not. A baseline that is not proven counts as its best answer.
"""

import argparse
import json
import random as randoms
import subprocess
import sys

from rows import BINARY, optgap, task_names
from run import Rate, table
from tasks import MODULES

LEVELS = ["d8", "benchmark", "d20", "d40"]
MOST = 0.01


def declarative_tasks():
    """Declarative tasks, whose generators must meet this limit and whose pages come from `examples`. In class exact a
    random answer is a disturbed right one, so there is nothing to measure."""
    done = subprocess.run([BINARY, "tasks", "--json"], capture_output=True, text=True, check=True)
    return [task["name"] for task in json.loads(done.stdout) if task["examples"] and task["class"] != "exact"]


def measured(task, level, count, answers):
    """With `answers` random ones for each of `count` instances: how many are feasible, and how many optimal."""
    random = randoms.Random(f"{task} {level} random answers")
    made = optgap("generate", task, "--level", level, "--count", str(count))
    best = [row["objective"] for row in optgap("solve", "-", rows=[{"key": row["key"]} for row in made])]
    drawn = [
        {"key": row["key"], "answer": MODULES[task].random_answer(row["instance"], random)}
        for row in made
        for _ in range(answers)
    ]
    found = {"task": task, "level": level, "answers": len(drawn), "feasible": 0, "optimal": 0}
    for place, row in enumerate(optgap("verify", "-", rows=drawn)):
        found["feasible"] += row["feasible"]
        found["optimal"] += row["feasible"] and row["objective"] == best[place // answers]
    share = found["optimal"] / max(1, found["feasible"])
    found["passes"] = share <= MOST + 2 * (MOST / max(1, found["feasible"])) ** 0.5
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--task", action="append", help="default: every declarative task whose answers are not computed"
    )
    parser.add_argument("--level", action="append", help=f"default: {' '.join(LEVELS)}")
    parser.add_argument("--count", type=int, default=100, help="instances a level")
    parser.add_argument("--answers", type=int, default=20, help="random answers to each instance")
    parser.add_argument("--json", help="writes all counts into this file")
    options = parser.parse_args()
    known = [name for name in task_names() if name in MODULES]
    if unknown := set(options.task or []) - set(known):
        parser.error(f"no module here for {', '.join(sorted(unknown))}; there are: {' '.join(known)}")
    results = []
    for task in options.task or declarative_tasks():
        for level in options.level or LEVELS:
            results.append(measured(task, level, options.count, options.answers))
            print(f"{task} {level}", file=sys.stderr)
    rows = [
        [
            row["task"],
            row["level"],
            row["answers"],
            row["feasible"],
            row["optimal"],
            str(Rate(row["optimal"], row["feasible"])),
            "yes" if row["passes"] else "NO",
        ]
        for row in results
    ]
    print(table(["task", "level", "answers", "feasible", "optimal", "of feasible (95 %)", "passes"], rows))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)
    return 0 if all(row["passes"] for row in results) else 1


if __name__ == "__main__":
    sys.exit(main())
