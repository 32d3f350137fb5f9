"""A wrong answer that shows whether a verifier still refuses what is wrong.

An answer that an environment runs as code, or that breaks it otherwise, may leave a verifier behind that accepts everything. So
after each batch of answers the same process judges a text that no problem has for an answer.
"""

from __future__ import annotations

import secrets
from typing import Any

from .protocol import UNIT, NoVerdict, read_verdict

WORTH = UNIT // 2
"""An accepted canary is called correct, or is worth more than this: some environments reward a little for any text."""


def text() -> str:
    """Thirty-two letters by chance, which nobody can know beforehand."""
    return secrets.token_hex(16).translate(str.maketrans("0123456789", "ghijkmnopq"))


def accepted(reply: Any) -> bool:
    """Did a worker's `verify` reply, [verdict, anchors], accept the canary? A reply that is no verdict refuses it."""
    try:
        verdict = read_verdict(*reply)
    except (NoVerdict, TypeError):
        return False
    if not verdict.right:
        return False
    return verdict.correct or (verdict.base == UNIT and verdict.objective > WORTH)
