"""A policy that is asked twice and learns to answer better the second time: python -m optgap.examples.turns_tiny

The decoder of train_tiny has a short supervised start on conversations of two turns, in which half of the texts name a city twice.
Then TRL's own GRPOTrainer plays episodes of two turns by optgap's rollout function, and an episode earns what its second text
earns. On val instances both turns are compared with the start, over several seeds.

Needs torch, transformers, trl and datasets; --out needs matplotlib as well. Nothing is downloaded.
"""

from __future__ import annotations

import argparse
import json
import logging
import multiprocessing
import os
import pathlib
import random
import re
import sys
import tempfile
import warnings
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

import torch
import transformers
from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

import optgap
from optgap.data.dataset import ground_truth
from optgap.environments.rendering import next_turn
from optgap.environments.trl.rollout import episode_reward, rollout
from optgap.examples.seeds import held, shown
from optgap.examples.tiny_model import END, byte_tokenizer, random_model
from optgap.examples.tiny_problem import (
    COMPLETION_TOKENS,
    FORMAT,
    LEVELS,
    PROMPT_BYTES,
    Problems,
    drawn,
)
from optgap.examples.tiny_training import Logged

TURNS = 2
GROUP, PROMPTS = 8, 8
"""The batch of a step is PROMPTS groups of GROUP episodes."""
_VAL = 10_000
"""First seed of val instances."""
_SAID = 2
"""Bytes of what the user says between turns, as the template has it."""
EPISODE_TOKENS = TURNS * (COMPLETION_TOKENS + _SAID)
POSITIONS = PROMPT_BYTES + 2 * EPISODE_TOKENS
"""TRL lets each turn be as long as an episode; what is too long is cut behind it."""

TEMPLATE = (
    "{% for m in messages %}{% if m['role'] == 'assistant' %}{{ m['content'] }}" + END + "{% elif loop.first %}{{ m['content'] }}"
    "{% elif 'keeps every rule' in m['content'] %}+\n{% elif 'The form is right' in m['content'] %}-\n{% else %}?\n{% endif %}"
    "{% endfor %}"
)  # fmt: skip
"""A conversation as this decoder reads it: the problem's table, and of the feedback one byte, whether the last text kept every
rule, broke one, or had no form."""


@dataclass(frozen=True)
class Scale:
    """How long a run is."""

    supervised: int
    steps: int
    every: int
    """Steps between the curve's points."""
    val: int
    """Val instances a level."""


FULL = Scale(supervised=350, steps=32, every=8, val=24)
QUICK = Scale(supervised=250, steps=8, every=4, val=24)


def rows_of(problems: Sequence[Problems]) -> list[dict[str, Any]]:
    """A data set's rows, level by level, with one text as prompt each."""
    made = {}
    for part in problems:
        for key, baseline, prompt in zip(part.instances.keys, part.baselines.records(), part.prompts):
            content = [{"role": "user", "content": prompt}]
            made.setdefault(prompt, {"prompt": content, "ground_truth": ground_truth(key, baseline, FORMAT)})
    return list(made.values())


def careless(text: str) -> str:
    """The answer with its second city in place of its last."""
    cities = re.findall(r"\d", text)
    return text.replace(f"{cities[-1]}]", f"{cities[1]}]")


class Player:
    """The decoder in episodes of two turns."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.tokenizer = byte_tokenizer()
        self.tokenizer.chat_template = TEMPLATE
        self.model = random_model(self.tokenizer, seed, POSITIONS)

    def supervise(self, engine: optgap.Engine, steps: int, rows: int = 32) -> None:
        """Steps on `rows` conversations each, none seen twice: a text, the feedback, a text. Each text is optimal or
        careless, as a coin falls. The loss is on what the decoder writes."""
        each = -(-steps * rows // len(LEVELS))
        known = [drawn(engine, "train", level, each, self.seed * each) for level in LEVELS]
        draws = random.Random(self.seed)
        pairs = [pair for part in known for pair in zip(part.prompts, part.completions())]
        draws.shuffle(pairs)
        optimiser = torch.optim.AdamW(self.model.parameters(), lr=2e-3, weight_decay=0.0)
        warm = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: min(1.0, (step + 1) / 50))
        self.model.train()
        for step in range(steps):
            batch, labels = self._conversations(pairs[step * rows : (step + 1) * rows], draws)
            loss = self.model(input_ids=batch, labels=labels).loss
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            optimiser.step()
            warm.step()

    def _conversations(
        self, pairs: Sequence[tuple[str, str]], draws: random.Random
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Tokens and labels; all conversations have one length."""
        ids = []
        for prompt, best in pairs:
            first, second = (best if draws.random() < 0.5 else careless(best) for _ in range(TURNS))
            said = "+\n" if first == best else "-\n"
            ids.append([self.tokenizer(part).input_ids for part in (prompt, first + END, said, second + END)])
        tokens = torch.tensor([sum(parts, []) for parts in ids])
        labels = [[place if at % 2 else -100 for at, part in enumerate(parts) for place in part] for parts in ids]
        return tokens, torch.tensor(labels)

    @torch.no_grad()
    def play(self, rows: Sequence[dict[str, Any]]) -> list[list[Any]]:
        """An episode a row, sampled as in training; the turns of each."""
        episodes = [optgap.Episode(row, turns=TURNS) for row in rows]
        texts = [row["prompt"][0]["content"] for row in rows]
        self.model.eval()
        for _ in range(TURNS):
            given = self.tokenizer(texts, return_tensors="pt", padding=True)
            made = self.model.generate(**given, max_new_tokens=COMPLETION_TOKENS, do_sample=True, top_k=0)
            for at, written in enumerate(self.tokenizer.batch_decode(made[:, given.input_ids.shape[1] :])):
                text, ended, _ = written.partition(END)
                turn = episodes[at].submit(text.replace("<pad>", ""), finish="stop" if ended else "length")
                if turn.message is not None:
                    texts[at] += turn.text + END + next_turn(self.tokenizer, turn.message)
        return [episode.history for episode in episodes]


def measured(player: Player, rows: Sequence[dict[str, Any]]) -> dict[str, list[float]]:
    """Of each turn: mean reward, share of feasible texts, mean normalised quality."""
    torch.manual_seed(7)
    games = player.play(rows)
    turns = list(zip(*games))
    return {
        "reward": [sum(turn.reward for turn in one) / len(one) for one in turns],
        "feasible": [sum(float(turn.grade["feasible"]) for turn in one) / len(one) for one in turns],
        "normalized": [sum(float(turn.grade["normalized"] or 0) for turn in one) / len(one) for one in turns],
    }


def run_seed(seed: int, scale: Scale) -> dict[str, Any]:
    """The supervised start and GRPO of one seed, on one thread: matrices this small gain nothing from more."""
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    logging.getLogger("trl").setLevel(logging.ERROR)
    warnings.filterwarnings("ignore")
    engine = optgap.Engine("cpu", threads=1)
    player = Player(seed)
    player.supervise(engine, scale.supervised)
    val = rows_of([drawn(engine, "val", level, scale.val, _VAL) for level in LEVELS])
    each = -(-scale.steps * PROMPTS // len(LEVELS))
    asked = rows_of([drawn(engine, "train", level, each, 10_000_000 + seed * each) for level in LEVELS])
    random.Random(seed).shuffle(asked)
    curve = [{"step": 0, **measured(player, val)}]
    _line(seed, curve[-1])

    def report(step: int, _: dict[str, float]) -> None:
        curve.append({"step": step, **measured(player, val)})
        _line(seed, curve[-1])

    with tempfile.TemporaryDirectory() as folder:
        settings = GRPOConfig(
            output_dir=folder, max_steps=scale.steps, seed=seed, learning_rate=5e-4, lr_scheduler_type="linear",
            per_device_train_batch_size=PROMPTS * GROUP, num_generations=GROUP, max_completion_length=EPISODE_TOKENS,
            beta=0.0, logging_steps=scale.every, use_cpu=True, bf16=False, gradient_checkpointing=False, save_strategy="no",
            report_to=[], disable_tqdm=True,
        )  # fmt: skip
        trainer = GRPOTrainer(
            model=player.model, processing_class=player.tokenizer, reward_funcs=episode_reward,
            rollout_func=rollout(asked, turns=TURNS), train_dataset=Dataset.from_list(asked), args=settings,
            callbacks=[Logged(report)],
        )  # fmt: skip
        trainer.remove_callback(transformers.PrinterCallback)
        trainer.train()
    return {"seed": seed, "curve": curve}


def _line(seed: int, point: dict[str, Any]) -> None:
    cells = "".join(f"{value:9.3f}" for name in ("reward", "feasible", "normalized") for value in point[name])
    print(f"{seed:4} {point['step']:5}{cells}", flush=True)


def claims(run: dict[str, Any]) -> list[tuple[str, bool]]:
    """Those of docs/environments.md, of one seed."""
    start, end = run["curve"][0], run["curve"][-1]
    return [
        ("1 second texts earn at least 0.2 more than at the start", end["reward"][1] >= start["reward"][1] + 0.2),
        ("2 they earn more than first ones", end["reward"][1] > end["reward"][0]),
        ("3 at least 95 % of them keep every rule", end["feasible"][1] >= 0.95),
    ]  # fmt: skip


def picture(runs: Sequence[dict[str, Any]], path: pathlib.Path) -> None:
    """A line a seed, and the mean with its 95 % interval, of both turns."""
    from optgap.examples.tiny_picture import framed, spread  # noqa: PLC0415

    figure, axes = framed()
    for turn, name in enumerate(("first text", "second text, rewarded")):
        steps = [point["step"] for point in runs[0]["curve"]]
        spread(axes, steps, [[point["reward"][turn] for point in run["curve"]] for run in runs], turn, name)
    axes.set(xlabel="steps of GRPO (0: after the supervised start)", ylabel="mean reward on val instances",
             title=f"Episodes of two turns, rewarded for the second: {len(runs)} seeds")  # fmt: skip
    axes.legend(loc="upper left", frameon=False, fontsize=8)
    figure.savefig(path)


def main(arguments: list[str] | None = None) -> int:
    """Prints both turns over the steps, and which claims hold. Exit code 1 when a seed's second turn earns less than at its start."""
    parser = argparse.ArgumentParser(
        "python -m optgap.examples.turns_tiny", description=(__doc__ or "").split("\n\n")[1]
    )
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5], help="default: 1 2 3 4 5")
    parser.add_argument("--quick", action="store_true", help="one short run of the first seed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="seeds at a time; default: one a core")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE.png", help="a picture, and the numbers as FILE.json")
    options = parser.parse_args(arguments)
    scale, seeds = (QUICK, options.seeds[:1]) if options.quick else (FULL, options.seeds)
    print(
        f"{'':10}{'reward of turn':>18}{'feasible':>18}{'normalised':>18}\n{'seed':>4} {'step':>5}" + f"{1:9}{2:9}" * 3,
        flush=True,
    )
    with ProcessPoolExecutor(options.jobs, multiprocessing.get_context("spawn")) as pool:
        runs = list(pool.map(run_seed, seeds, [scale] * len(seeds)))
    for name in ("reward", "feasible", "normalized"):
        for turn in range(TURNS):
            start, end = ([run["curve"][at][name][turn] for run in runs] for at in (0, -1))
            print(f"{name:11} of text {turn + 1}: {shown(start)} -> {shown(end)}")
    apart = [run["curve"][-1]["reward"][1] - run["curve"][-1]["reward"][0] for run in runs]
    print(f"second above first at the end: {shown(apart, sign=True)}")
    for each in zip(*map(claims, runs)):
        print(f"{each[0][0]:60}{held([holds for _, holds in each])}")
    if options.out:
        options.out.with_suffix(".json").write_text(json.dumps({"scale": asdict(scale), "runs": runs}, indent=1) + "\n")
        picture(runs, options.out)
    return int(any(run["curve"][-1]["reward"][1] <= run["curve"][0]["reward"][1] for run in runs))


if __name__ == "__main__":
    sys.exit(main())
