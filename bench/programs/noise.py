#!/usr/bin/env python3
"""How much load changes verdicts and ranks of native runs: the same programs five times, alone and under load.

  python3 bench/programs/noise.py
  python3 bench/programs/noise.py --isolation jail --busy 0 --instances 3

Twelve programs for hard tours. Six search until 0.4 s of their limit of 0.5 s are used and print the best tour found
(C++ and Python, three rates of cooling). Four always do the same work. Two count until near the limit, where the load
decides whether they end in time. `--busy` processes of the same niceness run beside them, each of which walks through
64 MB. Needs a build."""

import argparse
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OPTGAP = os.environ.get("OPTGAP_BINARY", str(ROOT / "build/release/optgap"))
CPP = """#include <chrono>
#include <cmath>
#include <iostream>
#include <random>
#include <vector>
int main() {
    int n = 0;
    std::cin >> n;
    std::vector<std::vector<int>> d(n);
    for (auto& row : d) {
        int length = 0;
        std::cin >> length;
        row.resize(length);
        for (int& value : row) std::cin >> value;
    }
    std::vector<int> tour(n);
    for (int k = 0; k < n; ++k) tour[k] = k;
    std::mt19937 draw(1);
    auto const begin = std::chrono::steady_clock::now();
    auto const used = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / 0.4; };
    double heat = 0;
    long long now = 0;
    for (int k = 0; k < n; ++k) now += d[tour[k]][tour[(k + 1) % n]];
    long long least = now;
    std::vector<int> best = tour;
    for (long long move = 0;; ++move) {
        if (move % 64 == 0) {
            double const t = used();
            if (t >= 1) break;
            heat = HEAT * (1 - t) + 0.1;
        }
        int const i = draw() % (n - 1), j = i + 1 + draw() % (n - 1 - i);
        if (i == 0 && j == n - 1) continue;
        int const a = tour[(i + n - 1) % n], b = tour[i], c = tour[j], e = tour[(j + 1) % n];
        int const change = d[a][c] + d[b][e] - d[a][b] - d[c][e];
        if (change > 0 && draw() % 65536 > 65536 * std::exp(-change / heat)) continue;
        for (int l = i, r = j; l < r; ++l, --r) std::swap(tour[l], tour[r]);
        now += change;
        if (now < least) { least = now; best = tour; }
    }
    for (int const city : best) std::cout << city << " ";
}
"""
PYTHON = """import json, math, random, time
d = json.loads(input())["distances"]
n, begin = len(d), time.perf_counter()
tour, draw, move, heat = list(range(n)), random.Random(1), 0, 0.0
now = least = sum(d[tour[k - 1]][tour[k]] for k in range(n))
best = tour[:]
while True:
    if move % 64 == 0:
        t = (time.perf_counter() - begin) / 0.4
        if t >= 1:
            break
        heat = HEAT * (1 - t) + 0.1
    move += 1
    i = draw.randrange(n - 1)
    j = draw.randrange(i + 1, n)
    if i == 0 and j == n - 1:
        continue
    change = d[tour[i - 1]][tour[j]] + d[tour[i]][tour[(j + 1) % n]] - d[tour[i - 1]][tour[i]] - d[tour[j]][tour[(j + 1) % n]]
    if change > 0 and draw.random() > math.exp(-change / heat):
        continue
    tour[i : j + 1] = tour[i : j + 1][::-1]
    now += change
    if now < least:
        least, best = now, tour[:]
print(*best)
"""
COUNTS = """import json, time
n = len(json.loads(input())["distances"])
while time.process_time() < SECONDS:
    pass
print(*range(n))
"""
BUSY = "import sys\ntable = bytearray(1 << 26)\nwhile True:\n    for k in range(0, 1 << 26, 4096):\n        table[k] += 1 - table[k]\n"


def programs():
    """Yields kind, language and source."""
    for heat in (5, 20, 80):
        yield "searches", "cpp", CPP.replace("HEAT", str(heat))
        yield "searches", "python", PYTHON.replace("HEAT", str(heat))
    for name in ("nearest.py", "nearest_best_start.py", "cheapest_insertion.py", "careful.cpp"):
        text = (ROOT / "examples/programs/policy/tsp" / name).read_text(encoding="utf-8")
        yield "same work", "cpp" if name.endswith(".cpp") else "python", text
    for seconds in (0.47, 0.485):
        yield "at the limit", "python", COUNTS.replace("SECONDS", str(seconds))


def lines(kinds, instances):
    key = f"tsp@1:train:hard:1*{instances}"
    rows = [
        {"key": key, "language": language, "limits": "train", "completion": f"```{language}\n{text}\n```"}
        for kind, language, text in programs()
        if kind in kinds
    ]
    return "".join(json.dumps(row) + "\n" for row in rows)


def measure(isolation_level, busy, kinds, instances, repeat):
    beside = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(busy)]
    try:
        done = subprocess.run(
            [
                OPTGAP,
                "score",
                "-",
                "--isolation",
                isolation_level,
                "--slots",
                "1",
                "--repeat",
                str(repeat),
                "--advantage",
                "river",
            ],
            input=lines(kinds, instances),
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        for one in beside:
            one.kill()
            one.wait()
    if done.returncode:
        sys.exit(f"noise: {isolation_level}: {done.stderr or done.stdout[:300]}")
    return next(line for line in done.stderr.splitlines() if "runs of each" in line)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--isolation", nargs="+", default=["namespaces", "jail"])
    parser.add_argument(
        "--busy", nargs="+", type=int, default=[0, 2 * (os.cpu_count() or 1)], help="default: 0, and two a processor"
    )
    parser.add_argument("--instances", type=int, default=10)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    load = os.getloadavg()[0]
    print(f"load before: {load:.1f}; {os.cpu_count()} processors")
    for isolation_level in options.isolation_levels:
        for busy in options.busy:
            for kinds in (["same work"], ["searches"], ["searches", "same work", "at the limit"]):
                said = measure(isolation_level, busy, kinds, options.instances, options.repeat)
                print(f"{isolation_level:11} {busy} busy  {', '.join(kinds):38} {said}", flush=True)


if __name__ == "__main__":
    main()
