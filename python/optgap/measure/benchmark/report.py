"""The report as data: rates with intervals per task, level, category and altogether, and all that stands beside them.
It holds nothing of the clock: the same rollouts give the same bytes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.keys import tasks
from ...data.suites import Suite
from ..statistics import Statistics
from . import measures
from .measures import Ratio
from .sampling import Part
from .table import Table

Rows = npt.NDArray[np.intp]


def made(
    settings: dict[str, Any], part: Part, twins: Part | None, suites: Sequence[Suite] = ()
) -> dict[str, Any]:  # fmt: skip
    """The report of a run that has ended.

    `tasks`, `levels`, `categories`, `classes`, `families`, `suites` and `all` hold rates as shares of 1 with `intervals` beside them, None where there
    is nothing to count; docs/bench_model.md lists the fields.
    """
    table, questions = part.table, part.questions
    known = {task.name: task for task in tasks()}
    names = questions.tasks
    rates = measures.rates_of(table)
    at = {k: measures.rates_at(table, k) for k in measures.sizes_of_k(part.samples)}
    anchors = part.anchors()
    proven = part.proven

    def of_task(field: str) -> list[str]:
        """An environment's are not known."""
        return [getattr(known[name], field) or "-" if name in known else "environment" for name in names]

    def cell(rows: Rows, label: str) -> dict[str, Any]:
        return {
            **_rates(rates, rows, label),
            "at": [{"k": k, **_rates(of, rows, label)} for k, of in at.items()],
            **measures.counts_of(table, rows),
            "proven": int(proven[rows].sum()),
            "anchors": {
                policy: {name: _mean(values[rows]) for name, values in of.items()} for policy, of in anchors.items()
            },
        }

    places = list(zip(names, questions.levels))

    def rolled_up(labels: Sequence[str]) -> dict[str, Any]:
        return {name: cell(rows, name) for name, rows in sorted(_grouped(labels))}

    def of_suite(suite: Suite) -> dict[str, Any]:
        posed = {(entry.native, level) for entry in suite.native for level in entry.levels}
        rows = np.asarray([row for row, place in enumerate(places) if place in posed], np.intp)
        left_out = [entry.task for entry in suite.entries if entry.place != "native"]
        return {"suite": suite.name, "hash": suite.hash, "role": suite.role, "training": suite.training,
                "tasks": len(suite.entries), "left_out": left_out, **cell(rows, suite.name)}  # fmt: skip

    run = json.loads(Statistics().to_json())["run"]
    return {
        "optgap_report": 1,
        "fingerprint": run["fingerprint"],
        "settings": settings,
        "models": dict(sorted(part.models.items())),
        "tasks": {name: cell(rows, name) for name, rows in _grouped(names)},
        "levels": [
            {"task": name, "level": level, **cell(rows, f"{name} {level}")} for (name, level), rows in _grouped(places)
        ],
        "categories": rolled_up(of_task("category")),
        "classes": rolled_up(of_task("task_class")),
        "families": rolled_up(of_task("family")),
        "suites": [of_suite(suite) for suite in suites],
        "all": cell(np.arange(len(questions)), "all"),
        "quality_by_tokens": by_tokens(table),
        "lengths": lengths(table),
        "twins": None if twins is None else _twins(part, twins),
    }


def _mean(values: npt.NDArray[np.float64]) -> float | None:
    """None where nothing is known."""
    mean = float(values.mean())
    return None if np.isnan(mean) else round(mean, 6)


def _rates(rates: dict[str, Ratio], rows: Rows, label: str) -> dict[str, Any]:
    chosen = {name: ratio[rows] for name, ratio in rates.items()}
    values = {name: ratio.value for name, ratio in chosen.items()}
    return {**values, "intervals": measures.intervals_of(chosen, label)}


def dumped(report: dict[str, Any]) -> str:
    return json.dumps(report, indent=2, ensure_ascii=False) + "\n"


def by_tokens(table: Table) -> list[dict[str, Any]]:
    """Quality and success rate of rollouts by their length: tokens where the server counted any, else characters."""
    found = []
    for low, inside in _bins(_lengths(table)[1]):
        quality, feasible = table.quality[table.scored][inside], table.feasible[table.scored][inside]
        rows = int(inside.sum())
        ones = np.ones(rows)
        of = {"qr": Ratio(quality.astype(np.float64), ones), "sr": Ratio(feasible.astype(np.float64), ones)}
        found.append({"from": low, "rollouts": rows, **_rates(of, np.arange(rows), f"tokens {low}")})
    return found


def lengths(table: Table) -> dict[str, Any]:
    """A histogram of rollouts by length, in columns of one width."""
    unit, values = _lengths(table)
    most = int(values.max()) + 1 if len(values) else 1
    width = max(1, -(-most // 24))
    counts = np.bincount(values // width, minlength=-(-most // width)) if len(values) else np.zeros(1, np.int64)
    return {"unit": unit, "width": width, "counts": counts.tolist()}


def _lengths(table: Table) -> tuple[str, npt.NDArray[np.int64]]:
    counted = table.tokens[table.scored]
    return ("tokens", counted) if len(counted) and counted.min() >= 0 else ("characters", table.chars[table.scored])


def _bins(values: npt.NDArray[np.int64]) -> list[tuple[int, npt.NDArray[np.bool_]]]:
    """By doublings: the least value of each bin that holds any, and which are in it."""
    place = np.floor(np.log2(np.maximum(values, 1))).astype(np.int64)
    return [(2 ** int(step), place == step) for step in np.unique(place)]


def _grouped(labels: Sequence[Any]) -> list[tuple[Any, Rows]]:
    """Each label with its rows, in the order in which labels first come."""
    found: dict[Any, list[int]] = {}
    for row, label in enumerate(labels):
        found.setdefault(label, []).append(row)
    return [(label, np.asarray(rows, np.intp)) for label, rows in found.items()]


def _twins(part: Part, twins: Part) -> dict[str, Any]:
    """What is lost on relabelled twins: their rate less that of their originals, pair by pair."""
    row_of = {key: row for row, key in enumerate(part.questions.keys)}
    rows = np.asarray([row_of[key] for key in twins.questions.originals], np.intp)
    labels = [*_grouped(twins.questions.tasks), ("all", np.arange(len(twins.questions)))]
    found: dict[str, Any] = {}
    for name, pairs in labels:
        found[name] = {"pairs": 0}
        for rate, values in (("sr", "feasible"), ("qr", "quality"), ("optimal", "optimal")):
            of, there = _means(part.table, values, rows[pairs])
            twin, also = _means(twins.table, values, pairs)
            both = there & also
            change = Ratio(np.where(both, twin - of, 0.0), both.astype(np.float64))
            ends = measures.intervals_of({rate: change}, f"twins {name} {rate}")[rate]
            found[name]["pairs"] = int(both.sum())
            found[name][rate] = {"change": change.value, "interval": ends}
    return found


def _means(table: Table, values: str, rows: Rows) -> tuple[measures.Floats, npt.NDArray[np.bool_]]:
    """Mean over the scored samples of each question, and whether there are any."""
    scored = table.scored[rows]
    count = scored.sum(axis=1)
    total = np.where(scored, getattr(table, values)[rows], 0).astype(np.float64).sum(axis=1)
    return total / np.maximum(count, 1), count > 0
