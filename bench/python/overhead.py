#!/usr/bin/env python3
"""Python's overhead in a reward step: wall time of Engine.score beside the seconds that its C++ stages report; the cost
of a call with only one row; and the cost of an awaited sample.

    python bench/python/overhead.py [--json]

The step: 384 groups of 16 rollouts, 16 kB of text each, with given baselines. Every case is checked before it is timed.
Cases take turns, and the median over the rounds counts. Texts of str are new objects in every round, as in a trainer.
"""

import argparse
import asyncio
import json
import platform
import statistics
import time

import optgap

GROUPS, GROUP, CHARS = 384, 16, 16_000


def texts_of(answers, filler, chars=CHARS):
    texts = []
    for row, answer in enumerate(answers):
        end = f"</think><answer>{json.dumps(answer)}</answer>"
        room = chars - len(end) - 16
        texts.append(f"<think>{row:08d} " + (filler * (room // len(filler) + 1))[:room] + end)
    return texts


def fresh(texts):
    """Makes equal texts in new objects."""
    return [text[:1] + text[1:] for text in texts]


def per_call(repeats=2000, rounds=7):
    """Microseconds of this thread's CPU time for calls on one row: the minimum of the rounds' means."""
    engine = optgap.Engine("cpu", threads=1)
    instances = engine.generate("tsp", level="easy")
    baselines = engine.solve(instances)
    texts = texts_of(baselines.answers.tolist(), "some thought ", 500)
    keys, records = instances.keys, baselines.records()
    calls = {
        "score": lambda: engine.score(instances, texts, baselines),
        "score, baseline as a record": lambda: engine.score(instances, texts, records),
        "parse": lambda: engine.parse(texts, instances),
        "verify": lambda: engine.verify(instances, baselines.answers),
        "instances from a key": lambda: engine.instances(keys),
        "advantages": lambda: engine.advantages([1.0], [0]),
    }
    least = dict.fromkeys(calls, float("inf"))
    for _ in range(rounds):
        for name, call in calls.items():
            began = time.thread_time_ns()
            for _ in range(repeats):
                call()
            least[name] = min(least[name], (time.thread_time_ns() - began) / repeats / 1000)
    return least


def awaited(samples=20_000, callers=256, rounds=5):
    """Microseconds of CPU time, of all threads, that one `await score_async` takes beyond the engine's own work, with
    256 callers on one event loop; the minimum of the rounds."""
    engine = optgap.Engine("cpu")
    instances = engine.generate("tsp", level="easy", count=8)
    baselines = engine.solve(instances)
    texts, keys = texts_of(baselines.answers.tolist(), "some thought ", 500), instances.keys
    batch = [number % len(keys) for number in range(callers)]
    began = time.process_time()
    for _ in range(samples // callers):
        engine.score(instances, [texts[row] for row in batch], baselines, instance_of=batch)
    own = time.process_time() - began

    async def caller(number):
        for k in range(number, samples, callers):
            await engine.score_async(keys[k % len(keys)], texts[k % len(keys)], finish="stop")

    async def main():
        began = time.process_time()
        await asyncio.gather(*(caller(number) for number in range(callers)))
        return time.process_time() - began

    return min(asyncio.run(main()) - own for _ in range(rounds)) / samples * 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--threads", type=int)
    options = parser.parse_args()

    engine = optgap.Engine("cpu", threads=options.threads)
    instances = engine.generate(["tsp", "knapsack", "independent_set"], level="benchmark", count=GROUPS // 3)
    baselines = engine.solve(instances)
    answers = engine.noisy_greedy(instances, GROUP).tolist()
    plain = texts_of(answers, "the distance from one city to the next is what counts here; ")
    umlauts = texts_of(answers, "die Entfernung zur nächsten Stadt zählt für die Tour; ")
    emoji = texts_of(answers, "the shortest tour so far has length 🦊 and that is not the end of it, 数; ")
    encoded = [text.encode() for text in plain]
    cases = {
        "ASCII str": lambda: fresh(plain),
        "bytes": lambda: encoded,
        "str with umlauts": lambda: fresh(umlauts),
        "str with emoji": lambda: fresh(emoji),
    }
    wanted = engine.score(instances, plain, baselines)
    wall, native = {name: [] for name in cases}, {name: [] for name in cases}
    for round_ in range(options.rounds + 2):
        for name, make in cases.items():
            texts = make()
            began = time.perf_counter()
            scores = engine.score(instances, texts, baselines)
            seconds = time.perf_counter() - began
            assert (scores.reward == wanted.reward).all() and (scores.advantage == wanted.advantage).all()
            if round_ >= 2:
                wall[name].append(seconds)
                native[name].append(sum(scores.seconds.values()))

    rows = []
    for name in cases:
        low = statistics.median(native[name])
        added = statistics.median(w - n for w, n in zip(wall[name], native[name]))
        rows.append(
            {
                "texts": name,
                "wall_ms": 1e3 * statistics.median(wall[name]),
                "native_ms": 1e3 * low,
                "added_ms": 1e3 * added,
                "added_percent": 100 * added / low,
                "rollouts_per_second": GROUPS * GROUP / statistics.median(wall[name]),
            }
        )
    if options.json:
        setting = {"engine": repr(engine), "python": platform.python_version(), "rounds": options.rounds}
        step = {"rollouts": GROUPS * GROUP, "chars": CHARS, "rows": rows}
        print(json.dumps({**setting, **step, "per_call_us": per_call(), "awaited_us": awaited()}, indent=1))
        return
    print(f"{engine}, Python {platform.python_version()}: {GROUPS * GROUP} rollouts of {CHARS} characters")
    print(f"{'texts':28}{'wall ms':>10}{'C++ ms':>10}{'added ms':>10}{'added %':>9}{'rollouts/s':>12}")
    for row in rows:
        values = (row["wall_ms"], row["native_ms"], row["added_ms"])
        print(f"{row['texts']:28}" + "".join(f"{value:10.2f}" for value in values), end="")
        print(f"{row['added_percent']:9.1f}{row['rollouts_per_second']:12,.0f}")
    print(f"\n{'one row a call':28}{'us (CPU)':>10}")
    for name, microseconds in per_call().items():
        print(f"{name:28}{microseconds:10.1f}")
    print(f"{'awaited, 256 callers':28}{awaited():10.1f}")


if __name__ == "__main__":
    main()
