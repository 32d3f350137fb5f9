"""Results of score-based contests: totals over cases, ranks among standings, performances and a rating.

standings = Standings(totals=[9_100, 8_700, 8_200], performance={1: 2800, 2: 2100, 3: 1500})
standings.rank_percent(8_500)     # 100.0: third of three
standings.performance_at(8_500)   # 1500.0
rating([1500.0, 1900.0])
"""

from __future__ import annotations

import json
import math
import os
import pathlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from optgap.core.errors import misuse

SPREAD, DECAY = 724.4744301, 0.8271973364
"""Of AtCoder's rating of heuristic contests: what a contest's k-th share loses by ln k, and the weight of each share after the
one before (its first version, in which all contests weigh the same)."""
SHARES = 100


@dataclass(frozen=True)
class Standings:
    """The end of one contest."""

    totals: Sequence[float]
    """Of all participants, in any order."""
    performance: Mapping[int, float] = field(default_factory=dict)
    """By rank; ranks between two of the table are interpolated, those beyond it have the nearest one's."""
    minimise: bool = False

    def rank(self, total: float) -> int:
        """1 for the best: participants with a better total stand before."""
        before = (one < total for one in self.totals) if self.minimise else (one > total for one in self.totals)
        return 1 + sum(before)

    def rank_percent(self, total: float) -> float:
        """The rank as a share of the participants, 100 at most; less is better."""
        return 100.0 * min(1.0, self.rank(total) / len(self.totals))

    def performance_at(self, total: float) -> float | None:
        """By the table; None without one."""
        if not self.performance:
            return None
        rank, known = self.rank(total), sorted(self.performance.items())
        after = next((pair for pair in known if pair[0] >= rank), known[-1])
        before = next((pair for pair in reversed(known) if pair[0] <= rank), known[0])
        if after[0] == before[0]:
            return float(after[1])
        if not before[0] <= rank <= after[0]:
            return float((after if rank > known[-1][0] else before)[1])
        share = (rank - before[0]) / (after[0] - before[0])
        return float(before[1] + share * (after[1] - before[1]))


def rating(performances: Sequence[float]) -> float:
    """AtCoder's rating of heuristic contests, which is above 0. Each contest gives a hundred shares, the k-th worth its
    performance less SPREAD * ln k; the hundred best shares of all count, each DECAY times what the one before does. Raises
    Error without a performance."""
    if not performances:
        raise misuse("performances", "are none, expected one a contest")
    shares = sorted((one - SPREAD * math.log(k) for one in performances for k in range(1, SHARES + 1)), reverse=True)
    weights = [DECAY**k for k in range(1, SHARES + 1)]
    raw = sum(weight * share for weight, share in zip(weights, shares)) / sum(weights)
    return raw if raw >= 400 else 400 * math.exp((raw - 400) / 400)


def total(scores: Sequence[float | None], invalid: float = 0.0) -> float:
    """Of a program over a contest's cases; `invalid` for each that has no score."""
    return sum(invalid if one is None else one for one in scores)


def read_standings(path: str | os.PathLike[str]) -> dict[str, Standings]:
    """A JSON object, by problem: {"totals": [...], "performance": {"1": 2800, ...}, "sense": "maximise"}. Raises Error for what is
    none."""
    try:
        found = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as broken:
        raise misuse("standings", f"cannot read {os.fspath(path)}: {broken}") from None
    if not isinstance(found, dict) or not found:
        raise misuse("standings", f"{os.fspath(path)}: expected an object with an entry a problem")
    return {str(name): _standings(str(name), one) for name, one in found.items()}


def _standings(name: str, given: Any) -> Standings:
    if not isinstance(given, dict) or not set(given) <= {"totals", "performance", "sense"}:
        raise misuse("standings", f"{name}: expected an object of totals, and perhaps performance and sense")
    totals, table, sense = given.get("totals"), given.get("performance", {}), given.get("sense", "maximise")
    if not isinstance(totals, list) or not totals or not all(_is_number(one) for one in totals):
        raise misuse("standings", f"{name}: totals must be a list of numbers, one a participant")
    is_table = isinstance(table, dict) and all(rank.isdecimal() and _is_number(one) for rank, one in table.items())
    if not is_table or any(int(rank) < 1 for rank in table):
        raise misuse("standings", f"{name}: performance must have a number by each rank from 1 on")
    if sense not in ("maximise", "minimise"):
        raise misuse("standings", f"{name}: sense is {sense!r}, expected maximise or minimise")
    return Standings(totals, {int(rank): float(one) for rank, one in table.items()}, sense == "minimise")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
