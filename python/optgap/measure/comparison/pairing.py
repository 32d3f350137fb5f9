"""Rows of two models in pairs: the same sample of the same instance."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .model_rows import ModelRows, Outcome, Sample


@dataclass(frozen=True)
class Pairs:
    """What is compared, and what is left out of it."""

    by_instance: dict[str, list[tuple[Outcome, Outcome]]]
    """The pairs of each instance, in the order of the first model's rows."""
    only_a: list[Sample]
    """Rows of the first model without a partner: the second has no such row, or an error row."""
    only_b: list[Sample]


def paired(a: ModelRows, b: ModelRows) -> Pairs:
    """Raises ValueError where there is no pair."""
    found: dict[str, list[tuple[Outcome, Outcome]]] = {}
    for sample, outcome in a.outcomes.items():
        other = b.outcomes.get(sample)
        if outcome is not None and other is not None:
            found.setdefault(sample[0], []).append((outcome, other))
    if not found:
        raise ValueError(
            f"no row of {a.name} ({a.source}) has a partner in {b.name} ({b.source}): expected results on the same "
            "instances, with samples of the same numbers"
        )
    return Pairs(found, _alone(a, b), _alone(b, a))


def obstacles(a: ModelRows, b: ModelRows) -> list[str]:
    """A sentence for each reason why a difference between these would not be one between the models."""
    found = []
    if len(a.fingerprints | b.fingerprints) > 1:
        found.append(
            f"the rows were not scored under one fingerprint (docs/debugging.md): {a.name} has {_listed(a.fingerprints)}, "
            f"{b.name} has {_listed(b.fingerprints)}"
        )
    for one, other in ((a, b), (b, a)):
        missing = [name for name in one.places if name not in other.places]
        if missing:
            found.append(
                f"the sets of instances differ: {len(missing)} of the {len(one.places)} of {one.name} ({one.source}) are "
                f"not in {other.name} ({other.source}), the first: {missing[0][:120]}"
            )
    return found


def _alone(one: ModelRows, other: ModelRows) -> list[Sample]:
    return [
        sample for sample, outcome in one.outcomes.items() if outcome is not None and other.outcomes.get(sample) is None
    ]


def _listed(fingerprints: Iterable[str]) -> str:
    return ", ".join(sorted(fingerprints)) or "none"
