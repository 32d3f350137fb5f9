#!/usr/bin/env python3
"""The cost of a run in the sandbox, beside the same program started by subprocess.run.

Measures processor time, which is less sensitive to load than wall time.

  python3 bench/programs/run_costs.py
  python3 bench/programs/run_costs.py --runs 1000 --json build/run_costs.json

For each kind: processor milliseconds of everything (engine, broker, bubblewrap, child) for a run, less those of the
empty form of the same command. `plain`: the same executable, or the same interpreter with `-I -S`, by subprocess.run
with a pipe on stdin and both outputs. `bash`: SandboxFusion's way without isolation, a shell that asyncio starts, whose
output is read after its end. `forked`: the text in unprotected forks of one interpreter that has loaded the standard
modules that programs use, the best that a fork server could reach. Compilations: of a new program, of one compiled in
an earlier process, and of one without the precompiled header. Needs a build (build/release/optgap)."""

import argparse
import asyncio
import json
import os
import pathlib
import resource
import shlex
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


def sandboxed(isolation_level, path, runs):
    done = subprocess.run(
        [
            BINARY,
            "sandbox",
            "--json",
            "--isolation",
            isolation_level,
            "--slots",
            "1",
            "--repeat",
            str(runs),
            "--run",
            path,
        ],
        capture_output=True,
        text=True,
    )
    rows = json.loads(done.stdout).get("runs", [])
    if len(rows) != runs or any(row["code"] != "ok" for row in rows):
        sys.exit(f"run_costs: {isolation_level}: {done.stderr or rows[:1]}")
    return rows


def plain(words, runs):
    own = resource.getrusage(resource.RUSAGE_SELF)
    for _ in range(runs):
        subprocess.run(words, input=b"", capture_output=True, check=True)
    now = resource.getrusage(resource.RUSAGE_SELF)
    return now.ru_utime + now.ru_stime - own.ru_utime - own.ru_stime


WARM = """
import array, bisect, collections, decimal, fractions, functools, heapq, itertools, json, math, os, random, re, sys, time
runs, text = int(sys.argv[1]), open(sys.argv[2]).read()
for _ in range(runs):
    out, back = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(back, 1)
        exec(compile(text, "program", "exec"), {"__name__": "__main__"})
        sys.stdout.flush()
        os._exit(0)
    os.close(back)
    assert os.read(out, 100) == b"1\\n"
    os.close(out)
    os.waitpid(child, 0)
"""


def interpreter():
    """The interpreter that the sandbox runs programs with, since PATH may hold a wrapper."""
    done = subprocess.run([BINARY, "sandbox", "--json"], capture_output=True, text=True)
    return json.loads(done.stdout)["python"].split()[0]


def forked(path, runs):
    """Processor and wall seconds of `runs` forks, without the interpreter's own start."""
    words = [interpreter(), "-I", "-S", "-c", WARM]
    empty, empty_wall = cost(lambda: subprocess.run([*words, "0", path], check=True))
    whole, wall = cost(lambda: subprocess.run([*words, str(runs), path], check=True))
    return whole - empty, wall - empty_wall


def by_bash(words, runs):
    """The same as `plain`, through asyncio and a shell."""

    async def one():
        made = await asyncio.create_subprocess_shell(
            " ".join(map(shlex.quote, words)),
            executable="/bin/bash",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        made.stdin.close()
        await asyncio.wait_for(made.wait(), 10)
        assert await made.stdout.read(1 << 20) == b"1\n"

    async def all_of_them():
        for _ in range(runs):
            await one()

    own = resource.getrusage(resource.RUSAGE_SELF)
    asyncio.run(all_of_them())
    now = resource.getrusage(resource.RUSAGE_SELF)
    return now.ru_utime + now.ru_stime - own.ru_utime - own.ru_stime


def compile_costs(folder, report):
    source = pathlib.Path(folder) / "fresh.cpp"
    source.write_text(f"#include <bits/stdc++.h>\nint main() {{ std::cout << {time.time_ns()} << '\\n'; }}\n")
    for name in ("fresh", "cached"):
        report[f"compile_{name}_cpu_ms"] = sandboxed("jail", str(source), 1)[0]["compile_cpu_ms"]
    seconds, _ = cost(
        lambda: subprocess.run(
            ["g++", "-std=c++20", "-O2", "-static", "-pipe", "-o", f"{folder}/a", str(source)], check=True
        )
    )
    report["compile_plain_cpu_ms"] = 1000 * seconds


def measured(runs):
    """All results as a mapping."""
    report = {"runs": runs, "rows": []}
    with tempfile.TemporaryDirectory() as folder:
        for language, text in PROGRAMS.items():
            path = f"{folder}/one.{'py' if language == 'python' else language}"
            pathlib.Path(path).write_text(text)
            words = [interpreter(), "-I", "-S", path]
            if language == "cpp":
                words = [f"{folder}/one"]
                subprocess.run(["g++", "-std=c++20", "-O2", "-static", "-o", words[0], path], check=True)
            for kind, start in (("plain", plain), ("bash", by_bash)):
                by_hand = []
                children, wall = cost(lambda: by_hand.append(start(words, runs)))  # noqa: B023  called at once
                report["rows"].append(
                    {
                        "language": language,
                        "kind": kind,
                        "cpu_ms": 1000 * (children + by_hand[0]) / runs,
                        "wall_ms": 1000 * wall / runs,
                    }
                )
            if language == "python":
                spent, wall = forked(path, runs)
                report["rows"].append(
                    {
                        "language": language,
                        "kind": "forked",
                        "cpu_ms": 1000 * spent / runs,
                        "wall_ms": 1000 * wall / runs,
                    }
                )
            for isolation_level in ("jail", "namespaces"):
                sandboxed(isolation_level, path, 1)  # makes what is made once per machine
                empty, empty_wall = cost(lambda: sandboxed(isolation_level, path, 1))  # noqa: B023  called at once
                whole, wall = cost(lambda: sandboxed(isolation_level, path, runs + 1))  # noqa: B023  called at once
                own = sum(row["cpu_ms"] for row in sandboxed(isolation_level, path, runs)) / runs
                report["rows"].append(
                    {
                        "language": language,
                        "kind": isolation_level,
                        "cpu_ms": 1000 * (whole - empty) / runs,
                        "program_cpu_ms": own,
                        "wall_ms": 1000 * (wall - empty_wall) / runs,
                    }
                )
        compile_costs(folder, report)
    return report


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--json", help="a file for the numbers")
    options = parser.parse_args()
    report = measured(options.runs)
    print(f"{'language':<10}{'kind':<12}{'CPU ms a run':>14}{'of it the child':>17}{'wall ms':>10}")
    for row in report["rows"]:
        own = f"{row['program_cpu_ms']:.2f}" if "program_cpu_ms" in row else "-"
        print(f"{row['language']:<10}{row['kind']:<12}{row['cpu_ms']:>14.2f}{own:>17}{row['wall_ms']:>10.2f}")
    print(
        "compile, CPU ms: "
        + ", ".join(f"{key[8:-7]} {value:.1f}" for key, value in report.items() if key.startswith("compile_"))
    )
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
