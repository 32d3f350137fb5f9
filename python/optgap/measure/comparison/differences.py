"""The comparison as data: rates of both models over the pairs, their differences with intervals, tests and flows of codes.

Intervals are those of bench-model's report (benchmark/measures.py): a bootstrap over instances, here of the paired difference.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.keys import tasks
from ..benchmark import measures
from ..benchmark.measures import Ratio
from .model_rows import RATES, ModelRows, Outcome, Sample
from .pairing import Pairs

Row = dict[str, Any]

MEASURES = (*RATES, "tokens")
SHARES = ("sr", "optimal")
"""What holds of an answer or does not: these have a test beside the interval."""
_NO_SETTINGS = {"model", "command", "questions", "twin_questions"}


def made(a: ModelRows, b: ModelRows, pairs: Pairs, allowed: Sequence[str] = ()) -> Row:
    """The comparison; docs/compare.md lists the fields. The same rows in the same order give the same bytes.

    Args:
        allowed: The obstacles that the caller chose to ignore.
    """
    category_of = {task.name: task.category for task in tasks()}
    places = [a.places[name] for name in pairs.by_instance]
    return {
        "optgap_comparison": 1,
        "a": _described(a),
        "b": _described(b),
        "settings": _differing(a.settings, b.settings),
        "ignored": list(allowed),
        "unpaired": {"a": _named(pairs.only_a), "b": _named(pairs.only_b)},
        "tasks": dict(_cells(pairs, [place.task for place in places])),
        "levels": [
            {"task": task, "level": level, **cell}
            for (task, level), cell in _cells(pairs, [(place.task, place.level) for place in places])
        ],
        "categories": dict(sorted(_cells(pairs, [category_of.get(place.task, "other") for place in places]))),
        "all": _cell("all", list(pairs.by_instance.values())),
    }


def worse(comparison: Row, margin: float) -> list[str]:
    """The rates over all pairs in which the second model is worse by more than `margin`, the whole interval included."""
    whole = comparison["all"]
    return [rate for rate in RATES if (ends := whole[rate]["interval"]) is not None and ends[1] < -margin]


def sign_test(better: int, worse: int) -> float:
    """The two-sided p of an exact sign test: how likely a split at least as uneven is where both sides are equally likely."""
    rows, fewer = better + worse, min(better, worse)
    term = tail = 1
    for k in range(1, fewer + 1):
        term = term * (rows - k + 1) // k
        tail += term
    return min(1.0, 2 * tail / (1 << rows))


def _described(model: ModelRows) -> Row:
    return {
        "model": model.name,
        "source": model.source,
        "instances": len(model.places),
        "rows": len(model.outcomes) + model.nameless,
        "failed": len(model.failed) + model.nameless,
        "fingerprints": sorted(model.fingerprints),
    }


def _differing(a: Row, b: Row) -> dict[str, list[Any]]:
    """Settings of bench-model that differ, but for the model's name and what follows from the others."""
    names = sorted((a.keys() | b.keys()) - _NO_SETTINGS) if a and b else []
    return {name: [a.get(name), b.get(name)] for name in names if a.get(name) != b.get(name)}


def _named(samples: Sequence[Sample]) -> list[Row]:
    return [{"instance": instance, "sample": sample} for instance, sample in samples]


def _cells(pairs: Pairs, labels: Sequence[Any]) -> list[tuple[Any, Row]]:
    """A cell for each label of instances, in the order in which labels first come."""
    found: dict[Any, list[list[tuple[Outcome, Outcome]]]] = {}
    for label, of in zip(labels, pairs.by_instance.values()):
        found.setdefault(label, []).append(of)
    return [(label, _cell(label if isinstance(label, str) else " ".join(label), of)) for label, of in found.items()]


def _cell(label: str, instances: Sequence[Sequence[tuple[Outcome, Outcome]]]) -> Row:
    """Of the pairs of some instances; `label` sets the draws of the bootstrap."""
    sides = {name: [_sums(of, name) for of in instances] for name in MEASURES}
    changes = {
        name: Ratio(np.asarray([b - a for a, b, _ in sums]), np.asarray([float(count) for *_, count in sums]))
        for name, sums in sides.items()
    }
    ends = measures.intervals_of(changes, label)
    flows = Counter((a.code, b.code) for of in instances for a, b in of)
    cell: Row = {"instances": len(instances), "pairs": sum(map(len, instances))}
    for name, sums in sides.items():
        counted = sum(count for *_, count in sums)
        known = sum(count > 0 for *_, count in sums)
        cell[name] = {
            "a": math.fsum(a for a, *_ in sums) / counted if counted else None,
            "b": math.fsum(b for _, b, _ in sums) / counted if counted else None,
            "difference": changes[name].value,
            "interval": ends[name] if known > 1 else None,  # one instance says nothing of others
            "pairs": counted,
        }
        if name in SHARES:
            better, fell = sum(b > a for a, b, _ in sums), sum(b < a for a, b, _ in sums)
            cell[name]["sign_test"] = {
                "better": better, "worse": fell, "equal": known - better - fell, "p": sign_test(better, fell),
            }  # fmt: skip
    cell["flows"] = [
        {"a": a, "b": b, "pairs": count} for (a, b), count in sorted(flows.items(), key=lambda one: (-one[1], one[0]))
    ]
    return cell


def _sums(pairs: Sequence[tuple[Outcome, Outcome]], measure: str) -> tuple[float, float, int]:
    """Of an instance: the sums of both models over the pairs that know the measure, and how many these are."""
    known = [
        (first, second)
        for a, b in pairs
        if (first := a.values[measure]) is not None and (second := b.values[measure]) is not None
    ]
    return math.fsum(first for first, _ in known), math.fsum(second for _, second in known), len(known)
