#!/usr/bin/env python3
"""Proven labels against the solvers a user would call instead, on the same instances in the same run.

  python3 bench/peers.py
  python3 bench/peers.py --task tsp --json build/peers.json

Benchmark level, test split, one thread, in-process. A ratio is the peer's time for all instances over ours; only
solving is timed, not building a peer's model. Needs `tools/oracle.sh --setup`; elkai is measured when
it is installed there (bench/peers/requirements.txt).
"""

import argparse
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version

ROOT = pathlib.Path(__file__).resolve().parent.parent
if importlib.util.find_spec("ortools") is None:
    PYTHON = ROOT / "build/venv-oracle/bin/python"
    if not PYTHON.exists():
        sys.exit("bench/peers.py: run tools/oracle.sh --setup first")
    os.execv(PYTHON, [str(PYTHON), "-B", *sys.argv])
sys.path[:0] = [str(ROOT / "tests/oracle"), str(ROOT / "bench/peers")]

from measure import quantile, time_ours, time_peer  # noqa: E402
from pools import generated  # noqa: E402
from rows import BINARY, optgap, task_names  # noqa: E402
from run import table  # noqa: E402
from tasks import MODULES  # noqa: E402

INSTANCES = {"tsp": 10, "bisection": 6}
DEFAULT_INSTANCES = 40
REPETITIONS = 5
CAP_S = 15.0  # per peer
LIMIT = 5.0  # per instance; CP-SAT's deterministic time
KEPT_SAMPLES = 200  # of ours; every k-th
TOOLS = ["ortools", "highspy", "igraph", "networkx", "elkai"]


def versions():
    found = {}
    for name in TOOLS:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


def changed():
    """Whether the tree differs from the commit that `optgap bench` names."""
    return bool(subprocess.run(["git", "-C", str(ROOT), "status", "--porcelain"], capture_output=True).stdout)


def ms(seconds):
    return f"{1e3 * seconds:.3g}"


def per_second(rate):
    return f"{rate:,.0f}" if rate >= 100 else f"{rate:.3g}"


def compare(task, seconds):
    """Rows of one task: ours, then each peer."""
    count = INSTANCES.get(task, DEFAULT_INSTANCES)
    items = generated(task, "benchmark", count, 0, "test")
    for item, row in zip(items, optgap("solve", "-", rows=[item.row for item in items])):
        item.solved = row
    report, before = time_ours(BINARY, task, count, seconds)
    peers = {name: time_peer(MODULES[task], peer, items, LIMIT, REPETITIONS, CAP_S)
             for name, peer in MODULES[task].PEERS.items() if not name.startswith("plain")}
    _, after = time_ours(BINARY, task, count, seconds)
    ours = before["samples_s"] + after["samples_s"]
    mine = quantile(ours, 0.5)
    latency = before["latency_s"]
    yield report, {"task": task, "by": "optgap", "instances": count, "repetitions": len(ours), "rate": count / mine,
                   "p50_s": latency["p50"], "p99_s": latency["p99"], "max_s": latency["max"],
                   "proven": sum(item.solved["proven"] for item in items) / count, "optimal": 1.0,
                   "samples_s": ours[:: 1 + len(ours) // KEPT_SAMPLES]}
    for name, timed in peers.items():
        each = [one for repetition in timed.seconds for one in repetition]
        totals = [sum(repetition) for repetition in timed.seconds]
        yield report, {"task": task, "by": name, "instances": count, "repetitions": len(totals),
                       "rate": count / quantile(totals, 0.5), "p50_s": quantile(each, 0.5),
                       "p99_s": quantile(each, 0.99), "max_s": max(each), "optimal": timed.optimal,
                       "proven": timed.proven, "ratio": quantile(totals, 0.5) / mine,
                       "ratio_range": [min(totals) / quantile(ours, 0.9), max(totals) / quantile(ours, 0.1)],
                       "samples_s": timed.seconds}


def cells(row):
    ratio, spread = "", ""
    if "ratio" in row:
        ratio, *ends = (f"{value:,.0f}" if row["ratio"] >= 10 else f"{value:.2f}"
                        for value in (row["ratio"], *row["ratio_range"]))
        spread = "-".join(ends)
    return [row["task"], row["by"], row["instances"], row["repetitions"], per_second(row["rate"]),
            *(ms(row[name]) for name in ("p50_s", "p99_s", "max_s")),
            *(f"{100 * row[name]:.0f}" for name in ("optimal", "proven")), ratio, spread]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", action="append")
    parser.add_argument("--seconds", type=float, default=0.5,
                        help="time to sample our own solver for, before and after the peers")
    parser.add_argument("--json", metavar="FILE", help="all samples")
    options = parser.parse_args()
    load = [os.getloadavg()[0]]
    rows, report = [], {}
    for task in options.task or [task for task in task_names() if task in MODULES]:
        for report, row in compare(task, options.seconds):
            rows.append(row)
        print(f"{task}: done", file=sys.stderr)
    load.append(os.getloadavg()[0])
    found = versions()
    state = " with changes" if changed() else ""
    print(f"{report['device']}; commit {report['commit'][:12]}{state}; load {load[0]:.1f} before, {load[1]:.1f} after; "
          + ", ".join(f"{name} {number or 'not installed'}" for name, number in found.items()))
    print(table(["task", "by", "instances", "runs", "labels/s", "p50 ms", "p99 ms", "max ms", "optimal %", "proven %",
                 "time / ours", "range"], [cells(row) for row in rows]))
    if options.json:
        head = {name: report[name] for name in ("commit", "device", "threads", "instruction_set")}
        with open(options.json, "w", encoding="utf-8") as out:
            json.dump({"command": "python3 bench/peers.py " + " ".join(sys.argv[1:]), **head,
                       "uncommitted_changes": changed(), "level": "benchmark", "split": "test",
                       "versions": found, "load": load, "limit": LIMIT, "rows": rows}, out, indent=1)
            out.write("\n")


if __name__ == "__main__":
    main()
