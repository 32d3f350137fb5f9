#!/usr/bin/env python3
"""Which labels are expensive to recompute: by task the steps that take 50 µs, as in kernels/tasks/TASK/TASK_text.cpp.

  bench/studies/expensive_steps.py [--count 200]     prints `.expensive_steps` of every task, measured by an engine of one thread

A label that a store does not contain is recomputed from its key. Reading one takes some 5 µs, so ten times that
justifies a row of 110 bytes. The steps are rounded down to a power of two: the measured times differ by machine, but
the constant must not.
"""

import argparse
import math
import time

import optgap

EXPENSIVE_NS = 50_000
SHORTEST_S = 0.05


def nanoseconds_a_step(engine, task, count):
    """CPU time per step of solving benchmark instances from the test split, the best of three; None where they take no
    steps."""
    instances = engine.generate(task, level="benchmark", split="test", count=count, seed=1)
    steps, best = 0, math.inf
    for _ in range(3):
        spent, turns, begin = 0.0, 0, time.process_time()
        while spent < SHORTEST_S:
            steps = int(engine.solve(instances, budget=2000).steps.sum())
            turns, spent = turns + 1, time.process_time() - begin
        best = min(best, spent / turns)
    return best * 1e9 / steps if steps else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=200, help="instances a task")
    options = parser.parse_args()
    engine = optgap.Engine(device="cpu", threads=1)
    for task in sorted(info.name for info in engine.tasks):
        found = nanoseconds_a_step(engine, task, options.count)
        steps = 0 if found is None else 2 ** max(0, int(math.log2(EXPENSIVE_NS / found)))
        print(
            f"{task}: .expensive_steps = {steps},"
            + ("  takes no steps" if found is None else f"  {found:.0f} ns a step"),
            flush=True,
        )


if __name__ == "__main__":
    main()
