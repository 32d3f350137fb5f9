"""Answers that cannot be right, whatever was asked."""

from __future__ import annotations

import re
from collections.abc import Iterator

from . import canary


def wrong_answers(gold: str | None, prompt: str) -> Iterator[str]:
    """Of one problem. `gold`: a right answer, or None."""
    yield canary.text()
    yield prompt
    yield "I have no idea."
    if gold and re.fullmatch("-?[0-9]{1,300}", gold):
        yield str(3 * abs(int(gold)) + 1_000_003)  # beyond every tolerance, tie and index
    if gold and re.fullmatch("-?[0-9]+( -?[0-9]+)+", gold):
        yield f"{gold} 1000003"
