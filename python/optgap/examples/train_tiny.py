"""A policy that learns from optgap's rewards alone, in minutes on a CPU: python -m optgap.examples.train_tiny

A byte-level decoder of 0.17 million random parameters has a short supervised start on optimal tours of the train split;
then TRL's own GRPOTrainer samples completions, the adapter parses, verifies and rewards them, and a curriculum climbs the
difficulty scale's first four steps. On val instances the result is compared with the start and with the best constant answer.

Needs torch, transformers, trl and datasets; --out needs matplotlib as well. Nothing is downloaded.
"""

from __future__ import annotations

import argparse
import json
import logging
import multiprocessing
import os
import pathlib
import resource
import sys
import tempfile
import warnings
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

import torch
import transformers

import optgap
from optgap.examples.seeds import shown
from optgap.examples.tiny_model import byte_tokenizer, random_model
from optgap.examples.tiny_problem import COMPLETION_TOKENS, LEVELS, PROMPT_BYTES, TASK, Problems, best_constant, drawn
from optgap.examples.tiny_training import (
    GROUP,
    PROMPTS,
    Asked,
    Measured,
    curriculum,
    measure,
    reinforce,
    supervise,
    top,
)
from optgap.trainers.trl.curriculum import CurriculumStream

_SELECTION, _CURVE, _FINAL = 0, 10_000, 20_000
"""First seeds of val instances: to choose the constant answer, for the curve, and for the numbers that are reported."""


@dataclass(frozen=True)
class Scale:
    """How long a run is."""

    supervised: int
    steps: int
    every: int
    """Steps between the table's lines."""
    curve: int
    final: int
    """Val instances per level."""
    margin: float
    """By which normalised quality must exceed the start's and the constant answer's."""


FULL = Scale(supervised=400, steps=150, every=15, curve=128, final=500, margin=0.15)
QUICK = Scale(supervised=400, steps=60, every=15, curve=64, final=250, margin=0.1)


class Seed:
    """The runs of one seed, which share their supervised start."""

    def __init__(self, seed: int, scale: Scale, use_cpu: bool) -> None:
        self.seed = seed
        self.scale = scale
        self.use_cpu = use_cpu
        self.engine = optgap.Engine("cpu", threads=1)
        self.tokenizer = byte_tokenizer()
        self.curve = [drawn(self.engine, "val", level, scale.curve, _CURVE) for level in LEVELS]
        self.final = [drawn(self.engine, "val", level, scale.final, _FINAL) for level in LEVELS]
        known = [drawn(self.engine, "val", level, scale.final, _SELECTION) for level in LEVELS]
        constants = [best_constant(self.engine, *pair) for pair in zip(known, self.final)]
        self.constant = sum(constants) / len(constants)
        started = self._model()
        supervise(started, self.tokenizer, self.engine, scale.supervised, seed)
        self.weights = started.state_dict()

    def run(self, reward: str) -> dict[str, Any]:
        """GRPO under a reward; what is reported of it."""
        model = self._model()
        model.load_state_dict(self.weights)
        asked, rows = Asked(self.engine), curriculum(self.seed)
        start = self._reported(model)
        curve = [(0, self._measured(model, self.curve).normalized)]
        self._line(reward, curve[0])

        def report(step: int, metrics: dict[str, float]) -> None:
            curve.append((step, self._measured(model, self.curve).normalized))
            self._line(reward, curve[-1], metrics, LEVELS[top(rows)])

        with tempfile.TemporaryDirectory() as folder:
            stream = CurriculumStream(rows, asked)
            reinforce(model, self.tokenizer, stream, reward, self.scale.steps, self.seed, folder, self.scale.every,
                      report, self.use_cpu)  # fmt: skip
        return {
            "reward": reward,
            "seed": self.seed,
            "start": start,
            "end": self._reported(model),
            "constant": self.constant,
            "curve": curve,
            "level": LEVELS[top(rows)],
            "trained_on_val": sum(int(asked.seen.contains(part.instances).sum()) for part in self.final),
        }

    def _model(self) -> transformers.GPT2LMHeadModel:
        model = random_model(self.tokenizer, self.seed, PROMPT_BYTES + COMPLETION_TOKENS)
        return model if self.use_cpu else model.to("cuda")

    def _reported(self, model: transformers.GPT2LMHeadModel) -> dict[str, dict[str, float]]:
        """`sampled` is the policy that was trained, `greedy` its likeliest answers."""
        return {name: asdict(self._measured(model, self.final, temperature))
                for name, temperature in (("sampled", 1.0), ("greedy", 0.0))}  # fmt: skip

    def _measured(
        self, model: transformers.GPT2LMHeadModel, levels: list[Problems], temperature: float = 1.0
    ) -> Measured:
        """Mean over levels, which have equally many rows."""
        parts = [asdict(measure(model, self.tokenizer, level, temperature)) for level in levels]
        return Measured(**{name: sum(part[name] for part in parts) / len(parts) for name in parts[0]})

    def _line(
        self, reward: str, point: tuple[int, float], metrics: dict[str, float] | None = None, top: str = LEVELS[0]
    ) -> None:
        """A line of the live table."""
        shown = metrics or {}
        names = ("reward", f"optgap/{TASK}/sr", f"optgap/{TASK}/normalized", "frac_reward_zero_std")
        cells = "".join(f"{shown[name]:11.3f}" if name in shown else f"{'-':>11}" for name in names)
        print(f"{reward[:12]:12} {self.seed:4} {point[0]:5}{cells} {top:>6} {point[1]:8.3f}", flush=True)


_HEAD = (f"{'reward':12} {'seed':>4} {'step':>5}{'reward':>11}{'feasible':>11}{'normalised':>11}{'equal':>11}"
         f"{'level':>6} {'val':>8}")  # fmt: skip


def run_seed(seed: int, rewards: list[str], scale: Scale, use_cpu: bool) -> list[dict[str, Any]]:
    """All runs of one seed, on one thread: matrices this small gain nothing from more."""
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    logging.getLogger("trl").setLevel(logging.ERROR)
    warnings.filterwarnings("ignore")
    shared = Seed(seed, scale, use_cpu)
    return [shared.run(reward) for reward in rewards]


def cpu_seconds() -> float:
    """Of this process and those it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def options_of(arguments: list[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser("python -m optgap.examples.train_tiny", description=__doc__.split("\n\n")[1])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5], help="default: 1 2 3 4 5")
    parser.add_argument(
        "--rewards", nargs="+", default=["forge", "normalized"], help="names or JSON; default: forge normalized"
    )
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE.png", help="a picture, and the numbers as FILE.json")
    parser.add_argument("--quick", action="store_true", help="one short run: the first seed under the first reward")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="seeds at a time; default: one a core")
    parser.add_argument("--cuda", action="store_true", help="train on a GPU")
    options = parser.parse_args(arguments)
    if options.quick:
        options.seeds, options.rewards = options.seeds[:1], options.rewards[:1]
    return options


def main(arguments: list[str] | None = None) -> int:
    """Exit code 1 when a run does not beat its start and the constant answer by the margin."""
    options = options_of(arguments)
    if options.out:
        from optgap.examples.tiny_picture import draw
    scale = QUICK if options.quick else FULL
    print(f"{TASK} at {' '.join(LEVELS)}, {PROMPTS} problems x {GROUP} rollouts a step\n\n{_HEAD}", flush=True)
    with ProcessPoolExecutor(options.jobs, multiprocessing.get_context("spawn")) as pool:
        jobs = [pool.submit(run_seed, seed, options.rewards, scale, not options.cuda) for seed in options.seeds]
        runs = [run for job in jobs for run in job.result()]

    print("\nnormalised quality on fresh val instances\n")
    print(f"{'reward':12} {'seed':>4} {'constant':>9} {'start':>9} {'end':>9} {'gain':>9} {'greedy':>18}")
    gains = []
    for run in runs:
        (start, end), (before, after) = (
            [run[when][how]["normalized"] for when in ("start", "end")] for how in ("sampled", "greedy")
        )
        gains.append(end - max(start, run["constant"]))
        print(f"{run['reward'][:12]:12} {run['seed']:4} {run['constant']:9.3f} {start:9.3f} {end:9.3f} "
              f"{gains[-1]:+9.3f} {before:8.3f} -> {after:.3f}")  # fmt: skip
    for reward in options.rewards:
        mine = [run for run in runs if run["reward"] == reward]
        print(f"{reward[:12]:12} over {len(mine)} seeds:" + "".join(
            f"  {how} {shown([run['end'][how]['normalized'] - run['start'][how]['normalized'] for run in mine], sign=True)}"
            for how in ("sampled", "greedy")))  # fmt: skip
    print(f"\n{cpu_seconds() / 60:.1f} CPU minutes")
    if options.out:
        numbers = {"task": TASK, "levels": LEVELS, "scale": asdict(scale), "cpu_seconds": cpu_seconds(), "runs": runs}
        options.out.with_suffix(".json").write_text(json.dumps(numbers, indent=1) + "\n")
        draw(str(options.out), runs, "A byte-level decoder of 0.17 M parameters learns tours of five cities")
    if min(gains) < scale.margin:
        print(f"a run gained less than {scale.margin}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
