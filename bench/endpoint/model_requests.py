#!/usr/bin/env python3
"""Times `optgap bench-model` against a server that answers at once, which gives the cost of client and scoring.

python3 bench/endpoint/model_requests.py [--count 100] [--samples 4] [--cores 1] [--rounds 3]

Needs the installed package. Server and client share the given cores."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "python"))

from stand_in_server import StandIn  # noqa: E402

import optgap  # noqa: E402
from optgap.measure.benchmark import questions  # noqa: E402
from optgap.measure.benchmark.published import TASKS  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100, help="instances per task")
    parser.add_argument("--samples", type=int, default=4)
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))[: options.cores]
    engine = optgap.Engine(device="cpu", server="off")
    asked = questions.of_level(engine, sorted(TASKS), "benchmark", options.count, 1, "test", "forge")
    answers = engine.greedy(asked.instances).tolist()
    said = {
        prompt: f"<think>-</think><answer>{json.dumps(answer)}</answer>"
        for prompt, answer in zip(asked.prompts, answers)
    }
    os.sched_setaffinity(0, cores)
    with StandIn(lambda request: said[request.prompt]) as server, tempfile.TemporaryDirectory() as scratch:
        for number in range(options.rounds):
            before, began = len(server.requests), time.monotonic()
            subprocess.run(
                [sys.executable, "-m", "optgap", "bench-model", "--base-url", server.base_url, "--model", "instant",
                 "--quiet",
                 "--tasks", ",".join(sorted(TASKS)), "--count", str(options.count), "--samples", str(options.samples),
                 "--twins", "0", "--format", "forge", "--out", f"{scratch}/{number}"],
                check=True, stdout=subprocess.DEVNULL,
            )  # fmt: skip
            seconds, requests = time.monotonic() - began, len(server.requests) - before
            cores_used = f"{len(cores)} core{'s' if len(cores) > 1 else ''}"
            print(f"{requests} requests on {cores_used}: {seconds:.2f} s, {requests / seconds:.0f}/s", flush=True)


if __name__ == "__main__":
    main()
