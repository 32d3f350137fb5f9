"""At which steps of the difficulty scale a model is in FORGE's three bands, and the curriculum that starts there."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ... import _native
from ...core.curriculum import Curriculum

BANDS = (("easy", 0.7, 0.9), ("medium", 0.4, 0.7), ("hard", 0.1, 0.4))
"""Success rates of the base model at FORGE's levels (section 2.2)."""

HIGHEST_STEP = 256
_Z = 1.0  # standard errors: what is surely on one side of a boundary, for a search that may look again
_MOST_LOOKS = 3  # batches at one step

Counts = tuple[int, int]
"""Rollouts that succeeded, rollouts in all."""
Search = Generator[list[int], Mapping[int, Counts | None], "Found"]


@dataclass(frozen=True)
class Found:
    """What a search saw of one task."""

    counts: dict[int, Counts]
    """Per step that was looked at."""
    rates: dict[int, float] = field(init=False)
    """The same as rates that never rise with the step."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "rates", falling(self.counts))

    def rate(self, step: int) -> float:
        """On a straight line between the steps that were looked at."""
        low = max(seen for seen in self.rates if seen <= step)
        high = min((seen for seen in self.rates if seen >= step), default=low)
        share = 0.0 if high == low else (step - low) / (high - low)
        return self.rates[low] + share * (self.rates[high] - self.rates[low])

    def band(self, least: float, most: float) -> list[int] | None:
        """First and last step whose rate is within [least, most]; None where the rate jumps over them."""
        inside = [step for step in range(max(self.rates) + 1) if least <= self.rate(step) <= most]
        return [inside[0], inside[-1]] if inside else None

    @property
    def remark(self) -> str:
        """What a reader must know of a band that is not there."""
        last = max(self.rates)
        if self.rates[0] < BANDS[-1][1]:
            return f"too hard from d0 on: {100 * self.rates[0]:.0f} %"
        if self.rates[last] > BANDS[-1][1]:
            return f"the search ended at d{last}, at {100 * self.rates[last]:.0f} %"
        return ""


def search(highest: int = HIGHEST_STEP) -> Search:
    """Looks for the steps of the bands' edges. Yields steps to look at; is sent their counts, None for a step that
    cannot be asked (its prompt is too long). The rate is taken to fall with the step: doubling steps until it is surely
    below the lowest edge, then halving between the two steps around each edge, and looking again where an edge is
    within the error.
    """
    counts: dict[int, Counts] = {}
    looks: dict[int, int] = {}

    def seen(found: Mapping[int, Counts | None]) -> bool:
        """Adds counts; False when a step could not be asked."""
        for step, more in found.items():
            if more is not None and more[1] > 0:
                before = counts.get(step, (0, 0))
                counts[step] = (before[0] + more[0], before[1] + more[1])
                looks[step] = looks.get(step, 0) + 1
        return all(more is not None and more[1] > 0 for more in found.values())

    edges = sorted({edge for _, *ends in BANDS for edge in ends})
    step = 0
    while seen((yield [step])) and step < highest and wilson(*counts[step])[1] >= edges[0]:
        step = min(max(1, 2 * step), highest)
    while counts:
        rates = falling(counts)
        wanted: set[int] = set()
        for edge in edges:
            above = max((step for step in rates if rates[step] >= edge), default=None)
            below = min((step for step in rates if rates[step] < edge), default=None)
            if above is not None and below is not None and below - above > 1:
                wanted.add((above + below) // 2)
            else:
                near = {one for one in (above, below) if one is not None}
                wanted |= {one for one in near if looks[one] < _MOST_LOOKS and _around(counts[one], edge)}
        if not wanted or not seen((yield sorted(wanted))):
            break
    return Found(counts)


def falling(counts: Mapping[int, Counts]) -> dict[int, float]:
    """The rates nearest to these counts that never rise with the step (pool adjacent violators; Ayer et al. 1955)."""
    pools: list[tuple[int, int, list[int]]] = []
    for step in sorted(counts):
        good, rows = counts[step]
        steps = [step]
        while pools and good * pools[-1][1] > pools[-1][0] * rows:
            before = pools.pop()
            good, rows, steps = good + before[0], rows + before[1], before[2] + steps
        pools.append((good, rows, steps))
    return {step: good / rows for good, rows, steps in pools for step in steps}


def wilson(good: int, rows: int, z: float = _Z) -> tuple[float, float]:
    """Wilson's score interval of a share."""
    return _native.wilson_interval(good / rows if rows else 0.0, rows, z)


def _around(counts: Counts, edge: float) -> bool:
    low, high = wilson(*counts)
    return low < edge < high


def report_of(found: Mapping[str, Found], quality: float) -> dict[str, Any]:
    """calibration.json: per task the bands as [first, last] steps, and what was seen at each step."""
    tasks = {
        task: {
            "bands": {name: of.band(least, most) for name, least, most in BANDS},
            "remark": of.remark,
            "steps": [
                {
                    "step": step,
                    "rollouts": rows,
                    "succeeded": good,
                    "rate": good / rows,
                    "interval": [round(end, 6) for end in wilson(good, rows, 1.96)],
                    "fitted": of.rates[step],
                }
                for step, (good, rows) in sorted(of.counts.items())
            ],
        }
        for task, of in found.items()
    }
    return {
        "optgap_calibration": 1,
        "quality": quality,
        "bands": {name: list(ends) for name, *ends in BANDS},
        "tasks": tasks,
    }


def curriculum_of(found: Mapping[str, Found], quality: float, seed: int) -> Curriculum:
    """The curriculum `adaptive` whose windows begin where the model leaves mastery: at the first step of its easiest
    band, or, where the rate jumps over all three, at the last step above them."""
    spec = {"policy": "adaptive", "threshold": quality}
    plan = Curriculum(spec, list(found), seed)
    state = plan.state
    for row in state["tasks"]:
        low = _first_step(found[row["name"]])
        row.update(low=low, high=low + plan.policy["width"] - 1)
    plan.load_state_dict(json.dumps(state))
    return plan


def _first_step(of: Found) -> int:
    bands: Sequence[list[int] | None] = [of.band(least, most) for _, least, most in BANDS]
    firsts = [band[0] for band in bands if band is not None]
    if firsts:
        return min(firsts)
    return max((step for step, rate in of.rates.items() if rate > BANDS[0][2]), default=0)
