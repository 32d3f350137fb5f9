"""Many answers for one worker as one request: problems that answers share travel once, and verdicts come back together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .calls import Entry
from .process import Broken
from .worker import PAUSE_SECONDS as PAUSE_SECONDS


def arguments(entries: Sequence[Entry], half: int, canary: str | None) -> list[Any]:
    """Of a request `verify_batch`: the problems, [place of its problem, answer] for each entry, bytes of memory after which the
    worker ends the batch, and a canary, if any."""
    place: dict[str, int] = {}
    answers = []
    for entry in entries:
        problem, answer = entry.call.arguments
        answers.append([place.setdefault(problem, len(place)), answer])
    return [list(place), answers, half, canary]


def parts(reply: dict[str, Any], most: int) -> list[dict[str, Any]]:
    """The replies for the next answers, `most` of them at most. Raises Broken for what is none."""
    found = reply.get("parts")
    if not isinstance(found, list) or not all(isinstance(part, dict) for part in found):
        raise Broken("wrote what is no reply to its request")
    if len(found) > most or (most and not found):
        raise Broken("wrote more or fewer replies than requests")
    return found
