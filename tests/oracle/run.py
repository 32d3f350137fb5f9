#!/usr/bin/env python3
"""Independent evidence: optima against other solvers; verdicts, rewards and relabelled copies against the definitions
rewritten in Python.

  run.py                      in full: 100,000 mutated answers per task
  run.py --quick              the sample of continuous integration, with a seed from the commit (tools/oracle.sh)
  run.py --task tsp --answers 1000000 --json build/oracle.json

Exit code 1 when anything differs.
"""

import argparse
import json
import sys
import time
from importlib.metadata import version

import answers
import optima
import pools
import twins
from rates import Rate
from rows import task_names
from tasks import MODULES

FULL = {
    "per_level": 20,
    "benchmark": 50,
    "steps": [0, 2, 5, 8, 12, 16, 20, 25, 30, 40],
    "per_step": 4,
    "odd_count": 120,
    "answers": 100_000,
    "completions": 5_000,
    "twins": 5_000,
    "limit": 10.0,
}
QUICK = {
    "per_level": 1,
    "benchmark": 1,
    "steps": [0, 9],
    "per_step": 1,
    "odd_count": 8,
    "answers": 500,
    "completions": 60,
    "twins": 30,
    "limit": 0.2,
}
TOOLS = ["ortools", "highspy", "igraph", "networkx"]


def table(header, rows):
    cells = [header] + [[f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    lines = [
        "  ".join(
            cell.ljust(width) if column < 2 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths))
        ).rstrip()
        for row in cells
    ]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


def check_task(task, size, seed):
    begin = time.monotonic()
    items, refused = pools.pool(
        task, size["per_level"], size["benchmark"], size["steps"], size["per_step"], size["odd_count"], seed
    )
    reports, wrong = optima.check(task, items, size["limit"])
    middle = time.monotonic()
    verdicts, more = answers.check(task, items, size["answers"], size["completions"], seed)
    more += twins.check(task, items, size["twins"], seed, verdicts)
    return {
        "task": task,
        "optima": reports,
        "answers": verdicts,
        "mismatches": wrong + more,
        "refused": [{"name": item.row["name"], "error": item.solved["error"]} for item in refused],
        "seconds": {"optima": round(middle - begin, 1), "answers": round(time.monotonic() - middle, 1)},
    }


def optima_table(results):
    header = [
        "task",
        "instances",
        "number",
        "ours proven",
        "CP-SAT proven",
        "equal",
        "CP-SAT open",
        "others proven",
        "equal",
        "others open",
        "peers wrong",
        "peers verified",
        "mismatches",
    ]
    rows = []
    for result in results:
        for group, report in result["optima"].items():
            both = {side: report[f"{side} optimal"] + report[f"{side} infeasible"] for side in ("CP-SAT", "others")}
            rows.append(
                [
                    result["task"],
                    group,
                    report["instances"],
                    report["proven"],
                    both["CP-SAT"],
                    report["CP-SAT equal"],
                    report["CP-SAT feasible"] + report["CP-SAT unknown"],
                    both["others"],
                    report["others equal"],
                    report["others feasible"] + report["others unknown"],
                    report["peer's answer is wrong"],
                    report["peers' answers verified"],
                    report["mismatches"],
                ]
            )
    return table(header, rows)


def answers_table(results):
    header = [
        "task",
        "",
        "answers",
        "feasible",
        "fields compared",
        "completions",
        "twins",
        "error rows",
        "unjudged",
        "mismatches",
    ]
    return table(
        header,
        [
            [
                result["task"],
                "",
                report["answers"],
                report["feasible"],
                report["fields"],
                report["completions"],
                report["twins"],
                report["error rows"],
                report["unjudged"],
                rate_of([result]).found,
            ]
            for result in results
            for report in [result["answers"]]
        ],
    )


def rate_of(results):
    """How many mutated answers, completions and relabelled copies got another verdict."""
    found = sum(row["check"] != "optimum" for result in results for row in result["mismatches"])
    tried = sum(result["answers"][kind] for result in results for kind in ("answers", "completions", "twins"))
    return Rate(min(found, tried), tried)  # a row may have two mismatches


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--task", action="append", help="default: every task of the program that has a module here")
    parser.add_argument("--answers", type=int, help="mutated answers per task")
    parser.add_argument("--limit", type=float, help="of CP-SAT, in its deterministic time: about seconds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", metavar="FILE", help="counts and mismatches")
    options = parser.parse_args()
    size = dict(QUICK if options.quick else FULL)
    for name in ("answers", "limit"):
        if getattr(options, name) is not None:
            size[name] = getattr(options, name)

    built = task_names()
    without = [task for task in built if task not in MODULES]
    results = []
    for task in options.task or [task for task in built if task in MODULES]:
        results.append(check_task(task, size, options.seed))
        print(f"{task}: {len(results[-1]['mismatches'])} mismatches, {results[-1]['seconds']} s", file=sys.stderr)

    tools = {name: version(name) for name in TOOLS}
    print(f"seed {options.seed}; CP-SAT limit {size['limit']}; " + ", ".join(f"{k} {v}" for k, v in tools.items()))
    print("\nOptima: optgap solve against other solvers\n\n" + optima_table(results))
    print(
        "\nMutated answers: optgap verify and score against the definition in plain Python\n\n" + answers_table(results)
    )
    for result in results:
        for refused in result["refused"]:
            print(
                f"refused on entry: {result['task']}, {refused['name']}: {refused['error']['field']} "
                f"{refused['error']['rule']}"
            )
        for mismatch in result["mismatches"][:5]:
            print(f"MISMATCH {result['task']}: {json.dumps(mismatch)[:1500]}")
    for task in without:
        print(f"no module for {task}: not checked")
    total = sum(len(result["mismatches"]) for result in results)
    print(f"\n{len(results)} tasks, {sum(r['answers']['answers'] for r in results):,} answers, {total} mismatches")
    if results:
        least = max((rate_of([result]) for result in results), key=lambda rate: rate.below)
        print(
            f"judged otherwise, of answers, completions and twins like these: {rate_of(results).claim()}; "
            f"of one task's: {least.claim()}"
        )
    if options.json:
        with open(options.json, "w", encoding="utf-8") as out:
            json.dump({"size": size, "seed": options.seed, "tools": tools, "results": results}, out, indent=1)
    return 1 if total or not results else 0


if __name__ == "__main__":
    sys.exit(main())
