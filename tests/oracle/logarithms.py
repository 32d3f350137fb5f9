#!/usr/bin/env python3
"""The logarithm that `apples` scores, computed by integers alone, against 50 decimal digits.

logarithms.py [COUNT]    default 100000 different stocks each the end of a run that is fed to the program
"""

import random as randoms
import sys

from rows import optgap
from tasks.apples import Run, worth

BATCH = 5_000


def posed(random):
    """(row, stock): a run with drawn purchases and waits, so that stocks of every size occur."""
    levels = random.randint(1, 4)
    instance = {
        "turns": random.choice([1, 3, 8, 20, 40, 80, 200]),
        "stock": random.randint(1, 10**6),
        "rates": [random.randint(1, 10 ** random.randint(0, 6))],
        "prices": [[random.randint(1, 3) for _ in range(levels)]],
    }
    run, answer, top = Run(instance), [], levels - 1
    for turn in range(instance["turns"]):
        level = min(top, (instance["turns"] - turn) * levels // instance["turns"])
        row = [level, 0] if random.random() < 0.8 and run.missing([level, 0]) <= 0 else [-1]
        run.turn(row)
        answer.append(row)
    return {"task": "apples", "instance": instance, "answer": answer}, run.stock


def main():
    count, random = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000, randoms.Random("logarithms")
    seen, wrong = set(), 0
    while len(seen) < count:
        batch = {}
        while len(batch) < min(BATCH, count - len(seen)):
            row, stock = posed(random)
            if stock not in seen:
                batch[stock] = row
        seen.update(batch)
        for stock, found in zip(batch, optgap("verify", "-", rows=list(batch.values())), strict=True):
            if found.get("objective") != worth(stock):
                wrong += 1
                print(f"MISMATCH stock {stock}: the program says {found.get('objective')}, 50 digits {worth(stock)}")
    print(f"{len(seen):,} stocks of up to {max(seen).bit_length()} bits, {wrong} mismatches")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
