"""What groups of evaluated rows are worth: advantages, and the rates that trainers log."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
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
    estimators rank objectives, the decoupled ones weigh components."""
    rows = evaluation.rows
    read = [row["code"] != NOT_EVALUATED and not math.isnan(row["score"]) for row in rows]
    rewards = np.array([row["score"] if ours else math.nan for row, ours in zip(rows, read)], np.float32)
    is_feasible = np.array([row["feasible"] > 0 for row in rows], bool)

    def component(name: str, defined: Any = True) -> np.ndarray:
        values = np.array([row[name] for row in rows], np.float32)
        return np.where(np.array(read) & defined, values, np.float32(math.nan))

    optimal = np.where(read, np.array(evaluation.optimal, np.float32), np.float32(math.nan))
    columns = [
        component("format"),
        component("feasible"),
        component("quality", is_feasible),
        component("normalized", is_feasible),
        optimal,
    ]
    for row, (content, style) in evaluation.pairs.items():
        if read[row]:
            columns[1][row], columns[2][row], columns[3][row] = style, content, rows[row]["normalized"]
    scores = np.array([math.nan if of is None else of for of in evaluation.objective], np.float64)
    scores[~np.array(read, bool)] = math.nan
    maximise = np.array(evaluation.maximise, np.int32)
    numbers = {"": -1}
    cohort = [numbers.setdefault(task, len(numbers)) for task in evaluation.tasks]
    if not (evaluation.matrix and ranks(spec_text(spec))):
        return group_advantages(rewards, groups, spec, lengths, columns, scores, maximise, cohort)

    def ranked(mine: list[int], table: np.ndarray) -> list[float]:
        return group_advantages(
            rewards[mine], [groups[row] for row in mine], spec, lengths and [lengths[row] for row in mine],
            [column[mine] for column in columns], table, maximise[mine], [cohort[row] for row in mine],
        )  # fmt: skip

    return ranked_by_instance(groups, evaluation.matrix, scores, read, ranked)


def group_advantages(
    rewards: Any, groups: Sequence[object], spec: str | Mapping[str, Any], lengths: Any = None, columns: Any = None,
    scores: Any = None, maximise: Any = None, cohort: Any = None,
) -> list[float]:  # fmt: skip
    """Advantages of plain numbers; `groups` are any hashable ids."""
    return engine().advantages(
        rewards, list(groups), spec_text(spec), cohort=cohort, length=lengths, components=columns, scores=scores,
        maximise=maximise,
    ).tolist()  # fmt: skip


def ranks(spec: str) -> bool:
    """Whether the estimator reads objectives."""
    from optgap import _native

    return bool(_native.ranks_scores(spec))


def ranked_by_instance(
    groups: Sequence[object], matrix: Mapping[int, Sequence[float | None]], scores: np.ndarray, counted: Sequence[bool],
    call: Callable[[list[int], np.ndarray], list[float]],
) -> list[float]:  # fmt: skip
    """Advantages of groups whose rows have different numbers of objectives: one call for each number. `matrix`: those of
    programs, per row; other rows have the one of `scores`. `counted`: has the row a reward? Raises Error for a group that
    mixes them. `call` takes rows and their table."""
    from optgap.core.errors import misuse

    width_of: dict[object, int] = {}
    for row, group in enumerate(groups):
        if counted[row]:
            mine = len(matrix.get(row, (None,)))
            if width_of.setdefault(group, mine) != mine:
                raise misuse(
                    "advantage",
                    f"ranks the rollouts of a group instance by instance, and group {group!r} has rows of {width_of[group]} "
                    f"and of {mine} instances",
                )
    values = [0.0] * len(groups)
    for width in sorted(set(width_of.values())):
        rows = [row for row, group in enumerate(groups) if width_of.get(group) == width]
        table = np.full((len(rows), width), math.nan)
        for place, row in enumerate(rows):
            if counted[row]:
                mine = matrix.get(row)
                table[place] = scores[row] if mine is None else [math.nan if one is None else one for one in mine]
        for row, value in zip(rows, call(rows, table)):
            values[row] = value
    return values


def _mean(values: Sequence[float]) -> float:
    return float(sum(values)) / len(values) if values else 0.0
