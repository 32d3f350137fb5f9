#!/usr/bin/env python3
"""How long a caller waits for proposals with proofs: `submit` of a step of roles, without and with a scheduler, and the whole step.

    python bench/python/role_proposals.py [--proposals N] [--task T] [--level L] [--rounds N]

Proposals are different explicit instances of the generator. Both ways take turns; results are medians of the rounds in
milliseconds. Both ways must score the same rows.
"""

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path

import optgap


def step_of(engine, texts, options, scheduler):
    """Seconds of `submit`, seconds until all solvers of the step can be asked, and the rewards."""
    with tempfile.TemporaryDirectory() as folder:
        pool = optgap.Pool(Path(folder) / "pool.db", seed=1)
        roles = optgap.Roles(engine, pool, tasks=[options.task], scheduler=scheduler)
        step = roles.issue(proposals=len(texts), solves=0, group=1)
        began = time.perf_counter()
        step.submit(texts)
        submitted = time.perf_counter()
        asked = step.prompts
        checked = time.perf_counter()
        step.submit(["nothing"] * len(asked))
        rows = [(row.ticket, row.code, str(row.reward), str(row.advantage)) for row in step.collect()]
    return submitted - began, checked - began, rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--proposals", type=int, default=64)
    parser.add_argument("--task", default="tsp")
    parser.add_argument("--level", default="hard")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    engine = optgap.Engine("cpu")
    posed = engine.generate(options.task, options.level, options.proposals, seed=1000).json
    texts = [
        f'<question>{{"task": "{options.task}", "instance": {json.dumps(json.loads(one))}}}</question>' for one in posed
    ]
    found = {"without": [], "with": []}
    with optgap.Scheduler(engine) as scheduler:
        for _ in range(options.rounds):
            for name, by in (("without", None), ("with", scheduler)):
                found[name].append(step_of(engine, texts, options, by))
    assert len({str(rows) for ways in found.values() for _, _, rows in ways}) == 1, "the ways reward different rows"
    sound = sum(code == "ok" for _, code, *_ in found["with"][0][2][: len(texts)])
    print(f"{options.proposals} proposals of {options.task} at {options.level}, {sound} sound")
    for name, ways in found.items():
        submit, whole = (statistics.median(one[place] for one in ways) * 1e3 for place in (0, 1))
        print(f"{name:8} a scheduler: submit {submit:9.2f} ms, until all are checked {whole:9.2f} ms")


if __name__ == "__main__":
    main()
