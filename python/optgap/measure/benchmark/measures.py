"""Rates of a table of rollouts, as `optgap eval` defines them, with intervals over instances.

This is the report's own arithmetic: sums run in the order of the questions, so that its rates are eval's to the last
digit (tests/python/bench_model_test.py compares them).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..._native import best_of, pass_at
from ...core.results import NO_OBJECTIVE, Baselines
from .table import FAILED, Table

Floats = npt.NDArray[np.float64]

RESAMPLES = 1000
_DRAWN = 5_000_000  # numbers of a resample's table that are in memory at a time
_DIGITS = 6  # of interval ends, which summation order may touch further down


@dataclass(frozen=True)
class Ratio:
    """Numerator and denominator per question; the rate is the sum of the one over that of the other."""

    part: Floats
    whole: Floats

    def __getitem__(self, rows: npt.NDArray[np.intp]) -> Ratio:
        return Ratio(self.part[rows], self.whole[rows])

    @property
    def value(self) -> float | None:
        """None where there is nothing to count."""
        whole = _added(self.whole)
        return None if whole == 0 else float(_added(self.part) / whole)


def intervals_of(rates: dict[str, Ratio], name: str) -> dict[str, list[float] | None]:
    """95 % percentile bootstrap over questions, all rates on the same draws, which are a function of `name` and the
    number of questions."""
    rows = len(next(iter(rates.values())).part)
    draws = np.random.Generator(np.random.Philox(key=_key_of(f"{name} {rows}")))
    sums: dict[str, list[tuple[Floats, Floats]]] = {rate: [] for rate in rates}
    for first in range(0, RESAMPLES, at_once := max(1, _DRAWN // rows)):
        times = draws.multinomial(rows, np.full(rows, 1 / rows), min(at_once, RESAMPLES - first)).astype(np.float64)
        for rate, ratio in rates.items():
            sums[rate].append((times @ ratio.part, times @ ratio.whole))
    found: dict[str, list[float] | None] = {}
    for rate, blocks in sums.items():
        part, whole = (np.concatenate(side) for side in zip(*blocks))
        drawn = part[whole > 0] / whole[whole > 0]
        ends = np.quantile(drawn, [0.025, 0.975], method="nearest") if len(drawn) else None
        found[rate] = None if ends is None else [round(float(end), _DIGITS) for end in ends]
    return found


def sizes_of_k(samples: int) -> list[int]:
    """1, 2, 4, 8 … and all of them."""
    return sorted({2**power for power in range(samples.bit_length()) if 2**power <= samples} | {samples})


def rates_of(table: Table) -> dict[str, Ratio]:
    """What is counted over all rollouts."""
    rows = table.scored.sum(axis=1).astype(np.float64)
    values = {"sr": table.feasible, "qr": table.quality, "normalized": table.normalized, "optimal": table.optimal}
    return {name: Ratio(_across(of), rows) for name, of in values.items()}


def rates_at(table: Table, k: int) -> dict[str, Ratio]:
    """What k answers to one question are worth, over questions with at least k."""
    rows = table.scored.sum(axis=1)
    enough = rows >= k
    found = {}
    for name, passed in (("pass_feasible", table.feasible), ("pass_optimal", table.optimal)):
        chance = [pass_at(n, c, k) if n >= k else 0.0 for n, c in zip(rows.tolist(), passed.sum(axis=1).tolist())]
        found[name] = Ratio(np.asarray(chance), enough.astype(np.float64))
    best = [best_of(q[s].tolist(), k) if there else 0.0 for q, s, there in zip(table.quality, table.scored, enough)]
    return {**found, "best": Ratio(np.asarray(best), enough.astype(np.float64))}


def counts_of(table: Table, rows: npt.NDArray[np.intp]) -> dict[str, Any]:
    """What can only be counted: rollouts, failures, cuts, codes, tokens."""
    scored = table.scored[rows]
    codes, times = np.unique(table.code[rows][scored].astype(str), return_counts=True)
    tokens = table.tokens[rows][scored & (table.tokens[rows] >= 0)]
    chars = table.chars[rows][scored]
    return {
        "instances": len(rows),
        "rollouts": int(scored.sum()),
        "errors": int((table.state[rows] == FAILED).sum()),
        "truncated": int(table.truncated[rows].sum()),
        "format_broken": int((scored & ~table.format[rows]).sum()),
        "codes": {str(code): int(count) for code, count in zip(codes, times)},
        "tokens_mean": round(float(tokens.mean()), 2) if len(tokens) else None,
        "tokens_median": round(float(np.median(tokens)), 2) if len(tokens) else None,
        "chars_median": round(float(np.median(chars)), 2) if len(chars) else None,
    }


def anchors_of(baselines: Baselines, minimise: npt.NDArray[np.bool_]) -> dict[str, dict[str, Floats]]:
    """Feasibility, quality and normalised quality of the two anchors per instance: a constant policy, and greedy."""
    floor, greedy = (_quality(getattr(baselines, name), baselines.objective, minimise) for name in ("floor", "greedy"))
    found = {}
    for name, quality, objective in (("floor", floor, baselines.floor), ("greedy", greedy, baselines.greedy)):
        feasible = (objective != NO_OBJECTIVE).astype(np.float64)
        span = np.where(floor < 1, 1 - floor, 1.0)
        between = np.where(floor < 1, np.clip((quality - floor) / span, -1, 1), (quality >= floor).astype(np.float64))
        found[name] = {"sr": feasible, "qr": quality, "normalized": np.where(feasible > 0, between, 0.0)}
    return found


def _quality(objective: npt.NDArray[np.int64], base: npt.NDArray[np.int64], minimise: npt.NDArray[np.bool_]) -> Floats:
    """The ratio of docs/rewards.md, 0 where there is no objective."""
    above, below = np.where(minimise, base, objective), np.where(minimise, objective, base)
    equal = objective == base
    above = np.where(equal, 1, np.where(minimise, np.maximum(above, 1), above)).astype(np.float64)
    below = np.where(equal, 1, np.maximum(below, 1)).astype(np.float64)
    known = (objective != NO_OBJECTIVE) & (base != NO_OBJECTIVE)
    return np.where(known, np.clip(above / below, 0.0, 1.0), 0.0)


def _across(values: npt.NDArray[Any]) -> Floats:
    """Sums over samples, one after another."""
    added: Floats = np.add.accumulate(values.astype(np.float64), axis=1)[:, -1]
    return added


def _added(values: Floats) -> float:
    """The sum, one after another: numpy's own adds pairwise."""
    return float(np.add.accumulate(values)[-1]) if len(values) else 0.0


def _key_of(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:16], "big")
