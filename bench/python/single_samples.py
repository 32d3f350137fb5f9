#!/usr/bin/env python3
"""The cost of one reward awaited by an event loop, with 1, 16 and 256 of them at a time: CPU time of the whole process,
user and system, all threads.

    python bench/python/single_samples.py [--json] [--seconds S] [--rounds N]

Measures lower bounds (a future that is set at once, a thread that does nothing), peers (the rules in plain Python on
asyncio's threads, if tests/oracle exists) and optgap by its own calls and as verl calls it, on the same texts.
Instances are known and proven before. Every reward of ours is compared with Engine.score. Cases take turns; the median
of the rounds counts, with the minimum and maximum beside it.
"""

import argparse
import asyncio
import json
import os
import pathlib
import platform
import resource
import statistics
import subprocess
import time

import optgap
from optgap.measure.trainer_costs import rewards
from optgap.trainers.verl.reward import compute_score, compute_score_async

UNDER_WAY = (1, 16, 256)
GROUPS, GROUP = 40, 16
ROOT = pathlib.Path(__file__).resolve().parents[2]


def cases_of(level, size):
    """Yields name and async function, which scores a row of the texts. Its result is an optgap reward to check, or
    None."""
    engine = optgap.Engine("cpu")
    step = rewards.make_step(engine, level, GROUPS, GROUP, size)
    texts = step.texts
    keys = [key for key in step.instances.keys for _ in range(GROUP)]
    instances = [step.instances[row] for row in range(GROUPS) for _ in range(GROUP)]
    records = [record for record in step.baselines.records() for _ in range(GROUP)]
    names = ("objective", "bound", "proven", "floor", "greedy")
    truths = [json.dumps({"key": key, "baseline": {name: record[name] for name in names}, "format": "forge"})
              for key, record in zip(keys, records)]  # fmt: skip
    sources = [f"optgap/{optgap.Key.parse(key).task}/{level}" for key in keys]
    definition = next(
        (one for one in rewards.functions(step, None, _oracle()) if getattr(one, "role", "") == "law"), None
    )
    given = None if definition is None else definition.truths(0, range(len(texts)))

    async def future(row):
        loop = asyncio.get_running_loop()
        made = loop.create_future()
        loop.call_soon(made.set_result, None)
        await made

    async def thread(row):
        await asyncio.to_thread(int)

    async def rules(row):
        await asyncio.to_thread(definition.call, texts[row], given[row])

    async def by_key(row):
        return (await engine.score_async(keys[row], texts[row], finish="stop")).reward

    async def by_instance(row):
        found = await engine.score_async(instances[row], texts[row], records[row], finish="stop", format="forge",
                                         reward="forge")  # fmt: skip
        return found.reward

    async def verl_sync(row):
        return compute_score(sources[row], texts[row], truths[row])["score"]

    async def verl(row):
        return (await compute_score_async(sources[row], texts[row], truths[row]))["score"]

    wanted = engine.score(step.instances, texts, step.baselines).reward.tolist()
    cases = {"a future that is set at once": future, "a thread that does nothing": thread}
    if definition is not None:
        cases["the rules in plain Python, on a thread"] = rules
    cases |= {
        "score_async, by key": by_key,
        "score_async, instance and baseline": by_instance,
        "verl, compute_score": verl_sync,
        "verl, compute_score_async": verl,
    }
    return cases, wanted


def _oracle():
    folder = ROOT / "tests" / "oracle"
    return folder if folder.is_dir() else None


def measured(score, wanted, under_way, seconds):
    """CPU, system and wall microseconds per sample."""
    done = 0

    async def caller(number, until):
        nonlocal done
        row = number * 7 % len(wanted)
        while not done or time.perf_counter() < until:  # avoids dividing by zero when nothing ended in that time
            reward = await score(row)
            assert reward is None or reward == wanted[row], (row, reward, wanted[row])
            row = (row + 1) % len(wanted)
            done += 1

    async def main():
        before, began = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
        await asyncio.gather(*(caller(number, began + seconds) for number in range(under_way)))
        after, wall = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter() - began
        system = after.ru_stime - before.ru_stime
        return after.ru_utime - before.ru_utime + system, system, wall

    spent = asyncio.run(main())
    return [1e6 * each / done for each in spent]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.3, help="of each measurement")
    parser.add_argument("--level", default="hard", help="of the instances, all tasks")
    parser.add_argument("--bytes", type=int, default=500, help="of each text")
    parser.add_argument("--only", default="", help="cases whose name holds this")
    given = parser.parse_args()
    cases, wanted = cases_of(given.level, given.bytes)
    cases = {name: case for name, case in cases.items() if given.only in name}
    load = os.getloadavg()[0]
    found = {(name, count): [] for name in cases for count in UNDER_WAY}
    for round_ in range(given.rounds + 1):
        for (name, count), into in found.items():
            spent = measured(cases[name], wanted, count, given.seconds if round_ else 0.05)
            if round_:  # the first fills caches
                into.append(spent)
    rows = []
    for (name, count), into in found.items():
        cpu, system, wall = zip(*into)
        rows.append({"case": name, "under_way": count, "cpu_us": statistics.median(cpu), "cpu_min_us": min(cpu),
                     "cpu_max_us": max(cpu), "system_us": statistics.median(system),
                     "wall_us": statistics.median(wall)})  # fmt: skip
    if given.json:
        print(
            json.dumps(
                {
                    "python": platform.python_version(),
                    "commit": _commit(),
                    "load": [load, os.getloadavg()[0]],
                    "level": given.level,
                    "bytes": given.bytes,
                    "rounds": given.rounds,
                    "rows": rows,
                },
                indent=1,
            )
        )
        return
    print(f"{'microseconds a sample':40}{'under way':>10}{'CPU':>8}{'(least-most)':>16}{'system':>8}{'wall':>8}")
    for row in rows:
        spread = f"({row['cpu_min_us']:.1f}-{row['cpu_max_us']:.1f})"
        print(f"{row['case']:40}{row['under_way']:10}{row['cpu_us']:8.1f}{spread:>16}{row['system_us']:8.1f}"
              f"{row['wall_us']:8.1f}")  # fmt: skip
    print(f"Python {platform.python_version()}, level {given.level}, {given.bytes} bytes, {given.rounds} rounds, "
          f"load {load:.1f} to {os.getloadavg()[0]:.1f}, commit {_commit()}")  # fmt: skip


def _commit():
    command = ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]
    asked = subprocess.run(command, capture_output=True, text=True, check=False)
    return asked.stdout.strip() or None


if __name__ == "__main__":
    main()
