#!/usr/bin/env python3
"""Proven labels against the solvers a user would call instead, on the same instances in the same run.

  python3 bench/peers.py
  python3 bench/peers.py --task tsp --level d20 --record build/peers.jsonl
  python3 bench/peers.py --short          every task in some seconds each

Runs all tasks of the program at benchmark level and at difficulty step 20, test split, on one thread and in-process.
Only solving is timed, not building a peer's model. `proven` counts the instances proven within the limit, `open` the
others. Labels per second count only proven ones, and a ratio to our time with open instances is a lower bound. A peer
that used up its seconds has fewer instances, and is compared with our time for exactly these. A peer that cannot be
stopped leaves out instances that would take too long, and is not compared then. Exit code 1 where two proofs disagree,
or a peer's answer or bound contradicts ours. A task without an external peer is compared with the plain Python of its
oracle.

Needs `tools/oracle.sh --setup`; elkai is measured when it is installed there (bench/peers/requirements.txt).
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

import record  # noqa: E402
from measure import quantile, time_ours, time_peer  # noqa: E402
from pools import generated  # noqa: E402
from rows import BINARY, optgap, task_names  # noqa: E402
from run import table  # noqa: E402
from tasks import MODULES  # noqa: E402

FULL = {"count": 40, "limit": 5.0, "cap": 15.0, "seconds": 0.5, "repetitions": 5}
SHORT = {"count": 8, "limit": 1.0, "cap": 1.0, "seconds": 0.05, "repetitions": 2}
LEVELS = ["benchmark", "d20"]
KEPT_SAMPLES = 200  # of optgap; every k-th
PROVE = {"CP-SAT", "HiGHS", "igraph", "igraph clique", "NetworkX"}
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
    return "0" if rate == 0 else f"{rate:,.0f}" if rate >= 100 else f"{rate:.3g}"


def peers_of(module):
    """The external peers; without any, the oracle's plain Python."""
    return {name: peer for name, peer in module.PEERS.items() if not name.startswith("plain")} or module.PEERS


def compare(task, level, size):
    """Rows of one task and level: optgap's, then each peer's; also the contradictions found and the report of
    `bench`."""
    count = size["count"]
    items = generated(task, level, count, 0, "test")
    for item, row in zip(items, optgap("solve", "-", rows=[item.row for item in items])):
        item.solved = row
    module = MODULES[task]
    ours = {}  # samples of optgap on a prefix of the instances

    def sample(number):
        report, row = time_ours(BINARY, task, level, number, size["seconds"])
        ours.setdefault(number, []).extend(row["samples_s"])
        return report, row

    report, before = sample(count)
    peers = {
        name: time_peer(module, peer, items, size["limit"], size["repetitions"], size["cap"])
        for name, peer in peers_of(module).items()
    }
    for number in {count} | {timed.tried for timed in peers.values() if timed.tried}:
        sample(number)
    mine, latency = quantile(ours[count], 0.5), before["latency_s"]
    proven = sum(item.solved["proven"] for item in items)
    head = {"task": task, "level": level}
    rows = [
        head
        | {
            "by": "optgap",
            "instances": count,
            "repetitions": len(ours[count]),
            "labels_per_second": proven / mine,
            "p50_s": latency["p50"],
            "p99_s": latency["p99"],
            "max_s": latency["max"],
            "proven": proven,
            "open": count - proven,
            "optimal": proven,
            "samples_s": ours[count][:: 1 + len(ours[count]) // KEPT_SAMPLES],
        }
    ]
    breaches = []
    for name, timed in peers.items():
        each = [one for repetition in timed.seconds for one in repetition]
        totals = [sum(repetition) for repetition in timed.seconds]
        if not each:
            rows.append(head | {"by": name, "instances": 0, "left_out": timed.left_out, "equal": 0})
            continue
        same = ours[timed.tried]
        rows.append(
            head
            | {
                "by": name,
                "instances": timed.tried,
                "left_out": timed.left_out,
                "repetitions": len(totals),
                "labels_per_second": timed.proven / quantile(totals, 0.5),
                "p50_s": quantile(each, 0.5),
                "p99_s": quantile(each, 0.99),
                "max_s": max(each),
                "proven": timed.proven,
                "open": timed.tried - timed.proven,
                "optimal": timed.optimal,
                "equal": timed.equal,
                "samples_s": timed.seconds,
            }
        )
        if not timed.left_out:  # else optgap's time for these instances alone is unknown
            # An instance that was cut off would have taken longer, if the peer can prove at all.
            rows[-1] |= {
                "ratio": quantile(totals, 0.5) / quantile(same, 0.5),
                "lower_bound": timed.proven < timed.tried and name in PROVE,
                "ratio_range": [min(totals) / quantile(same, 0.9), max(totals) / quantile(same, 0.1)],
            }
        breaches += [f"{task} {level}, {name}, {where}: {what}" for where, what in timed.breaches]
    return rows, breaches, report


def cells(row):
    if not row["instances"]:
        return [row["task"], row["by"], row["level"], 0, *[""] * 9, f"leaves out {row['left_out']}"]
    ratio, spread = "", f"leaves out {row['left_out']}" if row.get("left_out") else ""
    if "ratio" in row:
        ratio, *ends = (
            f"{value:,.0f}" if row["ratio"] >= 10 else f"{value:.2f}" for value in (row["ratio"], *row["ratio_range"])
        )
        ratio, spread = (">" if row["lower_bound"] else "") + ratio, "-".join(ends)
    return [
        row["task"],
        row["by"],
        row["level"],
        row["instances"],
        row["repetitions"],
        per_second(row["labels_per_second"]),
        *(ms(row[name]) for name in ("p50_s", "p99_s", "max_s")),
        row["proven"],
        row["open"],
        row["optimal"],
        ratio,
        spread,
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", action="append", help="default: all of the program")
    parser.add_argument("--level", action="append", help="default: " + " and ".join(LEVELS))
    parser.add_argument("--short", action="store_true", help="fewer instances, shorter limits")
    parser.add_argument("--count", type=int, help="instances of a level")
    parser.add_argument("--limit", type=float, help="of a peer on one instance; CP-SAT's deterministic time")
    parser.add_argument("--cap", type=float, help="seconds of one peer for a level; what it does not reach is left out")
    parser.add_argument("--seconds", type=float, help="time to sample our own solver for, before and after the peers")
    parser.add_argument("--json", metavar="FILE", help="all samples")
    parser.add_argument(
        "--record", metavar="FILE", help="a line for each row into a file of results (bench/results/peers.jsonl)"
    )
    parser.add_argument("--machine", help="name of this machine in the results (default: as optgap bench names it)")
    options = parser.parse_args()
    size = dict(SHORT if options.short else FULL)
    size |= {name: getattr(options, name) for name in size if getattr(options, name, None) is not None}
    load = [os.getloadavg()[0]]
    rows, breaches, report = [], [], {}
    names = options.task or task_names()
    for task in names:
        if task not in MODULES:
            print(f"{task}: has no module in tests/oracle/tasks, left out", file=sys.stderr)
            continue
        for level in options.level or LEVELS:
            more, wrong, report = compare(task, level, size)
            rows += more
            breaches += wrong
        print(f"{task}: done", file=sys.stderr)
    load.append(os.getloadavg()[0])
    command = " ".join(["python3 bench/peers.py", *sys.argv[1:]])
    found = versions()
    state = " with changes" if changed() else ""
    print(
        f"{report['device']}; commit {report['commit'][:12]}{state}; load {load[0]:.1f} before, {load[1]:.1f} after; limit "
        f"{size['limit']:g}, cap {size['cap']:g} s; "
        + ", ".join(f"{name} {number or 'not installed'}" for name, number in found.items())
    )
    print(
        table(
            [
                "task",
                "by",
                "level",
                "instances",
                "runs",
                "labels/s",
                "p50 ms",
                "p99 ms",
                "max ms",
                "proven",
                "open",
                "optimal",
                "time / ours",
                "range",
            ],
            [cells(row) for row in rows],
        )
    )
    peers = [row for row in rows if row["by"] != "optgap"]
    print(
        f"\n{len(rows) - len(peers)} levels of tasks, {sum(row['equal'] for row in peers)} optima proven by both and equal, "
        f"{len(breaches)} contradictions"
    )
    for breach in breaches:
        print("CONTRADICTION", breach)
    if options.record:
        source = {name: report[name] for name in ("machine", "device", "instruction_set", "commit", "threads", "date")}
        source |= {
            "versions": {name: number for name, number in found.items() if number},
            "load": load,
            "limit": size["limit"],
            "cap": size["cap"],
            "command": command,
        } | ({"modified": True} if changed() else {})
        if options.machine:
            source["machine"] = options.machine
        record.record(BINARY, options.record, [record.line_of(row, source, size["count"]) for row in rows])
    if options.json:
        head = {name: report[name] for name in ("commit", "device", "threads", "instruction_set")}
        with open(options.json, "w", encoding="utf-8") as out:
            json.dump(
                {
                    "command": command,
                    **head,
                    "uncommitted_changes": changed(),
                    "split": "test",
                    "versions": found,
                    "load": load,
                    "size": size,
                    "contradictions": breaches,
                    "rows": rows,
                },
                out,
                indent=1,
            )
            out.write("\n")
    return 1 if breaches or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
