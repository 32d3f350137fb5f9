"""Draws of a pool as rows that trainers read."""

from __future__ import annotations

import json
from typing import Any

from ... import _native
from ...core import arguments
from ...core.arguments import Spec
from ...core.engine import Engine
from ...core.errors import misuse
from ...data.dataset import TRAINERS, Item
from . import PoolDraws
from .mixed import MixedDraws


def pool_rows(
    trainer: str, engine: Engine, draws: PoolDraws | MixedDraws, format: Spec = "forge", system: str | None = None
) -> list[dict[str, Any]]:
    """Rows as `optgap dataset` writes them, for problems of this step: a file would be of one step alone.

    The ground truth of a drawn entry holds the instance under the labels of its draw with its proven baseline; that of the
    others is a key. `role` ("solver") and `entry` (-1 where it is none's) stand in verl's extra_info, in slime's metadata and
    as TRL's columns; OpenRLHF's rows have no place for them.

    Args:
        trainer: "verl", "trl", "openrlhf" or "slime".
        engine: Proves what no draw says.
        draws: From Pool.draw or PoolCurriculum.draw.
        format: The answer format; prompts ask for it and the ground truth carries it.
        system: Content of a system message before the prompt.
    """
    if trainer not in TRAINERS:
        raise misuse("trainer", f"is '{trainer}', expected one of {', '.join(TRAINERS)}")
    text = arguments.format_text(format)
    instances = draws.instances
    prompts = engine.prompts(instances, text)
    baselines = draws.baselines(engine) if isinstance(draws, MixedDraws) else draws.baselines
    opening = [] if system is None else [{"role": "system", "content": system}]
    keys, shown, records = instances.keys, instances.json, baselines.records()
    rows = []
    for row, entry in enumerate(draws.entry.tolist()):
        task = engine.tasks[int(instances.task[row])]
        truth: dict[str, Any] = (
            {"key": keys[row]} if entry < 0 else {"task": task.name, "instance": json.loads(shown[row])}
        )
        truth.update(baseline=records[row], format=text)
        level = "x" if entry >= 0 else _native.level_name(int(instances.level[row]))
        item = Item(keys[row], task.name, level, task.category, "train", row,
                    [*opening, {"role": "user", "content": prompts[row]}], json.dumps(truth, separators=(",", ":")))  # fmt: skip
        made = TRAINERS[trainer](item)
        place = {"verl": "extra_info", "slime": "metadata"}.get(trainer)
        if trainer != "openrlhf":
            (made if place is None else made[place]).update(role="solver", entry=entry)
        rows.append(made)
    return rows
