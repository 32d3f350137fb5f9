"""What one line of a folder of OPTGAP_STATS holds: counters per task and level, and the rewards of groups."""

from __future__ import annotations

import functools
import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

COUNTERS = ("rows", "feasible", "correct", "optimal", "truncated", "format_broken", "quality_sum_2p32",
            "normalized_sum_2p32")  # fmt: skip
"""Of a cell, beside its histogram: those of Statistics, and `normalized`, which may be negative."""
UNIT = 2.0**32
"""The sums' unit is 2^-32."""
CORRECT_FROM = 1.0
BINS = 64

_PREFIX = "optgap/"
_SPLIT = re.compile(r"@[\w.+-]+:(\w+):")
_NOT_EVALUATED = -1  # evaluation.NOT_EVALUATED

_Group = tuple[tuple[str, str], list[float | None]]
"""The cell of its first row, and its rewards."""


class Table:
    """What was counted since the last line, of one step."""

    def __init__(self) -> None:
        self.cells: dict[tuple[str, str], tuple[list[int], dict[int, int]]] = {}
        self.groups: dict[str, _Group] = {}
        self.keys: dict[str, _Group] = {}
        self.not_evaluated = 0

    def count(
        self,
        rows: Sequence[Mapping[str, Any]],
        optimal: Sequence[bool],
        ground_truths: Sequence[object],
        groups: Sequence[object] | None,
    ) -> None:
        """`groups`: names that are unique among the rollouts of one ground truth; None: there are none."""
        named = self.keys if groups is None else self.groups
        for at, row in enumerate(rows):
            if row["code"] == _NOT_EVALUATED:
                self.not_evaluated += 1
                continue
            split, name = _of(_text(ground_truths[at]))
            cell = _cell(row["data_source"], split)
            known = self.cells.get(cell)
            if known is None:
                known = self.cells[cell] = ([0] * len(COUNTERS), {})
            _add(known, row, optimal[at])
            if groups is not None:
                name = _named(name, groups[at])
            group = named.get(name)
            if group is None:
                group = named[name] = (cell, [])
            score = float(
                row.get("before_length", row["score"])
            )  # a group that differs by length alone has zero variance
            group[1].append(score if math.isfinite(score) else None)

    def line(self, now: float, step: int | None) -> dict[str, Any]:
        """As JSON has it; what is zero is left out."""
        place = {cell: index for index, cell in enumerate(self.cells)}
        line: dict[str, Any] = {"time": now}
        if step is not None:
            line["step"] = step
        line["cells"] = [
            {"task": task, "level": level, **{name: count for name, count in zip(COUNTERS, counts) if count},
             **({"quality_histogram": bins} if bins else {})}
            for (task, level), (counts, bins) in self.cells.items()
        ]  # fmt: skip
        for name, known in (("groups", self.groups), ("keys", self.keys)):
            if known:
                line[name] = [[group, place[cell], rewards] for group, (cell, rewards) in known.items()]
        if self.not_evaluated:
            line["not_evaluated"] = self.not_evaluated
        return line


def _add(cell: tuple[list[int], dict[int, int]], row: Mapping[str, Any], optimal: bool) -> None:
    """As cell_statistics::add of host/report/statistics.cpp."""
    counts, bins = cell
    counts[0] += 1
    if row["feasible"] > 0:
        quality = min(max(row["quality"], 0.0), 1.0)
        counts[1] += 1
        counts[2] += row["quality"] >= CORRECT_FROM
        counts[3] += bool(optimal)
        counts[6] += round(quality * UNIT)
        place = int(quality * (BINS - 1))
        bins[place] = bins.get(place, 0) + 1
    counts[4] += row["truncated"] != 0
    counts[5] += not row["format"] > 0
    counts[7] += round(row["normalized"] * UNIT)


@functools.lru_cache(maxsize=4096)
def _cell(data_source: str, split: str) -> tuple[str, str]:
    """Task and level. A level of another split than training's is `split:level`, and a user's own instance has the level
    `explicit`, as in Statistics."""
    task, _, level = data_source.removeprefix(_PREFIX).rpartition("/")
    level = "explicit" if level == "x" else level
    return task, level if split in ("", "train") else f"{split}:{level}"


@functools.lru_cache(maxsize=8192)
def _of(ground_truth: str) -> tuple[str, str]:
    """Its split, empty where it says none, and the name of its group."""
    split = _SPLIT.search(ground_truth[:400])
    return split[1] if split else "", _digest(ground_truth)


@functools.lru_cache(maxsize=8192)
def _named(name: str, group: object) -> str:
    return _digest(f"{name} {group}")


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _text(ground_truth: object) -> str:
    if isinstance(ground_truth, str):
        return ground_truth
    if isinstance(ground_truth, bytes):
        return ground_truth.decode("utf-8", "replace")
    return json.dumps(ground_truth, sort_keys=True, default=str)
