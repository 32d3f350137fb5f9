#!/usr/bin/env python3
"""The cost of a step of programs beside the programs.

Measures how busy slots are, runs per second against plain subprocesses, and the time to verify, lay out and rank the
output of 1,024 programs on ten instances each.

  python3 bench/programs/step_costs.py
  python3 bench/programs/step_costs.py --programs 64 --slots 2 --only slots
  build/venv-python/bin/python bench/programs/step_costs.py --only ranks

`slots`: different programs of 50 ms of processor time each, on ten instances. The ideal is the sum of their runs' wall
time divided by the slots. The total time of a single program (start, self-test) is subtracted first. `plain`: the same
files by subprocess.run with a time limit, as many at once. `ranks` needs the package: 10,240 answers of hard tours as
text, parsed and verified, made into a matrix and ranked by `river` in groups of eight, on one thread, processor time;
the minimum of seven. Needs a build (build/release/optgap)."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OPTGAP = os.environ.get("OPTGAP_BINARY", str(ROOT / "build/release/optgap"))
INSTANCES = 10
SPINS = """import sys, time
n = sys.stdin.readline().count("],") + 1
while time.process_time() < 0.05:
    pass
print(*range(n))  # PLACE
"""


def score(texts, slots, folder):
    """Wall seconds of all, and the timings of the runs."""
    rows = "".join(
        json.dumps(
            {
                "key": f"tsp@1:train:easy:1*{INSTANCES}",
                "language": "python",
                "limits": "train",
                "completion": f"```python\n{text}\n```",
            }
        )
        + "\n"
        for text in texts
    )
    times = pathlib.Path(folder, "times.jsonl")
    start = time.perf_counter()
    done = subprocess.run(
        [
            OPTGAP,
            "score",
            "-",
            "--isolation",
            "auto",
            "--slots",
            str(slots),
            "--advantage",
            "raw",
            "--quiet",
            "--timings",
            str(times),
        ],
        input=rows,
        capture_output=True,
        text=True,
        check=False,
    )
    wall = time.perf_counter() - start
    if done.returncode or '"valid":1' not in done.stdout.replace(" ", ""):
        sys.exit(f"step_costs: {done.stderr or done.stdout[:300]}")
    return wall, [json.loads(line) for line in times.read_text(encoding="utf-8").splitlines()]


def plain(texts, slots, folder):
    """Wall seconds of the same runs by subprocess.run."""
    listed = subprocess.run(
        [OPTGAP, "generate", "tsp", "--level", "easy", "--seed", "1", "--count", str(INSTANCES), "--quiet"],
        capture_output=True,
        text=True,
        check=True,
    )
    inputs = [json.dumps(json.loads(line)["instance"]) + "\n" for line in listed.stdout.splitlines()]
    files = [pathlib.Path(folder, f"{place}.py") for place in range(len(texts))]
    for file, text in zip(files, texts):
        file.write_text(text, encoding="utf-8")

    def one(job):
        file, given = job
        return subprocess.run(
            [sys.executable, "-I", "-S", str(file)], input=given, capture_output=True, text=True, timeout=60, check=True
        )

    start = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(slots) as pool:
        list(pool.map(one, [(file, given) for file in files for given in inputs]))
    return time.perf_counter() - start


def slots(options):
    texts = [SPINS.replace("PLACE", str(place)) for place in range(options.programs)]
    with tempfile.TemporaryDirectory() as folder:
        before, first = score(texts[:1], options.slots, folder)
        whole, times = score(texts, options.slots, folder)
        walls = sum(row["wall_ms"] for row in times) / 1000
        spent = whole - (before - sum(row["wall_ms"] for row in first) / 1000 / options.slots)
        print(
            f"{len(times)} runs on {options.slots} slots: {spent:.2f} s, ideal {walls / options.slots:.2f} s, "
            f"slots busy {100 * walls / options.slots / spent:.1f} %"
        )
        print(f"processor time of a run: {statistics.median(row['cpu_ms'] for row in times):.1f} ms (median)")
        by_hand = plain(texts, options.slots, folder)
        print(f"runs a second: {len(times) / spent:.1f}; plain subprocess.run: {len(times) / by_hand:.1f}")
        return {
            "busy": walls / options.slots / spent,
            "runs_a_second": len(times) / spent,
            "plain": len(times) / by_hand,
        }


def ranks():
    import numpy as np

    from optgap import Engine

    engine = Engine("cpu", threads=1)
    problems, group = 128, 8
    hidden = engine.generate("tsp", "hard", problems * INSTANCES, 1)
    answers = engine.noisy_greedy(hidden, group, 1)
    texts = [json.dumps(row) for row in answers.tolist()]  # of each instance, its group's eight
    of = np.repeat(np.arange(len(hidden), dtype=np.int32), group)
    groups = np.repeat(np.arange(problems), group)
    rewards, least = np.zeros(problems * group, dtype=np.float32), np.zeros(problems * group, dtype=np.int32)
    taken = []
    for _ in range(7):
        start = time.process_time()
        read = engine.answers(hidden, texts, of)
        parsed = time.process_time()
        found = engine.verify(hidden, read, of)
        verified = time.process_time()
        cells = np.where(found.feasible, found.objective, np.nan).reshape(problems, INSTANCES, group)
        matrix = np.ascontiguousarray(cells.transpose(0, 2, 1)).reshape(-1, INSTANCES)
        engine.advantages(rewards, groups, "river", scores=matrix, maximise=least)
        end = time.process_time()
        taken.append((end - start, parsed - start, verified - parsed, end - verified))
    names = ("all", "parse", "verify", "matrix and river")
    best = min(taken)
    print(
        f"{problems * group} programs x {INSTANCES}: "
        + ", ".join(f"{name} {1000 * part:.1f} ms" for name, part in zip(names, best))
    )
    return 1000 * best[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=int, default=24)
    parser.add_argument("--slots", type=int, default=1, help="default: 1")
    parser.add_argument("--only", choices=["slots", "ranks"])
    options = parser.parse_args()
    print(f"load before: {os.getloadavg()[0]:.1f}; {os.cpu_count()} processors")
    if options.only != "ranks":
        slots(options)
    if options.only != "slots":
        ranks()


if __name__ == "__main__":
    main()
