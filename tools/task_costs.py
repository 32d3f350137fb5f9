#!/usr/bin/env python3
"""What each task costs the tree: lines by what they are, and with --measure the CPU seconds of its build and its tests.

  tools/task_costs.py
  tools/task_costs.py vertex_cover futoshiki --measure     a minute: builds each task alone, afresh, compiler cache off

Lines are those of kernels/tasks/NAME: law (what decides and searches), text (prompts, pictures, files), reference (the
independent form) and tests of its own; frozen rows are counted apart. `oracle` is tests/oracle/tasks/NAME.py. The CPU seconds
are those of tools/task.sh, all processes, without CUDA: the first run less a second that has nothing to build, and the
second. Environment as there: OPTGAP_PREBUILT.
"""

import argparse
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TASKS = ROOT / "kernels/tasks"
KINDS = ("law", "text", "reference", "tests", "frozen", "oracle")


def kind_of(path, task):
    """None: no code and no rows."""
    if path.suffix == ".jsonl" or path.name == "golden_hash.json":
        return "frozen"
    if path.suffix not in (".hpp", ".cu", ".cpp"):
        return None
    if path.stem.endswith("_test"):
        return "tests"
    rest = path.stem.removeprefix(task)
    if rest.startswith("_reference"):
        return "reference"
    return "text" if path.suffix == ".cpp" or rest.startswith(("_text", "_picture", "_files")) else "law"


def lines_of(task):
    lines = dict.fromkeys(KINDS, 0)
    for path in sorted((TASKS / task).rglob("*")):
        kind = kind_of(path, task) if path.is_file() else None
        if kind:
            lines[kind] += len(path.read_bytes().splitlines())
    oracle = ROOT / "tests/oracle/tasks" / f"{task}.py"
    if oracle.exists():
        lines["oracle"] = len(oracle.read_bytes().splitlines())
    return lines


def cpu_seconds(command):
    """Of all its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=ROOT, env=os.environ | {"CCACHE_DISABLE": "1"}, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def measured(task):
    shutil.rmtree(ROOT / "build/task" / task / "build", ignore_errors=True)
    both, tests = (cpu_seconds(["bash", "tools/task.sh", task]) for _ in range(2))
    return {"build_cpu_s": round(both - tests, 1), "test_cpu_s": round(tests, 1)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", nargs="*", help="default: all")
    parser.add_argument("--measure", action="store_true", help="builds and tests each")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    known = sorted(path.name for path in TASKS.iterdir() if (path / f"{path.name}.cu").exists())
    if unknown := set(options.task) - set(known):
        parser.error(f"no task {', '.join(sorted(unknown))} in kernels/tasks; there are: {' '.join(known)}")
    rows = []
    for task in options.task or known:
        rows.append({"task": task, **lines_of(task), **(measured(task) if options.measure else {})})
    if options.json:
        print(json.dumps(rows, indent=1))
        return
    names = list(rows[0])
    cells = [[name.replace("_", " ") for name in names]] + [[str(row[name]) for name in names] for row in rows]
    number = [sorted(row[name] for row in rows) for name in names[1:]]
    cells.append(["median", *(str(values[len(values) // 2]) for values in number)])
    widths = [max(len(row[at]) for row in cells) for at in range(len(names))]
    for row in cells:
        print("  ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]))


if __name__ == "__main__":
    main()
