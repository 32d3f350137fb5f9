"""What a survey counts of one environment."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass
class Finding:
    """One environment's counts."""

    name: str
    version: str
    runs_answers: bool
    asked: int
    """Problems."""
    made: int = 0
    references: int = 0
    """Right answers that it keeps with its problems."""
    accepted: int = 0
    """Of these."""
    wrong: int = 0
    """Answers that cannot be right."""
    refused: int = 0
    """Of these."""
    rewards: int = 0
    """Completions whose reward here is compared with that of the environment's own program."""
    equal: int = 0
    """Of these: within 1e-6, and as correct."""
    exceptions: list[str] = dataclasses.field(default_factory=list)
    """A sentence for each thing that is not as it should be."""
