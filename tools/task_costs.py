#!/usr/bin/env python3
"""What each task costs the tree: lines by what they are, and with --measure the CPU seconds of its build and its tests.

  tools/task_costs.py
  tools/task_costs.py vertex_cover futoshiki --measure     a minute: builds each task alone, afresh, compiler cache off
  tools/task_costs.py tsp clique --cuda build/cuda         what nvcc takes for a task's kernels, by that build's own commands

Lines are those of kernels/tasks/NAME: property (what decides and searches), text (prompts, pictures, files), reference (the
independent form) and tests of its own; frozen rows are counted apart. `oracle` is tests/oracle/tasks/NAME.py. The CPU seconds
are those of tools/task.sh, all processes, without CUDA: the first run less a second that has nothing to build, and the
second. With --cuda: CPU seconds of nvcc and what follows, and kB of device code (as packed in a program), for all cards of that
build. Environment as there: OPTGAP_PREBUILT.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile

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


def cpu_seconds(command, folder=ROOT):
    """Of all its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, env=os.environ | {"CCACHE_DISABLE": "1"}, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def measured(task):
    shutil.rmtree(ROOT / "build/task" / task / "build", ignore_errors=True)
    both, tests = (cpu_seconds(["bash", "tools/task.sh", task]) for _ in range(2))
    return {"build_cpu_s": round(both - tests, 1), "test_cpu_s": round(tests, 1)}


def kernel_commands(build):
    """The compile commands of each task's .cu files, from a build's compile_commands.json."""
    path = ROOT / build / "compile_commands.json"
    if not path.exists():
        sys.exit(f"{path} is missing: expected a build folder with CUDA, as cmake --preset cuda makes")
    commands = {}
    for entry in json.loads(path.read_text(encoding="utf-8")):
        source = pathlib.Path(entry["file"])
        if source.suffix == ".cu" and TASKS in source.parents:
            commands.setdefault(source.relative_to(TASKS).parts[0], []).append((entry["directory"], entry["command"]))
    return commands


def device_code_bytes(object_file):
    said = subprocess.run(["readelf", "-SW", object_file], capture_output=True, text=True, check=True).stdout
    return sum(int(size, 16) for size in re.findall(r"\.nv_fatbin\s+\S+\s+\S+\s+\S+\s+(\S+)", said))


def compiled(commands):
    seconds, size = 0.0, 0
    with tempfile.TemporaryDirectory() as scratch:
        for number, (folder, command) in enumerate(commands):
            out = f"{scratch}/{number}.o"
            words = shlex.split(command)
            words[words.index("-o") + 1] = out
            words = words[next(k for k, word in enumerate(words) if word.endswith("nvcc")) :]  # not a cache's launcher
            seconds += cpu_seconds(words, folder)
            size += device_code_bytes(out)
    return {"nvcc_cpu_s": round(seconds, 1), "device_code_kb": round(size / 1000)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", nargs="*", help="default: all")
    parser.add_argument("--measure", action="store_true", help="builds and tests each")
    parser.add_argument("--cuda", metavar="BUILD", help="compiles each task's kernels by this build folder's commands")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    known = sorted(path.name for path in TASKS.iterdir() if (path / f"{path.name}.cu").exists())
    if unknown := set(options.task) - set(known):
        parser.error(f"no task {', '.join(sorted(unknown))} in kernels/tasks; there are: {' '.join(known)}")
    commands = kernel_commands(options.cuda) if options.cuda else {}
    rows = []
    for task in options.task or known:
        if options.cuda and task not in commands:
            sys.exit(f"{options.cuda}: its commands have no kernels of {task}; is it a build with CUDA of this tree?")
        rows.append(
            {"task": task, **lines_of(task)}
            | (measured(task) if options.measure else {})
            | (compiled(commands[task]) if options.cuda else {})
        )
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
