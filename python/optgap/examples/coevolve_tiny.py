"""A proposer and a solver in one small decoder, rewarded by proof: python -m optgap.examples.coevolve_tiny

The decoder of train_tiny has two prompts: it writes ten distances between five cities, or a tour of them. Four arms have
equally many rollouts: problems of the difficulty scale, of a uniform random proposer, of a proposer that learns under the reward
`proof`, and of one that learns under 1 - p and passes no gate. Prints how the proposals are and what the solver is worth on
val problems, and which claims of docs/coevolution.md hold.

Needs torch and transformers; --out needs matplotlib as well. Nothing is downloaded.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import pathlib
import random
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
import torch
import transformers

import optgap
from optgap.examples.seeds import held, shown
from optgap.examples.tiny_model import END, byte_tokenizer, random_model
from optgap.examples.tiny_problem import CITIES, COMPLETION_TOKENS, FORMAT, LEVELS, PROMPT_BYTES, TASK, drawn, table
from optgap.trainers.roles import RoleRow, Roles

ARMS = ("scale", "random", "proof", "unguarded")
MEASURES = ("valid", "distinct", "signal", "novelty", "val")
GROUP, PROPOSALS, SOLVES = 8, 8, 8
PAIRS = CITIES * (CITIES - 1) // 2
PROPOSER_PROMPT = f"{'propose ten distances':{PROMPT_BYTES}}"
"""As long as a solver's, so that nothing is padded."""
PROPOSER_TOKENS = 2 * PAIRS + 1
RATE = 3e-4
_CURVE = 10_000
"""First seed of val instances."""


@dataclass(frozen=True)
class Scale:
    """How long a run is."""

    supervised: int
    rollouts: int
    """Of each arm, proposals among them."""
    points: int
    val: int
    """Val instances a level."""


FULL = Scale(supervised=400, rollouts=12_000, points=8, val=64)
QUICK = Scale(supervised=40, rollouts=600, points=2, val=16)


@dataclass
class Run:
    """One arm under one seed: measures at the end of each part of its rollouts."""

    arm: str
    seed: int = 1
    rollouts: list[int] = field(default_factory=list)
    measures: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in MEASURES})

    def end(self, name: str) -> float:
        return self.measures[name][-1]


class Player:
    """The decoder as both roles."""

    def __init__(self, seed: int) -> None:
        self.tokenizer = byte_tokenizer()
        self.model = random_model(self.tokenizer, seed, PROMPT_BYTES + COMPLETION_TOKENS)
        self.optimiser = torch.optim.AdamW(self.model.parameters(), lr=2e-3, weight_decay=0.0)
        self._draws = torch.Generator().manual_seed(seed)

    def write(self, prompts: Sequence[str], greedy: bool = False) -> list[str]:
        """One text a prompt; all prompts have one length."""
        self.model.eval()
        given = self.tokenizer(list(prompts), return_tensors="pt")
        torch.manual_seed(int(torch.randint(2**31, (1,), generator=self._draws)))
        how: dict[str, Any] = {"do_sample": False} if greedy else {"do_sample": True, "top_k": 0}
        with torch.no_grad():
            tokens = self.model.generate(**given, max_new_tokens=COMPLETION_TOKENS, **how)
        return self.tokenizer.batch_decode(tokens[:, given.input_ids.shape[1] :], skip_special_tokens=True)

    def learn(self, prompts: Sequence[str], texts: Sequence[str], weights: Sequence[float]) -> None:
        """One step up the weighted log-likelihood of texts."""
        used = [row for row, weight in enumerate(weights) if weight]
        if not used:
            return
        self.model.train()
        whole = [prompts[row] + texts[row] + END for row in used]
        # A text that was cut off has no end to learn: it lies behind the last position.
        batch = self.tokenizer(whole, return_tensors="pt", padding=True, padding_side="right", truncation=True,
                               max_length=PROMPT_BYTES + COMPLETION_TOKENS)  # fmt: skip
        tokens, mask = batch.input_ids, batch.attention_mask[:, 1:].float()
        mask[:, : PROMPT_BYTES - 1] = 0
        logits = self.model(**batch).logits[:, :-1]
        said = torch.log_softmax(logits, -1).gather(-1, tokens[:, 1:, None])[..., 0]
        weight = torch.tensor([weights[row] for row in used])[:, None]
        loss = -(said * mask * weight).sum() / (len(weights) * mask.sum() / len(used))
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()


def instance_of(text: str) -> dict[str, Any] | None:
    """The problem that twenty digits pose, pairs of cities as in a solver's table; None for other texts."""
    numbers = (
        [int(text[at : at + 2]) for at in range(0, 2 * PAIRS, 2)]
        if len(text) == 2 * PAIRS and text.isdecimal() and text.isascii()
        else []
    )
    if not numbers or min(numbers) < 10:
        return None
    rows = [[0] * CITIES for _ in range(CITIES)]
    pairs = ((a, b) for a in range(CITIES) for b in range(a))
    for (a, b), number in zip(pairs, numbers):
        rows[a][b] = rows[b][a] = number
    return {"distances": rows}


def as_question(text: str) -> str:
    """A proposal as the gates read it."""
    instance = instance_of(text)
    return f"<question>{text if instance is None else json.dumps({'task': TASK, 'instance': instance})}</question>"


def random_text(draws: random.Random) -> str:
    """What the uniform random proposer writes."""
    return "".join(str(draws.randrange(10, 100)) for _ in range(PAIRS))


class Arm:
    """One way to get problems, and one decoder that solves them."""

    def __init__(self, name: str, seed: int, scale: Scale, start: dict[str, torch.Tensor], folder: str) -> None:
        self.name, self.seed, self.scale = name, seed, scale
        self.engine = optgap.Engine("cpu", threads=1)
        self.player = Player(seed)
        self.player.model.load_state_dict(start)
        for group in self.player.optimiser.param_groups:
            group["lr"] = RATE
        self.draws = random.Random(f"{name}:{seed}")
        self.val = [drawn(self.engine, "val", level, scale.val, _CURVE) for level in LEVELS]
        self.seen: set[str] = set()
        self.scale_steps = 0
        pool = optgap.Pool(pathlib.Path(folder) / f"{name}.db", seed=seed)
        self.roles = Roles(self.engine, pool, tasks=[TASK], format=FORMAT, references=0, level=LEVELS[-1],
                           advantage={"roles": {"proposer": "task_reinforce_pp", "solver": "grpo", "judge": "grpo"}})  # fmt: skip

    def run(self) -> Run:
        found = Run(self.name, self.seed)
        used, sums = 0, dict.fromkeys(MEASURES, 0.0)
        steps, every = 0, self.scale.rollouts // self.scale.points
        self._measure(found, 0, sums, 0)
        while used < self.scale.rollouts:
            made, parts = (
                self.scale_step()
                if self.name == "scale"
                else self.unguarded_step()
                if self.name == "unguarded"
                else self.proven_step()
            )
            before, used, steps = used, used + made, steps + 1
            for name, value in parts.items():
                sums[name] += value
            if used // every > before // every:
                self._measure(found, used, sums, steps)
                sums, steps = dict.fromkeys(MEASURES, 0.0), 0
        return found

    def _measure(self, into: Run, used: int, sums: dict[str, float], steps: int) -> None:
        quality = []
        for level in self.val:
            texts = self.player.write(level.prompts, greedy=True)
            quality.append(
                float(self.engine.score(level.instances, texts, level.baselines, format=FORMAT).normalized.mean())
            )
        into.rollouts.append(used)
        for name in MEASURES:
            into.measures[name].append(float(np.mean(quality)) if name == "val" else sums[name] / max(1, steps))

    def _distinct(self, texts: Sequence[str]) -> float:
        fresh = [text for text in dict.fromkeys(texts) if text not in self.seen]
        self.seen.update(texts)
        return len(fresh) / len(texts)

    def scale_step(self) -> tuple[int, dict[str, float]]:
        """Problems of the generator alone."""
        count = PROPOSALS + SOLVES + PROPOSALS // GROUP
        part = drawn(
            self.engine, "train", LEVELS[self.scale_steps % len(LEVELS)], count, 50_000 + count * self.scale_steps
        )
        self.scale_steps += 1
        prompts = [prompt for prompt in part.prompts for _ in range(GROUP)]
        texts = self.player.write(prompts)
        scores = self.engine.score(part.instances, texts, part.baselines, format=FORMAT, reward="normalized")
        self.player.learn(prompts, texts, scores.advantage.tolist())
        return len(texts), {"signal": signal_of(scores.normalized.reshape(-1, GROUP))}

    def proven_step(self) -> tuple[int, dict[str, float]]:
        """The gates, the pool and the reward `proof`; of the random proposer nothing is learned."""
        step = self.roles.issue(PROPOSALS, SOLVES, GROUP)
        written: dict[int, tuple[str, str]] = {}
        while step.prompts:
            asked = step.prompts
            prompts = [PROPOSER_PROMPT if one.role == "proposer" else self._table(one.prompt) for one in asked]
            texts = self.player.write(prompts)
            if self.name == "random":
                texts = [random_text(self.draws) if one.role == "proposer" else text for one, text in zip(asked, texts)]
            written |= {one.ticket: pair for one, pair in zip(asked, zip(prompts, texts))}
            step.submit([as_question(text) if one.role == "proposer" else text for one, text in zip(asked, texts)])
        rows = step.collect()
        learned = [row for row in rows if row.role == "solver" or self.name == "proof"]
        self.player.learn(*zip(*(written[row.ticket] for row in learned)), [row.advantage for row in learned])
        own = [row for row in rows if row.role == "proposer"]
        return len(rows), {
            "valid": sum(row.code not in _BROKEN for row in own) / len(own),
            "distinct": self._distinct([written[row.ticket][1] for row in own]),
            "signal": mean_of(own, "signal"),
            "novelty": mean_of(own, "novelty"),
        }

    def _table(self, prompt: str) -> str:
        """The solver's prompt in this decoder's form, from the instance that the ticket is of."""
        return self._tables[prompt]

    @property
    def _tables(self) -> dict[str, str]:
        return {one.prompt: table(one.instance.json[0]) for one in self.roles._problems.values()}

    def unguarded_step(self) -> tuple[int, dict[str, float]]:
        """Whatever can be read is posed, and rewards 1 - p; problems of the pool beside, as in the other arms."""
        asked = [PROPOSER_PROMPT] * PROPOSALS
        said = self.player.write(asked)
        posed = [instance_of(text) for text in said]
        fresh = drawn(
            self.engine, "train", LEVELS[self.scale_steps % len(LEVELS)], SOLVES, 50_000 + SOLVES * self.scale_steps
        )
        self.scale_steps += 1
        there = [row for row, one in enumerate(posed) if one is not None]
        parts = [fresh.instances, *([self.engine.from_json(TASK, [posed[row] for row in there])] if there else [])]
        instances = optgap.Instances.concat(parts)
        prompts = [table(one) for one in instances.json for _ in range(GROUP)]
        texts = self.player.write(prompts)
        scores = self.engine.score(instances, texts, format=FORMAT, reward="normalized")
        groups = np.clip(scores.normalized.reshape(-1, GROUP), 0, 1)
        rewards = np.full(PROPOSALS, -1.0, np.float32)
        rewards[there] = 1 - groups[SOLVES:].mean(axis=1)
        rewarded = self.engine.advantages(rewards, np.zeros(PROPOSALS, np.int32), "reinforce_pp")
        self.player.learn([*asked, *prompts], [*said, *texts], [*rewarded.tolist(), *scores.advantage.tolist()])
        return PROPOSALS + len(texts), {
            "valid": len(there) / PROPOSALS,
            "distinct": self._distinct(said),
            "signal": signal_of(groups[SOLVES:]) * len(there) / PROPOSALS if there else 0.0,
        }


_BROKEN = ("not_json", "unknown_field", "unknown_task", "too_long", "too_large", "bad_instance", "truncated")


def mean_of(rows: Sequence[RoleRow], name: str) -> float:
    """Over all proposals: one that no gate let through has 0."""
    return sum(row.components.get(name, 0.0) for row in rows) / len(rows)


def signal_of(groups: Any) -> float:
    """Mean over groups of min(1, 4 s²)."""
    return float(np.minimum(1, 4 * np.clip(groups.astype(np.float64), 0, 1).var(axis=1, ddof=1)).mean())


def supervised(seed: int, steps: int) -> dict[str, torch.Tensor]:
    """The start of all arms: half of each batch are optimal tours of the train split, half random distances."""
    player, engine, draws = Player(seed), optgap.Engine("cpu", threads=1), random.Random(seed)
    known = [drawn(engine, "train", level, 8 * steps, seed * 8 * steps) for level in LEVELS]
    tours = [pair for part in known for pair in zip(part.prompts, part.completions())]
    draws.shuffle(tours)
    for step in range(steps):
        rows = tours[32 * step : 32 * step + 32] + [(PROPOSER_PROMPT, random_text(draws)) for _ in range(16)]
        prompts, texts = zip(*rows)
        player.learn(prompts, texts, [1.0] * len(rows))
    return player.model.state_dict()


def run_arm(name: str, seed: int, scale: Scale, start: dict[str, torch.Tensor]) -> Run:
    """In a process of its own, on one thread."""
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    with tempfile.TemporaryDirectory() as folder:
        return Arm(name, seed, scale, start, folder).run()


def all_runs(seed: int, scale: Scale, jobs: int | None = None, arms: Sequence[str] = ARMS) -> list[Run]:
    """The arms from one start."""
    torch.set_num_threads(1)
    start = supervised(seed, scale.supervised)
    with ProcessPoolExecutor(jobs or os.cpu_count(), multiprocessing.get_context("spawn")) as pool:
        return list(pool.map(run_arm, arms, [seed] * len(arms), [scale] * len(arms), [start] * len(arms)))


def claims(runs: Sequence[Run]) -> list[tuple[str, bool]]:
    """Those of docs/coevolution.md, by the last part of each arm's runs, and their means where there are several seeds."""
    ends = {
        arm: {name: float(np.mean([run.end(name) for run in runs if run.arm == arm])) for name in MEASURES}
        for arm in ARMS
    }
    guarded, free = ends["proof"], ends["unguarded"]
    return [
        ("1 at least 95 % of the proposals can be read", guarded["valid"] >= 0.95),
        ("2 they have 1.5 times the signal of random ones", guarded["signal"] >= 1.5 * ends["random"]["signal"]),
        ("3 the solver is no more than 0.02 below the difficulty scale's", guarded["val"] >= ends["scale"]["val"] - 0.02),
        ("4 without gates it collapses", free["distinct"] < 0.5 or free["valid"] < 0.5 or free["signal"] < 0.5 * guarded["signal"]),
    ]  # fmt: skip


def by_seed(runs: Sequence[Run]) -> list[tuple[str, bool, list[bool]]]:
    """Each claim, whether it holds of the means over seeds, and in which seeds."""
    alone = [claims([run for run in runs if run.seed == seed]) for seed in dict.fromkeys(run.seed for run in runs)]
    return [(text, holds, [one[at][1] for one in alone]) for at, (text, holds) in enumerate(claims(runs))]


def differences(runs: Sequence[Run]) -> list[tuple[str, list[float]]]:
    """What claims 2 and 3 compare, of each seed: arms of a seed have one start, so that the difference says more than two means."""
    ends = {(run.arm, run.seed): run for run in runs}
    seeds = list(dict.fromkeys(run.seed for run in runs))

    def apart(name: str, other: str) -> list[float]:
        return [ends["proof", seed].end(name) - ends[other, seed].end(name) for seed in seeds]

    return [
        ("signal: proof above random", apart("signal", "random")),
        *((f"val: proof above {arm}", apart("val", arm)) for arm in ARMS if arm != "proof"),
    ]


def lines(runs: Sequence[Run]) -> str:
    """The end of each arm: means over seeds, with half their 95 % intervals."""
    out = [f"{'arm':10}" + "".join(f"{name:>17}" for name in (*MEASURES, "val before"))]
    for arm in dict.fromkeys(run.arm for run in runs):
        mine = [run for run in runs if run.arm == arm]
        cells = [*([run.end(name) for run in mine] for name in MEASURES), [run.measures["val"][0] for run in mine]]
        out.append(f"{arm:10}" + "".join(f"{shown(values):>17}" for values in cells))
    return "\n".join(out)


def picture(runs: Sequence[Run], path: pathlib.Path) -> None:
    """A panel a measure; an arm that has no such measure has no line there."""
    from optgap.examples.tiny_picture import panels  # noqa: PLC0415

    panels(path, runs, ARMS, MEASURES)


def main(arguments: list[str] | None = None) -> int:
    """Prints where each arm ends and which claims hold; those that do not are part of what the page tells."""
    parser = argparse.ArgumentParser(
        "python -m optgap.examples.coevolve_tiny", description=(__doc__ or "").split("\n\n")[1]
    )
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5], help="default: 1 2 3 4 5")
    parser.add_argument(
        "--quick", action="store_true", help="a short run of the first seed, which shows that it works and nothing else"
    )
    parser.add_argument(
        "--rollouts", type=int, metavar="N", help=f"of each arm, 1000 or more; default: {FULL.rollouts}"
    )
    parser.add_argument("--jobs", type=int, help="arms at a time; default: one a core")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE.png", help="a picture, and the numbers as FILE.json")
    options = parser.parse_args(arguments)
    if options.rollouts is not None and (options.quick or options.rollouts < 1000):
        parser.error("--rollouts: 1000 or more, and not with --quick, whose number is fixed")
    seeds, scale = (options.seeds[:1], QUICK) if options.quick else (options.seeds, FULL)
    if options.rollouts is not None:
        scale = replace(scale, rollouts=options.rollouts)
    runs = [run for seed in seeds for run in all_runs(seed, scale, options.jobs)]
    print(lines(runs) + "\n")
    for name, values in differences(runs):
        print(f"{name:32}{shown(values, sign=True)}")
    for claim, holds, each in by_seed(runs):
        print(f"{claim:65}{'holds' if holds else 'does not hold'} of the means; {held(each)}")
    if options.out:
        options.out.with_suffix(".json").write_text(json.dumps([asdict(run) for run in runs], indent=1) + "\n")
        picture(runs, options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
