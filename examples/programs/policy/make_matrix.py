#!/usr/bin/env python3
"""Runs every program of this folder on hidden instances of several scales and writes what they got: the matrix that
`python -m optgap.examples.river_bandit` learns from (docs/river.md).

  python3 examples/programs/policy/make_matrix.py
  python3 examples/programs/policy/make_matrix.py --only careful floor --out build/slice.json

Of each task: three easy, three medium and three hard instances as they are drawn, and one in a finer unit, whose numbers are all
multiplied (millimetres for metres, milligrams for decagrams). Needs a build (build/release/optgap) and an isolation level of `optgap sandbox`.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent.parent
OPTGAP = os.environ.get("OPTGAP_BINARY", str(ROOT / "build/release/optgap"))
MATRIX = ROOT / "python/optgap/examples/river_matrix.json"
# Level, first seed, how many, and what every number is multiplied by.
DRAWN = {
    "tsp": [("easy", 12, 3, 1), ("medium", 11, 3, 1), ("hard", 11, 3, 1), ("d40", 11, 1, 1000)],
    "knapsack": [("easy", 19, 3, 1), ("medium", 11, 3, 1), ("hard", 11, 3, 1), ("easy", 22, 1, 100_000)],
}


def optgap(*words, stdin=""):
    done = subprocess.run([OPTGAP, *words, "--quiet"], input=stdin, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"make_matrix: optgap {words[0]}: {done.stderr.strip() or done.stdout[:400]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def multiplied(value, unit):
    if isinstance(value, dict):
        return {name: multiplied(part, unit) for name, part in value.items()}
    return [multiplied(part, unit) for part in value] if isinstance(value, list) else value * unit


def instances(task):
    """What is said of each instance, and the instances."""
    said, drawn = [], []
    for level, seed, count, unit in DRAWN[task]:
        for row in optgap("generate", task, "--level", level, "--seed", str(seed), "--count", str(count)):
            said.append({"key": row["key"], "unit": unit})
            drawn.append(multiplied(row["instance"], unit))
    return said, drawn


def sources(task, only):
    """The programs by name; of those asked for, the ones that this task has."""
    files = sorted((FOLDER / task).glob("*.*"))
    return [file for file in files if file.suffix in {".py", ".cpp"} and (only is None or file.stem in only)]


def matrix(task, only, isolation, slots):
    said, drawn = instances(task)
    files = sources(task, only)
    rows = []
    for file in files:
        language = "cpp" if file.suffix == ".cpp" else "python"
        text = file.read_text(encoding="utf-8").rstrip()
        rows.append(
            {
                "task": task,
                "instances": drawn,
                "language": language,
                "limits": "train",
                "completion": f"```{language}\n{text}\n```",
            }
        )
    made = optgap(
        "score",
        "-",
        "--isolation",
        isolation,
        "--slots",
        str(slots),
        "--advantage",
        "raw",
        "--matrix",
        stdin="".join(json.dumps(row) + "\n" for row in rows),
    )
    if any(row["masked"] for row in made):
        sys.exit("make_matrix: a run was lost to the machine: repeat")
    programs = [
        {"name": file.name, "hash": row["program"]["hash"], "codes": row["codes"], "objectives": row["objectives"]}
        for file, row in zip(files, made)
    ]
    return {"sense": made[0]["sense"], "instances": said, "programs": programs}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these programs alone, without their endings")
    parser.add_argument("--tasks", nargs="+", choices=sorted(DRAWN), default=sorted(DRAWN))
    parser.add_argument("--isolation", default="auto", help="default: auto")
    parser.add_argument("--slots", type=int, default=1, help="programs at once; default: 1")
    parser.add_argument("--out", type=pathlib.Path, default=MATRIX, help="default: the file in the package")
    options = parser.parse_args()
    made = {task: matrix(task, options.only, options.isolation, options.slots) for task in options.tasks}
    options.out.write_text(
        json.dumps(made, separators=(",", ":")).replace('{"name"', '\n{"name"') + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
