"""How far references and other texts stand from where each gate begins to hold back, and what moved gates would reward."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._former import keywords as former_keywords
from ...core.errors import Error
from .scoring import Rubrics, TextScores, gates

FULL = 1024
BOUNDS = {
    "density": (2.5, 6.0),
    "length": (1.5, 3.0),
    "repetition": (250.0, 500.0),
    "copy": (150.0, 500.0),
    "hidden": (2.0, 3.0),
}
"""Where each gate's factor begins to fall, and where it is 0: the distances that `distance` measures."""
UNITS = {"density": "× the references' greatest", "length": "× a reference's words, or one in so many",
         "repetition": "‰ below the references' least", "copy": "‰ above the references' greatest",
         "hidden": "‰ above the references' greatest"}  # fmt: skip
WANTED = 0.99
"""The share of references that is to keep its full factor."""


@dataclass
class Texts:
    """Texts of one kind, measured at every gate."""

    factors: list[NDArray[np.int32]] = field(default_factory=list)
    """[gates] a text, as the engine has them; -1 where the rubric lacks the gate."""
    distances: list[list[float]] = field(default_factory=list)
    """[gates] a text, in the units of BOUNDS."""

    def __len__(self) -> int:
        return len(self.factors)

    def add(self, factors: NDArray[np.int32], distances: list[float]) -> None:
        self.factors.append(factors)
        self.distances.append(distances)

    def full(self, gate: int) -> float:
        """The share that keeps its full factor at a gate; NaN where no rubric has it."""
        known = [row[gate] == FULL for row in self.factors if row[gate] >= 0]
        return sum(known) / len(known) if known else math.nan

    def full_at_all(self) -> float:
        """The share that no gate holds back."""
        kept = [bool(np.all((row == FULL) | (row < 0))) for row in self.factors]
        return sum(kept) / len(kept) if kept else math.nan

    def bound(self, gate: int, share: float = WANTED) -> float:
        """The least bound at which so large a share keeps its full factor."""
        known = sorted(row[gate] for row, has in zip(self.distances, self.factors, strict=True) if has[gate] >= 0)
        return known[math.ceil(share * len(known)) - 1] if known else math.nan


@dataclass
class Shares:
    """Of a set of rubrics."""

    own: Texts = field(default_factory=Texts)
    """References by their own chain: what the gates measure against, so that only a fault would hold one back."""
    other: Texts = field(default_factory=Texts)
    """Each of several references by the rubric that lacks it: an honest answer in other words."""
    rubrics: int = 0
    left_out: int = 0
    """Rubrics without content or without a reference's text."""


def distance(value: Sequence[float], own: Sequence[Sequence[float]]) -> list[float]:
    """A text's distance at each gate. `value`: of the text; `own`: of each reference; both in the order of `gates()`."""
    columns = dict(zip(gates(), zip(value, *own, strict=True), strict=True))

    def of(gate: str) -> tuple[float, list[float]]:
        first, *others = columns[gate]
        return first, others

    density, densities = of("density")
    most = max(densities)
    words, lengths = of("length")
    repeated, least = of("repetition")
    copied, known = of("copy")
    hidden, there = of("hidden")
    found = {"density": density / most if most else 0.0,  # nothing of the references matches: the gate is open
             "length": min(_apart(words, one) for one in lengths), "repetition": min(least) - repeated,
             "copy": copied - max(known), "hidden": hidden - max(there)}  # fmt: skip
    return [max(0.0, found[gate]) for gate in gates()]


def _apart(words: float, own: float) -> float:
    if own == 0:
        return 1.0 if words == 0 else math.inf
    return math.inf if words == 0 else max(words / own, own / words)


def factor(gate: str, far: float, short: bool, bounds: Mapping[str, tuple[float, float]]) -> int:
    """What a distance is worth, of 1024. `short`: the text has fewer words than the reference, where length falls with words."""
    full, zero = bounds[gate]
    if gate == "length" and short:
        share = (1 / far - 1 / zero) / (1 / full - 1 / zero) if far > 0 else 1.0
    else:
        share = (zero - far) / (zero - full)
    return max(0, min(FULL, math.floor(FULL * share + 1e-9)))


def gated(rubric: Mapping[str, Any]) -> dict[str, Any] | None:
    """A rubric's content alone, under `ours`, with every gate that it has; None where nothing can be measured."""
    if not rubric.get("references") or not rubric.get("content"):
        return None
    kept = {name: rubric[name] for name in ("references", "content", "prompt") if name in rubric}
    if rubric.get("preset", "ours") == "ours":
        kept |= {name: rubric[name] for name in ("text", "gates") if name in rubric}
    return {"chain": 1, "preset": "ours", **_measured_anew(kept)}


def _measured_anew(rubric: dict[str, Any]) -> dict[str, Any]:
    """Without what was compiled into its lists."""
    points = [{**point, "references": [{name: one for name, one in words.items() if name not in ("sequence", "words")}
                                       for words in point["references"]]}
              for point in rubric["content"]["points"]]  # fmt: skip
    return {**rubric, "content": {**rubric["content"], "points": points}}


def without_reference(rubric: Mapping[str, Any], left_out: int) -> dict[str, Any] | None:
    """The rubric as it would be without one of its references; None where no list of keywords remains."""
    texts = [text for place, text in enumerate(rubric["references"]) if place != left_out]
    points = []
    for point in rubric["content"]["points"]:
        lists = []
        for place, words in enumerate(point["references"]):
            of = words.get("of", place)
            if of != left_out:
                lists.append({**words, "of": of - (of > left_out)})
        if lists:
            points.append({**point, "references": lists})
    if not texts or not points:
        return None
    return {**rubric, "references": texts, "content": {**rubric["content"], "points": points}}


def _measure(rubric: dict[str, Any], prompt: str, texts: Sequence[str], into: Texts) -> None:
    compiled = Rubrics.compile([{"chain": rubric, "prompt": prompt}])
    own = _scored(compiled, rubric["references"]).gate_value.tolist()
    scored = _scored(compiled, texts)
    for values, factors in zip(scored.gate_value.tolist(), scored.gate_factor, strict=True):
        into.add(factors, distance(values, own))


def _scored(compiled: Rubrics, texts: Sequence[str]) -> TextScores:
    return compiled.score(texts, [0] * len(texts))


def shares(rows: Iterable[Mapping[str, Any]]) -> Shares:
    """Measures every different rubric of rows with `rubric` and perhaps `prompt`. Raises Error with the row."""
    found, known = Shares(), set()
    for place, row in enumerate(rows):
        rubric = _rubric_of(row, place)
        ready, prompt = gated(rubric), _prompt_of(row)
        if ready is None:
            found.left_out += 1
            continue
        name = json.dumps([ready, prompt], sort_keys=True)
        if name in known:
            continue
        known.add(name)
        found.rubrics += 1
        try:
            _measure(ready, prompt, ready["references"], found.own)
            for left_out, text in enumerate(ready["references"] if len(ready["references"]) > 1 else ()):
                fewer = without_reference(ready, left_out)
                if fewer is not None:
                    _measure(fewer, prompt, [text], found.other)
        except Error as refused:
            raise Error(f"row {place}: {refused}", refused.status, refused.field, refused.rule) from None
    return found


def _rubric_of(row: Mapping[str, Any], place: int) -> Mapping[str, Any]:
    rubric = row.get("chain")
    if not isinstance(rubric, Mapping):
        raise Error(f"row {place}: chain: must be an object", "invalid_argument", "chain", "must be an object")
    return rubric


def _prompt_of(row: Mapping[str, Any]) -> str:
    prompt = row.get("prompt")
    return prompt if isinstance(prompt, str) else ""


@dataclass
class Rewarded:
    """Texts of one value of a column, by present gates and by moved ones."""

    texts: int = 0
    now: float = 0
    moved: float = 0
    """Sums of totals."""


@former_keywords(by="column")
def rewarded(rows: Iterable[Mapping[str, Any]], column: str, bounds: Mapping[str, tuple[float, float]], *, isolation: str | None = None,
         slots: int = 0) -> dict[str, Rewarded]:  # fmt: skip
    """What completions earn under `ours`, and what they would with other bounds, by a column's values.

    Both are totals without gates times the smallest factor, before they are rounded to the rubric's grid. `isolation`, `slots`: as of
    `Rubrics.score`, for checks in Python; all of them run in one call.
    """
    open_rubrics, texts, factors = [], [], []
    for place, row in enumerate(rows):
        rubric = _rubric_of(row, place)
        text, prompt, ready = row.get("completion"), _prompt_of(row), gated(rubric)
        if ready is None or not isinstance(text, str):
            continue
        bare = {name: value for name, value in rubric.items() if name not in ("floors", "hackable", "limits")}
        try:
            open_rubrics.append(Rubrics.compile([{"chain": {**bare, "preset": "ours", "gates": []}, "prompt": prompt}]))
            texts.append(text)
            factors.append((str(row.get(column)), *_factors(ready, prompt, text, bounds)))
        except Error as refused:
            raise Error(f"row {place}: {refused}", refused.status, refused.field, refused.rule) from None
    totals = Rubrics.joined(open_rubrics).score(texts, isolation=isolation, slots=slots).total.tolist()
    found: dict[str, Rewarded] = {}
    for total, (value, now, moved) in zip(totals, factors, strict=True):
        one = found.setdefault(value, Rewarded())
        one.texts += 1
        one.now += total * now / FULL
        one.moved += total * moved / FULL
    return found


def _factors(
    ready: dict[str, Any], prompt: str, text: str, bounds: Mapping[str, tuple[float, float]]
) -> tuple[int, int]:
    """A text's smallest factor by the engine's bounds, and by these."""
    compiled = Rubrics.compile([{"chain": ready, "prompt": prompt}])
    own = _scored(compiled, ready["references"]).gate_value.tolist()
    scored = _scored(compiled, [text])
    values = scored.gate_value[0].tolist()
    far = distance(values, own)
    words = gates().index("length")
    short = any(values[words] < one[words] and _apart(values[words], one[words]) == far[words] for one in own)
    moved = min(
        (factor(name, far[at], short, bounds) for at, name in enumerate(gates()) if values[at] >= 0), default=FULL
    )
    return int(scored.factor[0]), moved
