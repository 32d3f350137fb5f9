"""Models side by side, as data: the reports of several runs of bench-model, by the set of instances that they are of."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from typing import Any

from .figures import CONSTANT, GREEDY, OPTIMUM
from .model_rows import RATES, ROLLOUTS, folder_of, instances_of, report_of

Row = dict[str, Any]

_CELL = ("rollouts", "instances", "errors", "proven", "tokens_mean", "intervals", "anchors", *RATES)


def made(paths: Sequence[str]) -> Row:
    """A table of models for each set; docs/compare.md lists the fields.

    Models stand in one table where they answered the same instances and were measured against the same baselines under one
    fingerprint. The best mean quality comes first.

    Raises:
        ValueError: A path is no folder of bench-model with a report, or is named twice.
    """
    entries = [_entry(path) for path in paths]
    sources = [entry["source"] for entry in entries]
    twice = [source for place, source in enumerate(sources) if source in sources[:place]]
    if twice:
        raise ValueError(f"{twice[0]} is named twice; expected each report once")
    models = [entry["report"]["settings"]["model"] for entry in entries]
    for entry, model in zip(entries, models):
        entry["model"] = model if models.count(model) == 1 else f"{model} ({entry['source']})"
    sets: dict[str, list[Row]] = {}
    for entry in entries:
        sets.setdefault(_measured_on(entry), []).append(entry)
    return {"optgap_leaderboard": 1, "sets": [_set(entries) for entries in sets.values()]}


def _entry(path: str) -> Row:
    folder = folder_of(path)
    if folder is None:
        raise ValueError(f"{path}: expected a folder of optgap bench-model, or its report.json")
    report = report_of(folder)
    cells = [report.get("all"), *(report["tasks"].values() if isinstance(report.get("tasks"), dict) else [None])]
    settings = report.get("settings")
    named = isinstance(report.get("levels"), list) and isinstance(settings, dict) and "model" in settings
    if not named or not all(isinstance(cell, dict) and all(name in cell for name in _CELL) for cell in cells):
        raise ValueError(f"{folder}: its report.json is no report of bench-model, or one of an older version")
    return {"source": os.path.normpath(folder), "report": report, "set": _set_of(folder, report)}


def _set_of(folder: str, report: Row) -> str:
    """A name of the instances that were asked. Without the rows it is that of the questions, which a different answer format
    changes, too."""
    rollouts = os.path.join(folder, ROLLOUTS)
    if not os.path.isfile(rollouts):
        return f"questions {report['settings'].get('questions')}"
    names = "\n".join(sorted(set(instances_of(rollouts))))
    return f"instances {hashlib.sha256(names.encode()).hexdigest()[:16]}"


def _measured_on(entry: Row) -> str:
    whole = entry["report"]["all"]
    return json.dumps([entry["set"], entry["report"].get("fingerprint"), whole["anchors"], whole["proven"]])


def _set(entries: Sequence[Row]) -> Row:
    first = entries[0]["report"]
    models = [
        {
            "model": entry["model"],
            "source": entry["source"],
            **_shown(entry["report"]["all"]),
            "tasks": {name: _shown(cell) for name, cell in entry["report"]["tasks"].items()},
        }
        for entry in entries
    ]
    return {
        "set": entries[0]["set"],
        "fingerprint": first.get("fingerprint"),
        "tasks": list(first["tasks"]),
        "levels": sorted({cell["level"] for cell in first["levels"]}),
        "instances": first["all"]["instances"],
        "models": sorted(models, key=lambda one: (-(one["qr"] or 0), -(one["sr"] or 0), one["model"])),
        "references": [{"name": name, **of} for name, of in _references(first["all"]).items()],
    }


def _shown(cell: Row) -> Row:
    return {name: cell[name] for name in ("rollouts", "errors", *RATES, "tokens_mean", "intervals")}


def _references(cell: Row) -> dict[str, Row]:
    """What needs no model, on the same instances. A share of optimal answers is known of the proven optima alone."""
    proven = cell["proven"] / cell["instances"] if cell["instances"] else None
    return {
        OPTIMUM: {"sr": 1.0, "qr": 1.0, "normalized": 1.0, "optimal": proven},
        GREEDY: {**cell["anchors"]["greedy"], "optimal": None},
        CONSTANT: {**cell["anchors"]["floor"], "optimal": None},
    }
