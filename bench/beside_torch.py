#!/usr/bin/env python3
"""How much a GPU search of optgap and PyTorch's matrix products in another process slow each other down.

Usage: bench/beside_torch.py [--optgap PROGRAM] [--seconds S] [--rounds N]

Needs an NVIDIA GPU, PyTorch with CUDA and an optgap built by CMake with CUDA. Prints a JSON object per line: one for
each round as it ends, with the products' rate alone and beside `optgap bench device_improve --task tsp`, and the
search's rate alone and beside the products; then one with the medians. Two processes share a GPU by time slices unless
MPS runs (nvidia-cuda-mps-control), so stream priorities have no effect.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time

import torch


def products_per_second(seconds: float, size: int = 8192) -> float:
    """Runs bf16 products of random size x size matrices for about `seconds`; returns flop/s."""
    a = torch.randn(size, size, device="cuda", dtype=torch.bfloat16)
    b = torch.randn(size, size, device="cuda", dtype=torch.bfloat16)
    for _ in range(3):
        a @ b
    torch.cuda.synchronize()
    done = 0
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds:
        for _ in range(8):
            a @ b
        torch.cuda.synchronize()
        done += 8
    return done * 2.0 * size**3 / (time.perf_counter() - begin)


def products_beside(running: subprocess.Popen[str], seconds: float, size: int = 8192) -> float:
    """The same while a search is measured. Counts only slices in the last `seconds` of its process, whose beginning is
    its start, its instances and its ceilings."""
    a = torch.randn(size, size, device="cuda", dtype=torch.bfloat16)
    b = torch.randn(size, size, device="cuda", dtype=torch.bfloat16)
    slices = []
    while running.poll() is None:
        begin = time.perf_counter()
        for _ in range(8):
            a @ b
        torch.cuda.synchronize()
        slices.append((begin, time.perf_counter()))
    end = slices[-1][1]
    inside = [to - since for since, to in slices if since >= end - seconds and to <= end - seconds / 5]
    if not inside:
        sys.exit(f"beside_torch: no product fell into the search's {seconds} s: {running.args}")
    return 8 * len(inside) * 2.0 * size**3 / sum(inside)


def search(program: str, seconds: float) -> subprocess.Popen[str]:
    command = [program, "bench", "device_improve", "--task", "tsp", "--device", "cuda", "--seconds", str(seconds)]
    return subprocess.Popen([*command, "--json", "--quiet"], stdout=subprocess.PIPE, text=True)


def rate_of(running: subprocess.Popen[str]) -> float:
    out, _ = running.communicate()
    if running.returncode != 0:
        sys.exit(f"beside_torch: the search failed: {running.args}")
    return float(json.loads(out)["rows"][0]["rate"])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--optgap", default="optgap", help="the program (default: the one on the PATH)")
    parser.add_argument("--seconds", type=float, default=1.5, help="of each measurement (default: 1.5)")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    rows = []
    for _ in range(given.rounds):
        alone = products_per_second(given.seconds)
        search_alone = rate_of(search(given.optgap, given.seconds))
        running = search(given.optgap, given.seconds)
        beside = products_beside(running, given.seconds)
        rows.append(
            {
                "products_alone": alone,
                "products_beside": beside,
                "search_alone": search_alone,
                "search_beside": rate_of(running),
            }
        )
        print(json.dumps(rows[-1]), flush=True)
    print(
        json.dumps(
            {
                "command": " ".join(["bench/beside_torch.py", *sys.argv[1:]]),
                "device": torch.cuda.get_device_name(),
                "torch": torch.__version__,
                "units": {"products": "flop/s", "search": "evaluations/s"},
                "slowdown": statistics.median(1 - row["products_beside"] / row["products_alone"] for row in rows),
                "search_keeps": statistics.median(row["search_beside"] / row["search_alone"] for row in rows),
            }
        )
    )


if __name__ == "__main__":
    main()
