#!/usr/bin/env python3
"""Costs of programs against their goals, all in one run on one machine.

Measures overhead of runs, starts of modules, compiling, slots and ranks, and for comparison plain subprocess.run and
SandboxFusion's way without isolation. Processor time unless stated otherwise.

  build/venv-python/bin/python bench/programs/goals.py            # with the package, for the ranks
  python3 bench/programs/goals.py --runs 60 --json build/goals.json

A goal that this machine cannot measure has a dash and the reason. The exit code is always 0. Needs a build
(build/release/optgap)."""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile

import run_costs
import step_costs


def wasm_start(runs):
    """Total processor milliseconds of a module that returns at once, on ten instances as in training; else the reason
    for having none."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "start.wat")
        path.write_text("""(module (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
            (memory (export "memory") 1) (data (i32.const 8) "1\\n") (func (export "_start")
            (i32.store (i32.const 0) (i32.const 8)) (i32.store (i32.const 4) (i32.const 2))
            (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 16)))))""")
        looked = subprocess.run(
            [run_costs.BINARY, "sandbox", "--json", "--isolation", "wasm"], capture_output=True, text=True
        )
        isolation_levels = json.loads(looked.stdout)["isolation_levels"] if looked.stdout else []
        if not any(row["usable"] for row in isolation_levels):
            return None, "wasm does not hold here"
        rows = [row for _ in range(max(1, runs // 10)) for row in run_costs.sandboxed("wasm", str(path), 10)]
        return sum(row["cpu_ms"] for row in rows) / len(rows), ""


def ranks():
    try:
        import optgap  # noqa: F401
    except ImportError:
        return None, "this Python has no optgap"
    return step_costs.ranks(), ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=150, help="of each kind (default 150)")
    parser.add_argument("--programs", type=int, default=16, help="on ten instances, for the slots (default 16)")
    parser.add_argument("--slots", type=int, default=1)
    parser.add_argument("--json", help="a file for the numbers")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    report = run_costs.measured(options.runs)
    cpu = {(row["language"], row["kind"]): row["cpu_ms"] for row in report["rows"]}
    own = {(row["language"], row["kind"]): row.get("program_cpu_ms", 0) for row in report["rows"]}
    slots = step_costs.slots(options)
    start, no_start = wasm_start(options.runs)
    ranked, no_ranks = ranks()
    rows = []

    def judge(what, unit, value, goal, most=True, why=""):
        met = None if value is None else value <= goal if most else value >= goal
        rows.append({"what": what, "unit": unit, "goal": goal, "at_most": most, "value": value, "met": met, "why": why})

    for language in ("cpp", "python"):
        for isolation_level, goal in (("jail", 3), ("namespaces", 6)):
            judge(
                f"{language}, {isolation_level}: a run beyond its own process",
                "ms",
                cpu[language, isolation_level] - own[language, isolation_level],
                goal,
            )
    judge("python, jail: a whole run, the interpreter's start in it", "ms", cpu["python", "jail"], 5)
    judge("wasm: a run of a module that returns, of ten", "ms", start, 0.3, why=no_start)
    judge("compile C++ that nobody compiled before", "ms", report["compile_fresh_cpu_ms"], 800)
    judge("compile C++ that is known", "ms", report["compile_cached_cpu_ms"], 1)
    judge("slots busy", "%", 100 * slots["busy"], 95, most=False)
    judge("verify, matrix and river of 1,024 x 10", "ms", ranked, 20, why=no_ranks)
    judge(
        "runs a second of 50 ms programs, ours over plain", "x", slots["runs_a_second"] / slots["plain"], 3, most=False
    )
    print(
        f"\nload {load:.1f} before, {os.getloadavg()[0]:.1f} after; {os.cpu_count()} processors; {options.runs} runs of each kind"
    )
    for kind in sorted({kind for _, kind in cpu}):
        spent = [
            f"{language} {cpu[language, kind]:.2f} ms" for language in ("cpp", "python") if (language, kind) in cpu
        ]
        print(f"{kind:<12}{'  '.join(spent)}")
    for row in rows:
        value = f"{row['value']:.2f} {row['unit']}" if row["value"] is not None else f"- ({row['why']})"
        print(
            f"{row['what']:<58}{value:>14}   goal {'at most' if row['at_most'] else 'at least'} {row['goal']:g}   "
            + {True: "met", False: "missed", None: ""}[row["met"]]
        )
    if options.json:
        text = json.dumps({"load": load, "costs": report, "goals": rows}, indent=2)
        pathlib.Path(options.json).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
