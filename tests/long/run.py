#!/usr/bin/env python3
"""Long checks: on mutated answers the engine's verdict must equal that of the task's C++ reference, and on mutated
completions its parser must read and judge as the slow reference of scanner and grammar.

  run.py --rows 100000000 --log build/long.jsonl    overnight; the same command continues where it was stopped
  run.py --rows 1000000 --check answers --task tsp
  run.py --only answers:tsp:1:37:5:112              one row by the key that a mismatch prints: both sides' results

Its own options: --log FILE (default: build/long_checks.jsonl, overwritten), --binary FILE, --by-task. All others are
those of build/release/optgap_long_checks: --rows N (100,000), --seed N (1), --threads N (all), --check
answers|completions, --task NAME (both may be repeated), --only KEY, --plant objective|rule|parser (a fault that must be
found), --quiet.

Exit code 1 when anything differs, 2 for bad usage."""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))

from rates import Rate  # noqa: E402

BINARY = os.environ.get("OPTGAP_BINARY", str(ROOT / "build/release/optgap")) + "_long_checks"


def table(rows):
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width) for at, (cell, width) in enumerate(zip(row, widths))
        ).rstrip()
        for row in rows
    )


def summary(log, by_task):
    """The table of a log, its claims, and the number of mismatching rows."""
    counts, shown = collections.defaultdict(collections.Counter), []
    for line in log.read_text(encoding="utf-8").splitlines()[1:]:
        row = json.loads(line)
        if "mismatch" in row:
            shown.append(line)
            continue
        for name in (row["check"], f"{row['check']} {row['task']}")[: 1 + by_task]:
            counts[name].update({key: row[key] for key in ("rows", "feasible", "mismatches", "cpu_seconds")})
    rows = [["check", "rows", "feasible", "mismatches", "rows / CPU s"]]
    for name in sorted(counts, key=lambda name: (name.count(" "), name)):
        one = counts[name]
        rows.append(
            [
                name,
                f"{one['rows']:,}",
                f"{100 * one['feasible'] / max(1, one['rows']):.1f} %",
                f"{one['mismatches']:,}",
                f"{one['rows'] / max(1e-9, one['cpu_seconds']):,.0f}",
            ]
        )
    lines = [*shown[:20], table(rows)]
    for name in sorted(name for name in counts if " " not in name):
        one = counts[name]
        lines.append(f"judged otherwise, of {name} like these: {Rate(one['mismatches'], one['rows']).claim()}")
    return "\n".join(lines), sum(one["mismatches"] for one in counts.values())


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    options.add_argument("--log", type=pathlib.Path)
    options.add_argument("--binary", default=BINARY)
    options.add_argument("--by-task", action="store_true")
    given, rest = options.parse_known_args()
    if not pathlib.Path(given.binary).exists():
        options.error(f"{given.binary} is missing: cmake --build build/release --target optgap_long_checks")
    if "--only" in rest:
        return subprocess.run([given.binary, *rest]).returncode
    log = given.log or ROOT / "build/long_checks.jsonl"
    if given.log is None:
        log.unlink(missing_ok=True)
    if "--threads" not in rest:
        rest += ["--threads", str(len(os.sched_getaffinity(0)))]
    begun = time.monotonic()
    done = subprocess.run([given.binary, *rest, "--log", os.fspath(log)])
    if done.returncode not in (0, 1):
        return done.returncode if done.returncode > 0 else 1
    text, mismatches = summary(log, given.by_task)
    print(f"{text}\n{time.monotonic() - begun:.1f} s; {log} has a line a chunk")
    return 1 if mismatches or done.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
