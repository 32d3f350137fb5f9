"""An environment of one's own, as small as they come (docs/external.md). It needs nothing but Python."""

from __future__ import annotations

import random
from typing import Any


class EvenSum:
    """Whether the sum of N + 2 numbers is even."""

    version = "1"
    answer_form = "True or False"

    def generate(self, level: int, seed: int) -> tuple[Any, str]:
        """The numbers, and the question."""
        draw = random.Random(seed)
        numbers = [draw.randint(0, 99) for _ in range(level + 2)]
        return {"numbers": numbers}, f"Is {' + '.join(map(str, numbers))} even?"

    def verify(self, problem: Any, text: str) -> dict[str, Any]:
        """1 for the truth, -1 for anything else."""
        return {"reward": 1 if text.strip() == str(sum(problem["numbers"]) % 2 == 0) else -1}
