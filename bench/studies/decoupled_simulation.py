#!/usr/bin/env python3
"""How much of an advantage depends on quality, when one row of sixteen is infeasible: docs/advantages.md."""

import json
import os
import random
import subprocess

OPTGAP = os.environ.get("OPTGAP_BINARY", "build/release/optgap")
GROUPS, SIZE = 4000, 16


def rows():
    random.seed(1)
    for group in range(GROUPS):
        for k in range(SIZE):
            feasible = k > 0
            quality = min(1.0, random.gauss(0.95, 0.02)) if feasible else None
            yield {
                "group": group,
                "feasible": int(feasible),
                "quality": quality,
                "reward": 1 + quality if feasible else -0.5,
            }


def advantages(all_rows, estimator):
    text = "".join(json.dumps(row) + "\n" for row in all_rows)
    done = subprocess.run(
        [OPTGAP, "advantages", "-", "--estimator", estimator, "--quiet"],
        input=text,
        text=True,
        capture_output=True,
        check=True,
    )
    return [json.loads(line)["advantage"] for line in done.stdout.splitlines()]


def variance(values):
    mean = sum(values) / len(values)
    return sum((x - mean) ** 2 for x in values) / len(values)


def correlation(xs, ys):
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    covariance = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / len(xs)
    return covariance / (variance(xs) * variance(ys)) ** 0.5


def main():
    all_rows = list(rows())
    print(f"{'estimator':10} {'variance from quality':>22} {'spread of feasible rows':>24} {'correlation':>12}")
    for estimator in ("grpo", "decoupled"):
        found = advantages(all_rows, estimator)
        # Within a group only quality distinguishes the feasible rows.
        within = []
        for group in range(GROUPS):
            members = found[group * SIZE + 1 : (group + 1) * SIZE]
            mean = sum(members) / len(members)
            within += [x - mean for x in members]
        share = sum(x * x for x in within) / sum(x * x for x in found)
        feasible = [(row["quality"], x) for row, x in zip(all_rows, found) if row["feasible"]]
        print(
            f"{estimator:10} {100 * share:20.1f} % {variance(within) ** 0.5:24.3f} "
            f"{correlation([q for q, _ in feasible], [x for _, x in feasible]):12.3f}"
        )


if __name__ == "__main__":
    main()
