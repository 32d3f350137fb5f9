#!/usr/bin/env python3
"""The cost of the pass and the 83 types of IFEval and IFBench on one text, ours and evalscope's, on the same texts in
one run.

bench_checks.py BINARY [--texts N] [--rounds K] [--each]      needs the wheels of check_peers.py; processor time of one thread"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import time

import make_texts
import peer_code
import text_rules
import vacuity


def prose(rng, size):
    """Paragraphs of ordinary sentences and a list, cut to a length."""
    words = [word for word in make_texts.WORDS if word.isascii()]
    out = ""
    while len(out) < size:
        paragraph = " ".join(
            " ".join(rng.choices(words, k=rng.randint(6, 22))).capitalize() + rng.choice("...?!")
            for _ in range(rng.randint(3, 6))
        )
        out += (
            paragraph
            + "\n\n"
            + (
                "".join(f"* {' '.join(rng.choices(words, k=5))}\n" for _ in range(4)) + "\n"
                if rng.random() < 0.3
                else ""
            )
        )
    return out[:size]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--texts", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--each", action="store_true")
    options = parser.parse_args()
    peer_code.set_up()
    registry = {
        **peer_code.load("evalscope", "ifeval", text_rules.plain),
        **peer_code.load("evalscope", "ifbench", text_rules.plain),
    }
    kinds = json.loads(subprocess.run([options.binary, "--kinds"], capture_output=True, text=True, check=True).stdout)[
        "types"
    ]
    rng = random.Random(1)
    texts = [prose(rng, 3850) for _ in range(options.texts)]
    checks = [
        (kind["name"], vacuity.arguments(rng, [name for name, _ in kind["arguments"]]))
        for kind in kinds
        if kind["suite"] != "IF-RLVR"
    ]
    row = {
        "checks": [{"check": name, **given} for name, given in checks],
        "mode": "peer",
        "texts": texts,
        "rounds": options.rounds,
        "each": options.each,
    }
    ours = json.loads(
        subprocess.run(
            [options.binary, "--time"], input=json.dumps(row) + "\n", capture_output=True, text=True, check=True
        ).stdout
    )
    print(f"{len(checks)} types, {len(texts)} texts of 3,850 bytes")
    print(
        f"ours: pass {ours['pass_ns'] / 1000:.1f} µs ({3850 / ours['pass_ns']:.2f} GB/s), checks {ours['checks_ns'] / 1000:.1f} µs"
    )
    if options.each:
        expensive = sorted(zip(ours["each_ns"], (name for name, _ in checks)), reverse=True)[:20]
        print(", ".join(f"{name} {spent / 1000:.1f}" for spent, name in expensive))
    times = []
    for text in texts:
        begin = time.process_time()
        for name, given in checks:
            wanted = {key: value for key, value in given.items() if key not in vacuity.TABLES}
            peer_code.verdict(registry, name, wanted, text)
        times.append(time.process_time() - begin)
    middle = statistics.median(times) * 1e6
    print(
        f"evalscope: {middle:.0f} µs ({middle / ours['checks_ns'] * 1000:.0f} times), quartiles "
        + " to ".join(f"{t * 1e6:.0f}" for t in statistics.quantiles(times, n=4)[::2])
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
