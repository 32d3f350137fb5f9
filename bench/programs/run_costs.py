#!/usr/bin/env python3
"""What a run costs in the sandbox, beside the same program started by subprocess.run; processor time, since wall time has neighbours.

  python3 bench/programs/run_costs.py
  python3 bench/programs/run_costs.py --runs 1000 --json build/run_costs.json

Of each kind: processor milliseconds of everything (engine, broker, bubblewrap, child) for a run, less those of the empty form
of the same command. `plain`: the same executable, or `python3 -I -S`, by subprocess.run with a pipe on stdin and both outputs.
Compilations: of a program that nobody compiled before, of one compiled in an earlier process, and of one without the precompiled
header. Needs a build (build/release/optgap)."""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BINARY = os.environ.get("OPTGAP_BINARY", str(ROOT / "build/release/optgap"))
PROGRAMS = {"cpp": '#include <cstdio>\nint main() { std::puts("1"); }\n', "python": "print(1)\n"}


def cost(act):
    """Processor and wall seconds of all children that `act` starts and waits for."""
    def used():
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        return now.ru_utime + now.ru_stime
    before, start = used(), time.perf_counter()
    act()
    return used() - before, time.perf_counter() - start


def sandboxed(rung, path, runs):
    done = subprocess.run([BINARY, "sandbox", "--json", "--isolation", rung, "--slots", "1", "--repeat", str(runs), "--run", path],
                          capture_output=True, text=True)
    rows = json.loads(done.stdout).get("runs", [])
    if len(rows) != runs or any(row["code"] != "ok" for row in rows):
        sys.exit(f"run_costs: {rung}: {done.stderr or rows[:1]}")
    return rows


def plain(words, runs):
    own = resource.getrusage(resource.RUSAGE_SELF)
    for _ in range(runs):
        subprocess.run(words, input=b"", capture_output=True, check=True)
    now = resource.getrusage(resource.RUSAGE_SELF)
    return now.ru_utime + now.ru_stime - own.ru_utime - own.ru_stime


def compile_costs(folder, report):
    source = pathlib.Path(folder) / "fresh.cpp"
    source.write_text(f"#include <bits/stdc++.h>\nint main() {{ std::cout << {time.time_ns()} << '\\n'; }}\n")
    for name in ("fresh", "cached"):
        report[f"compile_{name}_cpu_ms"] = sandboxed("jail", str(source), 1)[0]["compile_cpu_ms"]
    seconds, _ = cost(lambda: subprocess.run(["g++", "-std=c++20", "-O2", "-static", "-pipe", "-o", f"{folder}/a", str(source)], check=True))
    report["compile_plain_cpu_ms"] = 1000 * seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--json", help="a file for the numbers")
    options = parser.parse_args()
    report = {"runs": options.runs, "rows": []}
    with tempfile.TemporaryDirectory() as folder:
        for language, text in PROGRAMS.items():
            path = f"{folder}/one.{'py' if language == 'python' else language}"
            pathlib.Path(path).write_text(text)
            words = ["python3", "-I", "-S", path]
            if language == "cpp":
                words = [f"{folder}/one"]
                subprocess.run(["g++", "-std=c++20", "-O2", "-static", "-o", words[0], path], check=True)
            by_hand = []
            children, wall = cost(lambda: by_hand.append(plain(words, options.runs)))
            report["rows"].append({"language": language, "kind": "plain", "cpu_ms": 1000 * (children + by_hand[0]) / options.runs,
                                   "wall_ms": 1000 * wall / options.runs})
            for rung in ("jail", "namespaces"):
                sandboxed(rung, path, 1)  # what is made once a machine
                empty, empty_wall = cost(lambda: sandboxed(rung, path, 1))
                whole, wall = cost(lambda: sandboxed(rung, path, options.runs + 1))
                own = sum(row["cpu_ms"] for row in sandboxed(rung, path, options.runs)) / options.runs
                report["rows"].append({"language": language, "kind": rung, "cpu_ms": 1000 * (whole - empty) / options.runs,
                                       "program_cpu_ms": own, "wall_ms": 1000 * (wall - empty_wall) / options.runs})
        compile_costs(folder, report)
    print(f"{'language':<10}{'kind':<12}{'CPU ms a run':>14}{'of it the child':>17}{'wall ms':>10}")
    for row in report["rows"]:
        own = f"{row['program_cpu_ms']:.2f}" if "program_cpu_ms" in row else "-"
        print(f"{row['language']:<10}{row['kind']:<12}{row['cpu_ms']:>14.2f}{own:>17}{row['wall_ms']:>10.2f}")
    print("compile, CPU ms: " + ", ".join(f"{key[8:-7]} {value:.1f}" for key, value in report.items() if key.startswith("compile_")))
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
