"""RiVER's two failures on a CPU, in a minute: python -m optgap.examples.river_bandit

A softmax over sixteen programs a task learns from what they really got on hidden instances (river_matrix.json beside this
file), by the engine's own estimators. Prints where each ends, and which of the claims of docs/river.md hold.

Needs nothing but the package. Nothing is run, nothing is downloaded.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from optgap import Engine
from optgap.examples.river_picture import draw
from optgap.examples.seeds import held, interval, shown

ESTIMATORS = ("raw", "raw_binary", "rs_grpo", "instance_norm", "rank_uniform", "river")
STARTS = ("even", "common")
GROUP = 16
BEST, SPECIALIST = "careful", "large_alone"
MEDIOCRE = {"tsp": "nearest", "knapsack": "by_root"}
"""What most of the policy writes under the start `common`."""
MATRIX = pathlib.Path(__file__).with_name("river_matrix.json")

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Problem:
    """A task's programs under one start."""

    task: str
    start: str
    names: list[str]
    scores: Numbers
    """Programs × instances; NaN where invalid."""
    maximise: bool
    first: Numbers
    """The start's probabilities."""

    @property
    def quality(self) -> Numbers:
        """Of each program: the mean over instances of the ratio to the best there, 0 where invalid."""
        if self.maximise:
            ratio = self.scores / np.nanmax(self.scores, axis=0)
        else:
            ratio = np.nanmin(self.scores, axis=0) / self.scores
        return np.nan_to_num(ratio).mean(axis=1)


@dataclass(frozen=True)
class Run:
    """One estimator on one problem: means over seeds, and of each seed the end."""

    problem: Problem
    estimator: str
    best: list[float]
    """The probability of BEST before each step and after the last."""
    specialist: list[float]
    quality: list[float]
    ends: Numbers
    """Seeds × programs."""
    seeds: list[list[float]]
    """The probability of BEST, of each seed, a list a step."""

    @property
    def finals(self) -> tuple[list[float], list[float], list[float]]:
        """Of each seed at the end: the probabilities of BEST and SPECIALIST, and the quality."""
        names = self.problem.names
        parts = self.ends[:, names.index(BEST)], self.ends[:, names.index(SPECIALIST)], self.ends @ self.problem.quality
        return tuple(part.tolist() for part in parts)  # type: ignore[return-value]

    def alone(self, seed: int) -> Run:
        """The ends of one seed as a run of its own."""
        best, specialist, quality = ([part[seed]] for part in self.finals)
        return Run(self.problem, self.estimator, best, specialist, quality, self.ends[[seed]], [best])


def problem(task: str, start: str, share: float = 0.02, matrix: pathlib.Path = MATRIX) -> Problem:
    """From the matrix. `common`: `share` on BEST, 0.6 on the mediocre program, and the instances of the ordinary unit."""
    given = json.loads(matrix.read_text(encoding="utf-8"))[task]
    names = [program["name"].partition(".")[0] for program in given["programs"]]
    rows = [program["objectives"] for program in given["programs"]]
    scores = np.array([[np.nan if cell is None else cell for cell in row] for row in rows], dtype=np.float64)
    if start == "even":
        first = np.full(len(names), 1 / len(names))
    elif start == "common":
        scores = scores[:, [instance["unit"] == 1 for instance in given["instances"]]]
        first = np.full(len(names), (0.4 - share) / (len(names) - 2))
        first[names.index(BEST)] = share
        first[names.index(MEDIOCRE[task])] = 0.6
    else:
        raise ValueError(f"start: expected one of {', '.join(STARTS)}, not {start!r}")
    return Problem(task, start, names, scores, given["sense"] == "maximise", first)


def softmax(logits: Numbers) -> Numbers:
    """Of each row."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def learn(engine: Engine, on: Problem, estimator: str, steps: int = 200, seeds: int = 20, rate: float = 1.0) -> Run:
    """Policies of all seeds at once: each is a group of the one call that makes a step's advantages."""
    draws = [np.random.default_rng(seed) for seed in range(seeds)]
    logits = np.tile(np.log(on.first), (seeds, 1))
    groups = np.repeat(np.arange(seeds), GROUP)
    maximise = np.full(seeds * GROUP, int(on.maximise), dtype=np.int32)
    programs, best, specialist = len(on.names), on.names.index(BEST), on.names.index(SPECIALIST)
    run = Run(on, estimator, [], [], [], np.empty((seeds, programs)), [])
    for step in range(steps + 1):
        chances = softmax(logits)
        run.best.append(float(chances[:, best].mean()))
        run.seeds.append(chances[:, best].tolist())
        run.specialist.append(float(chances[:, specialist].mean()))
        run.quality.append(float((chances @ on.quality).mean()))
        if step == steps:
            run.ends[:] = chances
            break
        uniform = np.stack([one.random(GROUP) for one in draws])
        # The count of cumulated chances that a draw exceeds; the last is left out, since it may be a little below 1.
        drawn = (uniform[:, :, None] > chances.cumsum(axis=1)[:, None, :-1]).sum(axis=2)
        advantage = engine.advantages(
            np.zeros(seeds * GROUP, dtype=np.float32),
            groups,
            estimator,
            scores=on.scores[drawn.reshape(-1)],
            maximise=maximise,
        ).reshape(seeds, GROUP)
        taken = np.eye(programs)[drawn]
        logits += rate * (advantage[:, :, None] * (taken - chances[:, None, :])).mean(axis=1)
    return run


def by_seed(runs: Sequence[Run]) -> list[tuple[str, str, bool, list[bool]]]:
    """Each claim of each task, whether it holds of the means over seeds, and in which seeds."""
    alone = [claims([run.alone(seed) for run in runs]) for seed in range(len(runs[0].ends))]
    return [(*claim, [one[at][2] for one in alone]) for at, claim in enumerate(claims(runs))]


def claims(runs: Sequence[Run]) -> list[tuple[str, str, bool]]:
    """Of each task: the claim's number and text in docs/river.md, and whether it holds."""
    found = {(run.problem.task, run.problem.start, run.estimator): run for run in runs}
    rows = []
    for task in dict.fromkeys(run.problem.task for run in runs):
        even = {name: found[task, "even", name] for name in ESTIMATORS}
        common = {name: found[task, "common", name].best[-1] for name in ESTIMATORS}
        ahead = max(run.quality[-1] for run in even.values()) - even["river"].quality[-1]
        rows += [
            (task, "1 scale fails", all(even[name].specialist[-1] > 0.5 for name in ("raw", "raw_binary", "rs_grpo"))),
            (task, "2 ranks and norms do not",
             all(even[name].specialist[-1] < 0.1 for name in ("river", "rank_uniform", "instance_norm"))),
            (task, "3 river finds the best", even["river"].best[-1] > 0.5 and ahead <= 0.01),
            (task, "4 frequency fails", common["rank_uniform"] < 0.5),
            (task, "5 river avoids it", common["river"] > max(0.5, common["rank_uniform"] + 0.2)),
        ]  # fmt: skip
    return rows


def table(runs: Sequence[Run]) -> str:
    """Where each run ends."""
    lines = [
        f"{'task':10}{'start':8}{'estimator':15}{'careful':>14}{'large_alone':>14}{'quality':>16}  most likely at the end"
    ]
    for run in runs:
        mean = run.ends.mean(axis=0)
        cells = [shown(values, digits) for values, digits in zip(run.finals, (2, 2, 3))]
        top = [f"{run.problem.names[k]} {mean[k]:.2f}" for k in np.argsort(-mean)[:2]]
        lines.append(f"{run.problem.task:10}{run.problem.start:8}{run.estimator:15}"
                     f"{cells[0]:>14}{cells[1]:>14}{cells[2]:>16}  {', '.join(top)}")  # fmt: skip
    return "\n".join(lines)


def sweep(engine: Engine, steps: int, seeds: int) -> str:
    """The final probability of BEST from `common`, by its first share and the step length."""
    lines = [f"{'task':10}{'share':>7}{'rate':>6}" + "".join(f"{name:>15}" for name in ESTIMATORS)]
    for task in MEDIOCRE:
        for share in (0.005, 0.01, 0.02, 0.04, 0.08):
            for rate in (0.25, 1.0, 4.0):
                on = problem(task, "common", share)
                ends = [learn(engine, on, name, steps, seeds, rate).best[-1] for name in ESTIMATORS]
                lines.append(f"{task:10}{share:7}{rate:6}" + "".join(f"{end:15.2f}" for end in ends))
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Prints where each run ends and which claims hold; those that do not are part of what docs/river.md tells."""
    parser = argparse.ArgumentParser("python -m optgap.examples.river_bandit", description=__doc__.split("\n\n")[1])
    parser.add_argument("--seeds", type=int, default=20, help="default: 20")
    parser.add_argument("--steps", type=int, default=200, help="default: 200")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE.svg", help="a picture")
    parser.add_argument("--sweep", action="store_true", help="instead: first shares of the best, and step lengths")
    options = parser.parse_args(arguments)
    if options.seeds < 1 or options.steps < 4 or options.steps % 4:
        parser.error("--seeds: 1 or more; --steps: a multiple of four, since the picture has every fourth")
    if options.sweep and options.out:
        parser.error("--out: a sweep has no picture")
    engine = Engine("cpu", threads=1)
    if options.sweep:
        print(sweep(engine, options.steps, options.seeds))
        return 0
    runs = [
        learn(engine, problem(task, start), name, options.steps, options.seeds)
        for task in MEDIOCRE for start in STARTS for name in ESTIMATORS
    ]  # fmt: skip
    print(table(runs))
    for task, claim, holds, each in by_seed(runs):
        print(f"{task:10}{claim:26}{'holds' if holds else 'does not hold'} of the means; {held(each)}")
    if options.out:
        options.out.write_text(draw(_panels(runs)), encoding="utf-8")
    return 0


def _panels(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """What the picture shows: a panel for each task and start, a line for each estimator through every fourth step, and half the
    mean's 95 % interval there."""
    kept = dict.fromkeys((run.problem.task, run.problem.start) for run in runs)
    return [
        {"title": f"{task}, start {start}",
         "steps": len(runs[0].best) - 1,
         "lines": {run.estimator: [interval(values) for values in run.seeds[::4]]
                   for run in runs if (run.problem.task, run.problem.start) == (task, start)}}
        for task, start in kept
    ]  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
