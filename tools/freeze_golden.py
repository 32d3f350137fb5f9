#!/usr/bin/env python3
"""Writes kernels/tasks/NAME/golden.jsonl: frozen rows (key, answer, verdict, baseline, an answer of
noisy greedy) that later builds must repeat; and golden_hash.json beside it, the hashes that `optgap demo --hash` expects.

Of an answer of more than 5,000 characters only three rows are frozen, of one of more than 20,000 none: golden_hash.json has it.

A changed generator, verifier or solver claim shows up as a diff of these files: review it before committing.

  tools/freeze_golden.py            every task
  tools/freeze_golden.py tsp        one task
"""

import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEVELS = ["easy", "medium", "hard", "benchmark", "d0", "d5", "d10"]
SEEDS = 2
LONG, TOO_LONG = 5_000, 20_000  # characters of an answer


def optgap(binary, arguments, rows=None):
    text = None if rows is None else "".join(json.dumps(row) + "\n" for row in rows)
    done = subprocess.run([binary, *arguments], input=text, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{binary} {' '.join(arguments)} failed:\n{done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def spoiled(answer):
    """The answer itself, then what a model that slips would write."""
    yield answer
    if isinstance(answer, list) and answer and not isinstance(answer[0], list):
        yield answer[:-1]
        yield answer + answer[:1] + answer[:1]
        yield [answer[-1]] + answer[1:]
        yield answer[:1] + [-1] + answer[1:]
        yield [answer]
    elif isinstance(answer, list) and answer:
        first, last = answer[0], answer[-1]
        yield answer[:-1]
        yield answer + [first]
        yield [last, *answer[1:]]
        yield [first[:-1], *answer[1:]]
        yield [[-1, *first[1:]], *answer[1:]]
        yield [[last[0], *first[1:]], *answer[1:]]
        yield first
    yield []


def golden_rows(binary, task):
    for level in LEVELS:
        made = optgap(
            binary, ["generate", task, "--level", level, "--count", str(SEEDS), "--seed", "7", "--split", "test"]
        )
        keys = [{"key": row["key"]} for row in made]
        noisy = optgap(binary, ["solve", "-", "--budget", "0", "--noisy", "1"], keys)
        # By instance: a key's proof may be its plant, which took no search at all.
        solved = optgap(binary, ["solve", "-"], [{"task": task, "instance": row["instance"]} for row in made])
        for key, draws, row in zip(keys, noisy, solved):
            row |= key | {"noisy": draws["noisy"]}
            length = len(json.dumps(row["answer"]))
            if length > TOO_LONG:
                continue
            answers = list(spoiled(row["answer"]))[: 3 if length > LONG else None]
            verdicts = optgap(binary, ["verify", "-"], [{"key": row["key"], "answer": answer} for answer in answers])
            for place, verdict in enumerate(verdicts):
                frozen = {
                    name: verdict[name]
                    for name in ("key", "answer", "objective", "code", "where", "violation", "violation_max")
                }
                if place == 0:
                    frozen["baseline"] = {
                        name: row[name] for name in ("objective", "bound", "proven", "floor", "greedy", "steps")
                    }
                    frozen["noisy"] = row["noisy"][0]
                yield frozen


def golden_hash(found, task):
    """One line: the task's hashes among what `optgap demo --hash --json` found."""
    row = next(row for row in found["tasks"] if row["task"] == task)
    return json.dumps({name: row[name] for name in ("version", "benchmark_set", "verdicts")}) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", nargs="*", help="task names; none: every folder under kernels/tasks")
    parser.add_argument("--binary", default=str(ROOT / "build/release/optgap"))
    parser.add_argument("--tasks-dir", type=pathlib.Path, default=ROOT / "kernels/tasks")
    options = parser.parse_args()
    hashes = subprocess.run([options.binary, "demo", "--hash", "--json", "--quiet"], capture_output=True, text=True)
    if hashes.returncode not in (0, 1):  # 1: they are not those that the program was built with
        sys.exit(f"{options.binary} demo --hash failed:\n{hashes.stderr}")
    found = json.loads(hashes.stdout)
    for task in options.task or sorted(folder.name for folder in options.tasks_dir.iterdir() if folder.is_dir()):
        path = options.tasks_dir / task / "golden.jsonl"
        rows = list(golden_rows(options.binary, task))
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        path.with_name("golden_hash.json").write_text(golden_hash(found, task))
        print(f"{path.relative_to(options.tasks_dir.parent)}: {len(rows)} rows, and golden_hash.json")


if __name__ == "__main__":
    main()
