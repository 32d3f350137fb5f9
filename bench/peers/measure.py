"""Times one peer, and this program, on the same instances. Both in-process, one thread."""

import json
import subprocess
import time
from dataclasses import dataclass


@dataclass
class Timed:
    """`seconds[r][i]`: repetition r, instance i. `optimal`, `proven`: shares of the instances."""

    seconds: list
    optimal: float
    proven: float


def quantile(samples, p):
    """As `optgap bench` takes it."""
    return sorted(samples)[int(p * (len(samples) - 1) + 0.5)]


def time_peer(module, peer, items, limit, repetitions, cap):
    """At most `repetitions` passes over the items, fewer once `cap` seconds are used. Only solving is timed,
    in CPU time: other programs then stretch a peer's time no more than the median of our short samples."""
    passes = []
    optimal = proven = used = 0
    while len(passes) < repetitions and (not passes or used + sum(passes[-1]) < cap):
        seconds = []
        for item in items:
            solve = peer(item.instance)
            begin = time.process_time()
            found = solve(limit)
            seconds.append(time.process_time() - begin)
            if not passes:
                objective = None if found.answer is None else module.judge(item.instance, found.answer).objective
                optimal += objective is not None and objective == item.solved["objective"]
                proven += found.status == "optimal" and objective == item.solved["objective"]
        passes.append(seconds)
        used += sum(seconds)
    return Timed(passes, optimal / len(items), proven / len(items))


def time_ours(binary, task, count, seconds):
    """The row of `optgap bench solve` for the first `count` instances of the test split."""
    command = [binary, "bench", "solve", "--task", task, "--level", "benchmark", "--batch", str(count),
               "--threads", "1", "--device", "cpu", "--seconds", str(seconds), "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"optgap bench solve --task {task}: {done.stderr.strip()}")
    report = json.loads(done.stdout)
    return report, report["rows"][0]
