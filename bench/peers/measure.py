"""Times one peer, and this program, on the same instances. Both in-process, one thread."""

import json
import subprocess
import time
from dataclasses import dataclass, field

from optima import SOLVED, against


@dataclass
class Timed:
    """`seconds[r][i]`: repetition r, instance i of those that were tried: a prefix of all, less what the peer leaves out
    because it would not end. Counts are of the first repetition."""

    seconds: list
    left_out: int = 0
    optimal: int = 0  # of our objective
    proven: int = 0
    equal: int = 0  # both prove, and agree
    breaches: list = field(default_factory=list)

    @property
    def tried(self):
        return len(self.seconds[0])


def quantile(samples, p):
    """As `optgap bench` takes it."""
    return sorted(samples)[int(p * (len(samples) - 1) + 0.5)]


def time_peer(module, peer, items, limit, repetitions, cap):
    """The first pass ends at the instance that uses up `cap` seconds; at most `repetitions` passes over what it reached, fewer
    once the cap is used. Only solving is timed, in CPU time: other programs then stretch a peer's time no more than the
    median of our short samples."""
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
