"""What groups of evaluated rows are worth: advantages, and the rates that trainers log."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from optgap.trainers.common.adapter_rows import NOT_EVALUATED, Evaluation
from optgap.trainers.common.ground_truth import PREFIX, engine
from optgap.trainers.common.reward_rules import spec_text


def metrics(rows: Sequence[Mapping[str, Any]], groups: Sequence[object] | None = None) -> dict[str, float]:
    """`optgap/<task>/sr|qr|normalized|level` of the evaluated rows, and `zero_variance_groups` where the groups are known: the
    share whose rewards are all equal. `level` is the mean step of the difficulty scale, of rows that are on the difficulty scale."""
    by_task: dict[str, list[int]] = {}
    for index, row in enumerate(rows):
        if row["code"] != NOT_EVALUATED:
            task, _, _ = row["data_source"].removeprefix(PREFIX).rpartition("/")
            by_task.setdefault(task, []).append(index)
    found: dict[str, float] = {}
    for task, mine in sorted(by_task.items()):
        place = f"{PREFIX}{task}/"
        found[place + "sr"] = _mean([rows[index]["feasible"] for index in mine])
        found[place + "qr"] = _mean([rows[index]["quality"] for index in mine])
        found[place + "normalized"] = _mean([rows[index]["normalized"] for index in mine])
        levels = [rows[index]["data_source"].rpartition("/")[2] for index in mine]
        steps = [int(level[1:]) for level in levels if level[0] == "d" and level[1:].isdigit()]
        found |= {place + "level": _mean(steps)} if steps else {}
        if groups is not None:
            numbers = {group: number for number, group in enumerate(dict.fromkeys(groups[index] for index in mine))}
            rewards, lost = ([rows[index][name] for index in mine] for name in ("score", "length_penalty"))
            from optgap.measure.statistics import filter_groups  # here: importing an adapter starts nothing

            kept = filter_groups(rewards, [numbers[groups[index]] for index in mine], lost).kept
            found[place + "zero_variance_groups"] = 1.0 - kept / len(numbers)
    return found


def advantages(
    evaluation: Evaluation, groups: Sequence[object], spec: str | Mapping[str, Any],
    lengths: Sequence[int] | None = None,
) -> list[float]:  # fmt: skip
    """Group-relative advantages of a batch that holds whole groups; unevaluated and excluded rows are masked and get 0. Ranking
    estimators rank objectives, the decoupled ones weigh components. Raises Error for a group that is ranked and has programs of
    different numbers of instances."""
    from optgap.core import arguments

    rows, count = evaluation.rows, len(evaluation.rows)
    columns: dict[str, Any] = {
        name: np.array([row[name] for row in rows], np.float32)
        for name in ("format", "feasible", "quality", "normalized")
    }
    columns["reward"] = np.array(
        [math.nan if row["code"] == NOT_EVALUATED else row["score"] for row in rows], np.float32
    )
    columns["optimal"] = np.array(evaluation.optimal, np.float32)
    columns["objective"] = np.array([0.0 if one is None else one for one in evaluation.objective], np.float64)
    columns["content"], columns["style"] = np.full((2, count), math.nan)
    for row, (content, style) in evaluation.pairs.items():
        columns["content"][row], columns["style"][row] = content, style
    scores = [evaluation.matrix.get(row, ()) for row in range(count)]
    columns["offsets"] = np.cumsum([0, *map(len, scores)], dtype=np.int64)
    columns["scores"] = np.array([math.nan if one is None else one for own in scores for one in own], np.float64)
    numbers = {"": -1}
    cohort = [numbers.setdefault(task, len(numbers)) for task in evaluation.tasks]
    found = engine()._native.group_advantages(
        **columns, group=arguments.group_rows(list(groups), count), cohort=np.array(cohort, np.int32),
        maximise=np.array(evaluation.maximise, np.int32), advantage=spec_text(spec),
        length=arguments.optional(lengths, np.int32, "length", count),
    )  # fmt: skip
    advantages: list[float] = found.tolist()
    return advantages


def group_advantages(
    rewards: Any, groups: Sequence[object], spec: str | Mapping[str, Any], lengths: Any = None, columns: Any = None,
    scores: Any = None, maximise: Any = None, cohort: Any = None,
) -> list[float]:  # fmt: skip
    """Advantages of plain numbers; `groups` are any hashable ids."""
    return engine().advantages(
        rewards, list(groups), spec_text(spec), cohort=cohort, length=lengths, components=columns, scores=scores,
        maximise=maximise,
    ).tolist()  # fmt: skip


def _mean(values: Sequence[float]) -> float:
    return float(sum(values)) / len(values) if values else 0.0
