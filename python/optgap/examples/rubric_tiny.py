"""A tiny decoder games rewards of free text, and does not game gated ones: python -m optgap.examples.rubric_tiny

It has read drafts of four manners (sentences, notes, ramblings, the prompt again) and learns by REINFORCE on optgap's own rewards and
group-relative advantages, once under each preset: `found`, `repo`, `paper` and `ours`. Prints reward, true score and length on prompts
that it never saw, and which of the claims of docs/rubric_tiny.md hold.

Needs nothing but the package. Nothing is downloaded.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import pathlib
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from optgap import Engine
from optgap.data.rubrics import Rubrics, gates
from optgap.examples.rubric_curves import draw
from optgap.examples.rubric_decoder import Decoder, Rollouts, supervise
from optgap.examples.rubric_facts import Problem, compiled, drafts, problems, readers, text
from optgap.examples.seeds import held, shown

ARMS = ("paper", "repo", "found", "ours")
TOP = {"repo": 2.0}
"""What a reference earns, where that is not 1."""
GROUP, PROMPTS = 16, 16
TRAINED_ON, HELD_OUT = 128, 64
"""Problems."""
RATE = 0.01
POINTS = 30
"""Measures of a run, beside that of its start."""
MEASURES = ("reward", "true", "words", "held_back")


@dataclass
class Run:
    """One decoder under one preset: measures on held-out prompts, a list an entry of `steps`."""

    arm: str
    seed: int
    steps: list[int] = field(default_factory=list)
    measures: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in MEASURES})
    sample: str = ""
    """The first held-out prompt's text at the end."""

    def end(self, name: str) -> float:
        return self.measures[name][-1]


class World:
    """What all runs share: problems, rubrics, what is held out, the start."""

    def __init__(self, seed: int, verbs: bool = False, supervised: int = 400) -> None:
        self.seed, self.verbs = seed, verbs
        self.engine = Engine("cpu", threads=1)
        self.known, self.fresh = problems(TRAINED_ON, seed), problems(HELD_OUT, 1_000_000 + seed)
        self.reader, self.gated = readers(self.fresh), compiled(self.fresh, "ours", verbs)
        self.start = Decoder(seed)
        supervise(self.start, drafts(2000, seed), supervised, 0.01, np.random.default_rng(seed))

    def run(self, arm: str, steps: int, every: int) -> Run:
        """Learns under a preset; the draws are those of every other arm."""
        decoder, draws = self.start.copy(), np.random.default_rng(self.seed)
        rewarding, measured = compiled(self.known, arm, self.verbs), compiled(self.fresh, arm, self.verbs)
        found = Run(arm, self.seed)
        for step in range(steps + 1):
            if step % every == 0:
                self._measure(decoder, found, measured, step)
            if step < steps:
                self.learn(decoder, rewarding, draws)
        return found

    def learn(self, decoder: Decoder, rewarding: Rubrics, draws: np.random.Generator) -> None:
        """One step: PROMPTS groups of GROUP texts, rewarded and compared by optgap."""
        asked = np.repeat(draws.choice(TRAINED_ON, PROMPTS, replace=False), GROUP)
        rolled = decoder.sample(len(asked), draws)
        reward = scored(rewarding, self.known, asked.tolist(), rolled)[1].reward
        advantage = self.engine.advantages(reward, np.repeat(np.arange(PROMPTS), GROUP), "grpo").astype(np.float64)
        decoder.step(rolled.states, rolled.taken, advantage[rolled.text] / len(rolled.taken), RATE)

    def _measure(self, decoder: Decoder, into: Run, measured: Rubrics, step: int) -> None:
        """On prompts that were never trained on; texts by a generator of their own, the same for all arms and steps."""
        asked = np.repeat(np.arange(HELD_OUT), 4).tolist()
        rolled = decoder.sample(len(asked), np.random.default_rng(7))
        texts, rewarded = scored(measured, self.fresh, asked, rolled)
        gated = self.gated.score(texts, asked)
        into.steps.append(step)
        values = (rewarded.reward.mean() / TOP.get(into.arm, 1.0), self.reader.score(texts, asked).total.mean(),
                  gated.gate_value[:, gates().index("length")].mean(), (gated.factor < 1024).mean())  # fmt: skip
        for name, value in zip(MEASURES, values):
            into.measures[name].append(float(value))
        into.sample = texts[0]


def scored(rubrics: Rubrics, problems: list[Problem], asked: list[int], rolled: Rollouts):  # type: ignore[no-untyped-def]
    """The texts, and what they earn."""
    texts = [text(problems[place], row) for place, row in zip(asked, rolled.rows)]
    finish = ["stop" if ended else "length" for ended in rolled.ended]
    return texts, rubrics.score(texts, asked, finish=finish)


def run_seed(seed: int, steps: int, verbs: bool, arms: Sequence[str]) -> list[Run]:
    """The arms of a seed, which have one start."""
    world = World(seed, verbs)
    return [world.run(arm, steps, steps // POINTS) for arm in arms]


def all_runs(
    seeds: int, steps: int, verbs: bool = False, jobs: int | None = None, arms: Sequence[str] = ARMS
) -> list[Run]:
    """A process a seed, each on one thread: matrices this small gain nothing from more, and lose much."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        asked = [pool.submit(run_seed, seed, steps, verbs, arms) for seed in range(1, seeds + 1)]
        return [run for job in asked for run in job.result()]


def mean(runs: Sequence[Run], arm: str, name: str, place: int = -1) -> float:
    """Over seeds."""
    return float(np.mean([run.measures[name][place] for run in runs if run.arm == arm]))


def reference_words() -> float:
    """Of the references that are trained on."""
    return float(
        np.mean([len(one.split()) for problem in problems(HELD_OUT, 1) for one in problem.rubric()["references"]])
    )


def by_seed(runs: Sequence[Run]) -> list[tuple[str, bool, list[bool]]]:
    """Each claim, whether it holds of the means over seeds, and in which seeds."""
    alone = [claims([run for run in runs if run.seed == seed]) for seed in dict.fromkeys(run.seed for run in runs)]
    return [(text, holds, [one[at][1] for one in alone]) for at, (text, holds) in enumerate(claims(runs))]


def claims(runs: Sequence[Run]) -> list[tuple[str, bool]]:
    """Those of docs/rubric_tiny.md, and whether each holds of the means over seeds."""

    def end(arm: str, name: str) -> float:
        return mean(runs, arm, name)

    own, ungated = reference_words(), ("found", "repo", "paper")
    return [
        ("1 every reward says that all is well", all(end(arm, "reward") >= 0.9 for arm in ARMS)),
        ("2 without gates it is gamed", all(end(arm, "true") < min(0.6, end("ours", "true") - 0.25) for arm in ungated)),
        ("3 with gates it is not", end("ours", "true") >= 0.85),
        ("4 found grows, ours keeps its length", end("found", "words") > 1.5 * own and 2 / 3 * own <= end("ours", "words") <= 1.5 * own),
        ("5 gates see it", min(end("repo", "held_back"), end("paper", "held_back")) >= 0.8 and end("ours", "held_back") <= 0.05),
    ]  # fmt: skip


def table(runs: Sequence[Run]) -> str:
    """Start and end of each arm: means over seeds, the ends with half their 95 % intervals."""
    lines = [f"{'arm':8}" + "".join(f"{name:>25}" for name in MEASURES)]
    for arm in dict.fromkeys(run.arm for run in runs):
        mine = [run for run in runs if run.arm == arm]
        cells = "".join(
            f"{mean(runs, arm, name, 0):9.2f} -> {shown([run.end(name) for run in mine], 2):>12}" for name in MEASURES
        )
        each = ", ".join(f"{run.end('true'):.2f}" for run in mine)
        lines.append(f"{arm:8}{cells}  true by seed: {each}")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Prints where each arm ends and which claims hold; those that do not are part of what docs/rubric_tiny.md tells."""
    parser = argparse.ArgumentParser("python -m optgap.examples.rubric_tiny", description=__doc__.split("\n\n")[1])
    parser.add_argument("--seeds", type=int, default=5, help="default: 5")
    parser.add_argument("--steps", type=int, default=300, help="default: 300")
    parser.add_argument("--verbs", action="store_true", help="instead: verbs are keywords, too")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="seeds at a time; default: one a core")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE.svg", help="a picture")
    options = parser.parse_args(arguments)
    if options.verbs and options.out:
        parser.error("--out: the picture is of rubrics without verbs")
    if options.seeds < 1 or options.steps < POINTS or options.steps % POINTS:
        parser.error(f"--seeds: 1 or more; --steps: a multiple of {POINTS}, since there are so many measures")
    runs = all_runs(options.seeds, options.steps, options.verbs, options.jobs)
    print(table(runs))
    for run in runs[: len(ARMS)]:
        print(f"\n{run.arm}: {run.sample}")
    print()
    for claim, holds, each in by_seed(runs):
        print(f"{claim:40}{'holds' if holds else 'does not hold'} of the means; {held(each)}")
    if options.out:
        curves = {
            arm: {name: [run.measures[name] for run in runs if run.arm == arm] for name in MEASURES} for arm in ARMS
        }
        options.out.write_text(draw(curves, runs[0].steps, reference_words()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
