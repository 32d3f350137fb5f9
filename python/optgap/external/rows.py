"""Draws of external tasks made into a trainer's rows."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

from .. import _native, arguments
from ..arguments import Spec
from ..errors import misuse
from .keys import SPLITS, ExternalKey, generator_seed, level_of, problem_hash
from .paying import ground_truth
from .pool import Call, Code, Pool, pool


class ExternalRow(NamedTuple):
    """What a trainer's data set holds of one problem."""

    prompt: str
    data_source: str
    """`optgap/<task>/dN`."""
    ground_truth: str
    """JSON with key, problem and format."""


def rows(
    task: str | Sequence[str],
    level: Sequence[str],
    seed: Sequence[int],
    *,
    split: str = "train",
    format: Spec = "forge",
    by: Pool | None = None,
) -> list[ExternalRow]:
    """Problems of draws, one row each: the environment's prompt, then how to answer in `format`.

    Raises Error, which names the draw, where an environment does not make its problem: rows that were drawn cannot be left
    out. Blocks until all are made, up to their deadlines: from an event loop, call it in a thread.

    Args:
        task: One name, or one a row.
        level: dN, one a row.
        seed: 64 bits, one a row.
        split: "train", "val" or "test"; no two share a generator's seed.
        format: The answer format of all rows.
        by: None: this process's pool.
    """
    workers = by or pool()
    names = [task] * len(seed) if isinstance(task, str) else list(task)
    if not len(names) == len(level) == len(seed):
        raise misuse("task, level, seed", "expected one entry a row each")
    if split not in SPLITS:
        raise misuse("split", f"is {split!r}, expected one of {', '.join(SPLITS)}")
    form = arguments.format_text(format)
    keys = [_key(workers, name, split, where, int(of)) for name, where, of in zip(names, level, seed)]
    outcomes = workers.run(
        [
            Call(key.task, "generate", (key.level, generator_seed(key.task, key.split, key.level, key.seed)))
            for key in keys
        ]
    )
    made = []
    for key, outcome in zip(keys, outcomes):
        if outcome.code is not Code.OK:
            raise misuse("task", f"{key} was not generated: {outcome.code.label}: {outcome.message}")
        try:
            problem, prompt = outcome.value
            named = dataclasses.replace(key, hash=problem_hash(problem))
        except (TypeError, ValueError) as why:
            raise misuse("task", f"{key} was not generated: {why}") from None
        if not isinstance(prompt, str):
            raise misuse("task", f"{key} was not generated: its prompt is no text")
        how = _native.format_instructions(form, workers.describe(key.task)["form"])
        made.append(ExternalRow(f"{prompt}\n\n{how}", f"optgap/{key.task}/d{key.level}", ground_truth(named, problem, form)))
    return made


def _key(workers: Pool, task: str, split: str, level: str, seed: int) -> ExternalKey:
    seed = arguments.integer(seed, "seed", 0, 2**64 - 1)
    return ExternalKey(task, workers.describe(task)["version"], split, level_of(level), seed, "")
