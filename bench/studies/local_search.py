#!/usr/bin/env python3
"""How much local search improves greedy answers: by task, level and steps the mean ratio to the proven optimum.

  bench/studies/local_search.py max_cut flow_shop [--count 100] [--levels hard benchmark] [--steps 30 300]

A ratio is the smaller of objective and optimum divided by the larger one: 1 is optimal. Only rows with a proven optimum
other than 0 count; their number comes first. Steps per second are of CPU time, from the difference between the most
steps and none.
"""

import argparse
import json
import resource
import subprocess


def run(program, *words, rows=""):
    """The program's rows and its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, *words], input=rows, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode > 1:
        raise SystemExit(done.stderr)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def objectives(text):
    return [json.loads(line).get("objective") for line in text.splitlines()]


def ratio(objective, optimum):
    return min(objective, optimum) / max(objective, optimum)


def mean(values):
    return sum(values) / len(values)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tasks", nargs="+")
    parser.add_argument("--program", default="build/release/optgap")
    parser.add_argument("--count", type=int, default=100, help="instances")
    parser.add_argument("--levels", nargs="+", default=["hard", "benchmark"])
    parser.add_argument("--steps", nargs="+", type=int, default=[30, 300])
    options = parser.parse_args()
    heads = [f"{steps} steps: ratio, optimal" for steps in options.steps]
    print("| task | level | proven | greedy: ratio, optimal |", *(f"{head} |" for head in heads), "steps/s |")
    print("|---" * (5 + len(heads)) + "|")
    for task in options.tasks:
        for level in options.levels:
            made, _ = run(
                options.program, "generate", task, "--level", level, "--count", str(options.count), "--seed", "1"
            )
            proofs, _ = run(options.program, "solve", "-", rows=made)
            solved = [json.loads(line) for line in proofs.splitlines()]
            optima = [row["objective"] if row["status"] == "optimal" else None for row in solved]
            # Without its key, an instance has no planted answer for the solver to start from.
            bare = "".join(
                json.dumps({"task": row["task"], "instance": row["instance"]}) + "\n"
                for row in map(json.loads, made.splitlines())
            )
            greedy, _ = run(options.program, "solve", "-", "--budget", "0", rows=bare)
            columns, spent = [], []
            for steps in [0, *options.steps]:
                found, seconds = run(options.program, "improve", "-", "--steps", str(steps), rows=greedy)
                pairs = [(a, b) for a, b in zip(objectives(found), optima) if a and b]
                ratios = [ratio(a, b) for a, b in pairs]
                columns.append(f"{mean(ratios):.4f}, {100 * mean([value == 1 for value in ratios]):.0f} %")
                moves = sum(json.loads(line)["moves"] or 0 for line in found.splitlines())
                spent.append((seconds, moves))
            rate = (spent[-1][1] - spent[0][1]) / max(1e-9, spent[-1][0] - spent[0][0])
            print(
                f"| {task} | {level} | {len(pairs)} of {len(optima)} |",
                *(f"{text} |" for text in columns),
                f"{rate:.3g} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
