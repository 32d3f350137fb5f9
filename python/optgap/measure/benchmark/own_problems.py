"""`bench-model` on users' own problems: a model's programs over a contest's cases, their totals, ranks and rating."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...core.engine import Engine
from ...rows import Scorer
from ..contests import Standings, rating, total
from ..endpoint import Reply, RequestFailed, completion_of
from .rollouts import Place, RolloutFile
from .table import FAILED, MISSING, SCORED

Row = dict[str, Any]


@dataclass(frozen=True)
class OwnQuestions:
    """One row of a problem each (optgap.rows.programs.own.rows)."""

    rows: Sequence[Row]
    keys: list[str] = field(init=False)
    prompts: list[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "keys", [row["problem"] for row in self.rows])
        object.__setattr__(self, "prompts", [row["prompt"] for row in self.rows])

    def __len__(self) -> int:
        return len(self.rows)


@dataclass
class OwnTable:
    """Which answers came: (questions, samples) of MISSING, SCORED or FAILED."""

    state: np.ndarray


class OwnPart:
    """Problems, and the answers to them on disk. Programs run when all answers are there."""

    def __init__(self, questions: OwnQuestions, samples: int, path: str) -> None:
        self.questions, self.samples = questions, samples
        self.table = OwnTable(np.zeros((len(questions), samples), np.int8))
        self.models: Counter[str] = Counter()
        self.failures: list[str] = []
        self.scored = self.feasible = 0
        self.answers: dict[Place, Row] = {}
        self._file = RolloutFile(path, questions.keys, samples, "problem")

    def resume(self) -> int:
        """Takes up what the file holds; how many answers that is."""
        for place, row in self._file.read():
            self._take(place, row)
        return len(self.answers)

    def missing(self) -> Iterator[Place]:
        """What was not asked, sample by sample."""
        for sample in range(self.samples):
            for question in range(len(self.questions)):
                if self.table.state[question, sample] == MISSING:
                    yield question, sample

    def store(self, place: Place, said: Reply | RequestFailed) -> None:
        """Writes a row."""
        row = self._row(place, said)
        self._file.append(place, row)
        if isinstance(said, RequestFailed):
            self.table.state[place] = FAILED
            self.failures.append(str(said))
        else:
            self._take(place, row)

    def finish(self) -> None:
        """Puts the file in order."""
        self._file.order()

    def close(self) -> None:
        self._file.close()

    def _take(self, place: Place, row: Row) -> None:
        self.table.state[place] = SCORED
        self.models[row.get("model") or ""] += 1
        self.answers[place] = row

    def _row(self, place: Place, said: Reply | RequestFailed) -> Row:
        asked = self.questions.rows[place[0]]
        row: Row = {name: asked[name] for name in ("problem", "seeds", "language", "format") if name in asked}
        if isinstance(said, RequestFailed):
            return {**row, "error": str(said)}
        return {
            **row,
            "completion": completion_of(said, asked["format"]),
            "finish": said.finish,
            "usage": said.usage,
            "model": said.model,
            "seconds": round(said.seconds, 4),
        }

    def run(self, engine: Engine, isolation: str, slots: int) -> list[list[Row]]:
        """Runs the programs: the scored rows of each question, its samples in order."""
        places = sorted(self.answers)
        scored = Scorer(engine, isolation=isolation, slots=slots).score([self.answers[place] for place in places])
        found: list[list[Row]] = [[] for _ in range(len(self.questions))]
        for (question, _), row in zip(places, scored):
            found[question].append(row)
        return found


def report(
    settings: Row, part: OwnPart, scored: Sequence[Sequence[Row]], standings: Mapping[str, Standings]
) -> Row:  # fmt: skip
    """The report of a run. `problems` has an entry each: `rollouts`, `valid` (share of cases with a score), `whole` (share of
    programs valid on every case), `quality`, `mean` and `best` total over the cases of a rollout, in the problem's units, and with
    standings `rank_percent` and `performance` of the mean rollout. A case without a score counts 0, or, where less is better, leaves
    the rollout without a total. `rating` is that of all performances, None unless every problem has one."""
    entries = []
    for asked, rows in zip(part.questions.rows, scored):
        broken = [row["error"] for row in rows if "error" in row]
        sound = [row for row in rows if "error" not in row]
        minimised = any(row["program"]["sense"] == "minimise" for row in sound)
        unit = 10.0 ** -int(asked["decimals"])
        totals = [_total(row, minimised, unit) for row in sound]
        counted = [one for one in totals if one is not None]
        held = standings.get(asked["name"])
        ranks = [] if held is None else [100.0 if one is None else held.rank_percent(one) for one in totals]
        worst = float("inf") if minimised else float("-inf")
        performances = (
            []
            if held is None
            else [known for one in totals if (known := held.performance_at(worst if one is None else one)) is not None]
        )
        entries.append(
            {
                "problem": asked["name"],
                "digest": asked["problem"].rpartition("@")[2],
                "cases": len(sound[0]["codes"]) if sound else 0,
                "rollouts": len(sound),
                "valid": _mean([row["valid"] for row in sound]),
                "whole": _mean([float(row["valid"] == 1) for row in sound]),
                "quality": _mean([row["quality"] for row in sound]),
                "mean": _mean(counted),
                "best": (min if minimised else max)(counted) if counted else None,
                "rank_percent": _mean(ranks),
                "performance": _mean(performances),
                "error": f"{broken[0]['field']}: {broken[0]['rule']}" if broken else None,
            }
        )
    measured = [one["performance"] for one in entries]
    return {
        "optgap_report": 1,
        "settings": settings,
        "models": dict(sorted(part.models.items())),
        "problems": entries,
        "rank_percent": _mean([one["rank_percent"] for one in entries if one["rank_percent"] is not None]),
        "rating": rating(measured) if measured and all(one is not None for one in measured) else None,
        "missing": sorted(standings.keys() - {one["problem"] for one in entries}),
    }


def page(made: Row) -> Row:
    """The report for people, as optgap.measure.report writes it."""
    names = ("problem", *NUMBERS)
    columns = [{"name": name.replace("_", " "), "align": "left" if name == "problem" else "right"} for name in names]
    cells = [[one[name] for name in names] for one in made["problems"]]
    facts = [[name, "-" if value is None else f"{value:.1f}"] for name, value in (
        ("rating", made["rating"]), ("rank %", made["rank_percent"]))]  # fmt: skip
    if made["missing"]:
        facts.append(["not asked", ", ".join(made["missing"])])
    return {
        "title": f"optgap bench-model: {made['settings']['model']}",
        "lead": "Programs of a model on score-based problems. Totals are over the cases of a problem.",
        "facts": facts,
        "sections": [{"heading": "Problems", "table": {"columns": columns, "rows": cells}}],
        "command": made["settings"]["command"],
    }


NUMBERS = ("cases", "rollouts", "valid", "whole", "quality", "mean", "best", "rank_percent", "performance")
"""What a report says of a problem."""


def shown(made: Row) -> list[list[str]]:
    """The rows of a terminal's table."""
    table = [["problem", *(name.replace("_", " ") for name in NUMBERS)]]
    for one in made["problems"]:
        table.append([one["problem"], *(_cell(one[name]) for name in NUMBERS)])
    return table


def _cell(value: float | None) -> str:
    return "-" if value is None else str(value) if isinstance(value, int) else f"{value:.3f}".rstrip("0").rstrip(".")


def _total(row: Row, minimised: bool, unit: float) -> float | None:
    if minimised and row["valid"] < 1:
        return None
    return total([None if one is None else one * unit for one in row["objectives"]])


def _mean(values: Sequence[float]) -> float | None:
    return round(float(sum(values)) / len(values), 6) if values else None


def dumped(made: Row) -> str:
    return json.dumps(made, indent=2, ensure_ascii=False) + "\n"
