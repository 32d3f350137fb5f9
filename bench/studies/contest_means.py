#!/usr/bin/env python3
"""Means over seeded instances of the tasks with published contest figures, as in their READMEs.

  contest_means.py apples|chests|pairs [--count 150] [--budget STEPS]

The program is build/release/optgap, or what OPTGAP_BINARY names."""

import argparse
import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("OPTGAP_BINARY", str(ROOT / "build/release/optgap"))


def optgap(*arguments, text=None):
    return subprocess.run(
        [PROGRAM, *arguments, "--quiet"], input=text, capture_output=True, text=True, check=True
    ).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task")
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--budget", type=int, help="default: the task's own")
    options = parser.parse_args()
    given = optgap("generate", options.task, "--level", "benchmark", "--split", "test", "--count", str(options.count))
    budget = [] if options.budget is None else ["--budget", str(options.budget)]
    rows = [json.loads(line) for line in optgap("solve", "-", *budget, text=given).splitlines()]
    print(f"{options.task}, {len(rows)} instances of level benchmark, split test, seeds 0 to {len(rows) - 1}")
    for name in ("floor", "greedy", "objective", "bound"):
        found = [row[name] or 0 for row in rows]
        print(f"{name:9}  mean {sum(found) / len(found):12,.1f}   least {min(found):11,}   most {max(found):11,}")
    print(f"proven     {sum(row['proven'] for row in rows)} of {len(rows)}")


if __name__ == "__main__":
    main()
