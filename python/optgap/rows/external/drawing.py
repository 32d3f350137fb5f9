"""Draws of external tasks made into a trainer's rows."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ... import _native
from ..._former import keywords as former_keywords
from ...core import arguments
from ...core.arguments import Spec
from ...core.errors import misuse
from .calls import Call, Code
from .keys import SPLITS, ExternalKey, generator_seed, level_of, problem_hash
from .own_pool import workers
from .pool import Pool
from .problems import ground_truth

logger = logging.getLogger("optgap")


class ExternalRow(NamedTuple):
    """What a trainer's data set holds of one problem."""

    prompt: str
    data_source: str
    """`optgap/<task>/dN`."""
    ground_truth: str
    """JSON with key, problem and format."""


@former_keywords(by="pool")
def rows(
    task: str | Sequence[str],
    level: Sequence[str],
    seed: Sequence[int],
    *,
    split: str = "train",
    format: Spec = "forge",
    pool: Pool | None = None,
) -> list[ExternalRow]:
    """Problems of draws, one row each: the environment's prompt, then how to answer in `format`.

    Raises Error, which names the draw, where an environment does not make its problem. Blocks until all are made, up to
    their deadlines: from an event loop, call it in a thread.

    Args:
        task: One name, or one a row.
        level: dN, one a row.
        seed: 64 bits, one a row.
        split: "train", "val" or "test"; no two share a generator's seed.
        format: The answer format of all rows.
        pool: None: this process's pool.
    """
    made = []
    for row in rows_or_reasons(task, level, seed, split=split, format=format, pool=pool):
        if isinstance(row, str):
            raise misuse("task", row)
        made.append(row)
    return made


@former_keywords(by="pool")
def rows_or_none(
    task: str | Sequence[str],
    level: Sequence[str],
    seed: Sequence[int],
    *,
    split: str = "train",
    format: Spec = "forge",
    pool: Pool | None = None,
) -> list[ExternalRow | None]:
    """As `rows`, with None for a problem that its environment did not make, which is logged: a curriculum draws another
    instead. Error still where an environment cannot be loaded at all."""
    made: list[ExternalRow | None] = []
    for row in rows_or_reasons(task, level, seed, split=split, format=format, pool=pool):
        if isinstance(row, str):
            logger.warning("%s", row)
        made.append(None if isinstance(row, str) else row)
    return made


def rows_or_reasons(
    task: str | Sequence[str],
    level: Sequence[str],
    seed: Sequence[int],
    *,
    split: str = "train",
    format: Spec = "forge",
    pool: Pool | None = None,
) -> Iterator[ExternalRow | str]:
    """As `rows`, with a sentence, what went wrong, in place of a row that was not made."""
    pool = pool or workers()
    names = [task] * len(seed) if isinstance(task, str) else list(task)
    if not len(names) == len(level) == len(seed):
        raise misuse("task, level, seed", "expected one entry a row each")
    if split not in SPLITS:
        raise misuse("split", f"is {split!r}, expected one of {', '.join(SPLITS)}")
    form = arguments.format_text(format)
    keys = [_key(pool, name, split, where, int(of)) for name, where, of in zip(names, level, seed)]
    calls = [
        Call(key.task, "generate", (key.level, generator_seed(key.task, key.split, key.level, key.seed)))
        for key in keys
    ]
    for key, outcome in zip(keys, pool.run(calls)):
        if outcome.code is not Code.OK:
            yield f"{key} was not generated: {outcome.code.label}: {outcome.message}"
            continue
        try:
            problem, prompt = outcome.value
            named = dataclasses.replace(key, hash=problem_hash(problem))
            how = _native.format_instructions(form, pool.describe(key.task).form)
            text = f"{prompt}\n\n{how}"
        except (TypeError, ValueError) as why:
            yield f"{key} was not generated: {why}"
            continue
        yield ExternalRow(text, f"optgap/{key.task}/d{key.level}", ground_truth(named, problem, form))


def _key(pool: Pool, task: str, split: str, level: str, seed: int) -> ExternalKey:
    seed = arguments.integer(seed, "seed", 0, 2**64 - 1)
    return ExternalKey(task, pool.describe(task).version, split, level_of(level), seed, "")
