"""Times one peer and optgap on the same instances, both in-process on one thread."""

import json
import subprocess
import time
from dataclasses import dataclass, field

from optima import SOLVED, against


@dataclass
class Timed:
    """`seconds[r][i]` is repetition r of instance i. The instances are a prefix of all, without those that the peer
    skips because it would not end. Counts are of the first repetition."""

    seconds: list
    left_out: int = 0
    optimal: int = 0  # equal to our objective
    proven: int = 0
    equal: int = 0  # both are proven, and agree
    breaches: list = field(default_factory=list)

    @property
    def tried(self):
        return len(self.seconds[0])


def quantile(samples, p):
    """The quantile as `optgap bench` computes it."""
    return sorted(samples)[int(p * (len(samples) - 1) + 0.5)]


def time_peer(module, peer, items, limit, repetitions, cap):
    """Ends the first pass at the instance that uses up `cap` seconds. Makes at most `repetitions` passes over the
    instances that it reached, fewer once the cap is used. Times only solving, in CPU time, so that other programs
    stretch a peer's time no more than the median of our short samples."""
    timed = Timed([])
    used, tried = 0, []
    while len(timed.seconds) < repetitions and (not timed.seconds or used + sum(timed.seconds[-1]) < cap):
        first = not timed.seconds
        seconds = []
        for item in items if first else list(tried):
            solve = peer(item.instance)
            if not getattr(solve, "applies", True):
                timed.left_out += 1
                continue
            begin = time.process_time()
            found = solve(limit)
            seconds.append(time.process_time() - begin)
            if first:
                tried.append(item)
                _compare(timed, module, item, found)
                if used + sum(seconds) > cap:
                    break
        timed.seconds.append(seconds)
        used += sum(seconds)
    return timed


def _compare(timed, module, item, found):
    verdict = None if found.answer is None else module.judge(item.instance, found.answer)
    if verdict is not None and not verdict.feasible:
        timed.breaches.append((item.name, f"the peer's answer is no answer: {verdict}"))
        return
    breaches = list(against(module, item, found))
    timed.breaches += [(item.name, what) for what in breaches]
    proven = found.status in SOLVED
    timed.optimal += verdict is not None and verdict.objective == item.solved["objective"]
    timed.proven += proven
    timed.equal += proven and item.solved["proven"] and not breaches


def time_ours(binary, task, level, count, seconds):
    """The row of `optgap bench solve` for the first `count` instances of the test split."""
    command = [
        binary,
        "bench",
        "solve",
        "--task",
        task,
        "--level",
        level,
        "--batch",
        str(count),
        "--threads",
        "1",
        "--device",
        "cpu",
        "--seconds",
        str(seconds),
        "--json",
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"optgap bench solve --task {task}: {done.stderr.strip()}")
    report = json.loads(done.stdout)
    return report, report["rows"][0]
