"""A user's files as a trainer's rows: a prompt, whose reward it is (`data_source`), and what the reward reads (`ground_truth`)."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..._former import word as former_word
from ...core.arguments import Spec
from ...core.curriculum import Curriculum
from ...core.engine import Engine
from ...core.errors import misuse
from ...core.keys import tasks as known_tasks
from ...data.dataset import TRAINERS, Item, writing
from ...data.rubrics import Rubrics
from ..settings import ROWS
from .reading import Pair, Path, Problem, maths, pairs

BOXED = "\n\nReason step by step and put the final answer in \\boxed{}."
"""Behind a mathematical problem."""
THINKING = "\n\nThink between <think> and </think>, and put the answer between <answer> and </answer>."
"""Behind a prompt whose reasoning is rewarded."""


@dataclass(frozen=True)
class Outside(Item):
    """A row that another reward than optgap's rewards."""

    @property
    def data_source(self) -> str:
        return self.task


def of_file(kind: str, path: Path, *, preset: str = "paper", one_level: bool = False) -> list[Item]:
    """Rows of one kind of settings.ROWS, in the file's order.

    Args:
        kind: "rubrics", "judged", "modelled", "likely" (of pairs), or "maths".
        path: The file.
        preset: Whose arithmetic rewards rubrics.
        one_level: Of each rubric all keywords become one point.

    Raises:
        Error: The file breaks its form, a rubric is missing or cannot be read, or a row has no reference where the kind needs one.
    """
    makers: dict[str, Callable[[Any, int], Item]] = {
        "maths": _maths, "judged": _judged, "modelled": _modelled, "likely": _likely,
        "rubrics": lambda pair, index: _rubric(pair, index, preset, one_level),
    }  # fmt: skip
    kind = former_word("kind", kind, {"chains": "rubrics"})
    if kind not in makers:
        raise misuse("kind", f"is {kind!r}, expected one of {', '.join(makers)}: {ROWS.get(kind, 'no kind of rows')}")
    found: Sequence[Pair | Problem] = maths(path) if kind == "maths" else pairs(path)
    return [makers[kind](one, index) for index, one in enumerate(found)]


def mixed(first: Sequence[Item], last: Sequence[Item], count: int, share: float, seed: int) -> list[Item]:
    """At most `count` rows in a drawn order, `share` of them of `last`: as many as both files have for it."""
    for rows, part in ((first, 1 - share), (last, share)):
        count = count if part == 0 else min(count, int(len(rows) / part))
    others = int(count * share)
    rng = random.Random(seed)
    drawn = [*rng.sample(list(first), min(count - others, len(first))), *rng.sample(list(last), others)]
    rng.shuffle(drawn)
    return drawn


def interleaved(
    policy: Spec, tasks: Sequence[str], others: Sequence[Item], *, steps: int, batch: int, share: float, seed: int,
    format: str = "forge",
) -> Iterator[Item]:  # fmt: skip
    """The problems of a curriculum that follows no outcomes, in its order, with `share` of other rows in each step's batch; those
    begin again where they end."""
    engine = Engine("cpu")
    plan = Curriculum(policy, list(tasks), seed)
    version = {task.name: task.version for task in known_tasks()}
    rng = random.Random(seed)
    place = 0
    for _ in range(steps):
        mine = round(batch * share)
        draws = plan.draws(batch - mine, 0)
        keys = [f"{task}@{version[task]}:train:{level}:{int(number)}"
                for task, level, number in zip(draws.task, draws.level, draws.seed)]  # fmt: skip
        prompts = engine.prompts(engine.instances(keys), format)
        step: list[Item] = [
            Item(key, task, level, "", "train", place + row, _asked(prompt), json.dumps({"key": key, "format": format}))
            for row, (key, task, level, prompt) in enumerate(zip(keys, draws.task, draws.level, prompts))
        ]
        step += [others[(place + row) % len(others)] for row in range(mine)]
        place += batch
        rng.shuffle(step)
        yield from step
        plan.step()


def write(items: Iterator[Item] | Sequence[Item], out: str | os.PathLike[str], trainer: str) -> int:
    """Rows as verl, TRL, slime or OpenRLHF reads them, to a file that ends in .parquet or .jsonl; how many there are."""
    if trainer not in TRAINERS:
        raise misuse("trainer", f"is {trainer!r}, expected one of {', '.join(TRAINERS)}")
    rows = [TRAINERS[trainer](item) for item in items]
    with writing(os.fspath(out)) as writer:
        writer.write(rows)
    return len(rows)


def _asked(prompt: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": prompt}]


def _rubric(pair: Pair, index: int, preset: str, one_level: bool) -> Item:
    if pair.rubric is None:
        raise misuse("pairs", f"row {index + 1} has no chain: `optgap rubric make` writes it")
    rubric = flattened(pair.rubric) if one_level else pair.rubric
    truth = {"chain": rubric, "prompt": pair.prompt, "chain_preset": preset}
    Rubrics.compile([truth], preset)  # what cannot be read is an error now, and none of the run's
    return Item("", "chain", preset, "text", "train", index, _asked(pair.prompt), json.dumps(truth, ensure_ascii=False))


def flattened(rubric: dict[str, Any]) -> dict[str, Any]:
    """A rubric whose keywords of one reference are one list, in the order of the points. Raises Error where a list would be
    longer than rubrics allow; sequences are made anew, of the reference's text."""
    points = rubric.get("content", {}).get("points", [])
    lists: dict[int, list[Any]] = {}
    for point in points:
        for place, reference in enumerate(point["references"]):
            own = lists.setdefault(reference.get("of", place), [])
            own += [word for word in reference["keywords"] if word not in own]
    content = {**rubric.get("content", {}), "points": [
        {"name": "words", "references": [{"keywords": words, "of": of} for of, words in sorted(lists.items())]}
    ]}  # fmt: skip
    return {**rubric, "content": content}


def _outside(kind: str, index: int, prompt: str, truth: dict[str, Any]) -> Item:
    return Outside("", kind, "", kind, "train", index, _asked(prompt), json.dumps({kind: truth}, ensure_ascii=False))


def _maths(problem: Problem, index: int) -> Item:
    return _outside("maths", index, problem.prompt + BOXED, {"answer": problem.answer})


def _judged(pair: Pair, index: int) -> Item:
    return _outside("judged", index, pair.prompt, {"prompt": pair.prompt, "reference": _first(pair, index)})


def _modelled(pair: Pair, index: int) -> Item:
    return _outside("modelled", index, pair.prompt, {"prompt": pair.prompt})


def _likely(pair: Pair, index: int) -> Item:
    prompt = pair.prompt + THINKING
    return _outside("likely", index, prompt, {"prompt": prompt, "reference": _first(pair, index)})


def _first(pair: Pair, index: int) -> str:
    if not pair.references:
        raise misuse("pairs", f"row {index + 1} has no references")
    return pair.references[0]
