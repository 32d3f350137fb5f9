"""The instances for both checks: levels, difficulty steps and odd ones, with our own solver's rows."""

import random as randoms
from dataclasses import dataclass, field

from rows import optgap
from tasks import MODULES

LEVELS = ["easy", "medium", "hard", "benchmark"]


@dataclass
class Item:
    """One instance; `row` names it for the program, `solved` is the row of `optgap solve`."""

    task: str
    group: str
    instance: dict
    row: dict
    solved: dict = field(default_factory=dict)

    @property
    def name(self):
        return self.row.get("key") or f"{self.task} {self.row['name']}: {self.instance}"


def generated(task, level, count, seed, split="val"):
    made = optgap("generate", task, "--level", level, "--count", str(count), "--seed", str(seed), "--split", split)
    group = "scale" if level.startswith("d") else level
    return [Item(task, group, row["instance"], {"key": row["key"]}) for row in made]


def odd(task, count, seed):
    random = randoms.Random(f"{task} odd {seed}")
    return [
        Item(task, "odd", instance, {"task": task, "instance": instance, "name": name})
        for name, instance in MODULES[task].odd_instances(random, count)
    ]


def pool(task, per_level, benchmark, steps, per_step, odd_count, seed):
    """Solved items, and those that the program's entry check refused."""
    items = []
    for level in LEVELS:
        items += generated(task, level, benchmark if level == "benchmark" else per_level, seed)
    for step in steps:
        items += generated(task, f"d{step}", per_step, seed)
    items += odd(task, odd_count, seed)
    for item, row in zip(items, optgap("solve", "-", rows=[item.row for item in items])):
        item.solved = row
    return [item for item in items if "error" not in item.solved], [item for item in items if "error" in item.solved]
