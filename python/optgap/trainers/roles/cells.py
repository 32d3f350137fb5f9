"""What proposers of all ranks posed in a step: what is new is known when the ranks' problems are counted together."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping

from ...core.errors import misuse

_FORMAT = 1
Forms = dict[str, tuple[int, int]]
"""Of each canonical key the cell of its problem, and how often it was posed."""


class StepForms:
    """Problems that passed the gates in one step, by rank; a sum over ranks, in any order of them."""

    def __init__(self, step: int) -> None:
        self.step = step
        self._own: Forms = {}
        self._rank = 0
        self._taken: str | None = None
        self._parts: dict[int, Forms] = {}

    def require_open(self) -> None:
        """Error where this rank's part was taken: it would lack what comes now."""
        if self._taken is not None:
            raise misuse("delta", "was taken before this proposal came: expected all proposals of the step before it")

    def note(self, canonical: str, cell: int | None) -> None:
        """Counts a proposal of this rank: of a problem that passes the gates with its cell, of one that this step has
        already without."""
        if cell is None and canonical not in self._own:
            return
        known, count = self._own.get(canonical, (cell, 0))
        self._own[canonical] = (int(known or 0), count + 1)

    def delta(self, rank: int) -> str:
        """This rank's part as text; later calls repeat it."""
        if self._taken is None:
            self._rank = rank
            self._taken = json.dumps({"roles_delta": _FORMAT, "step": self.step, "rank": rank,
                                      "forms": {key: list(self._own[key]) for key in sorted(self._own)}})  # fmt: skip
        elif rank != self._rank:
            raise misuse("rank", f"is {rank}, and was {self._rank} in this step: expected one for a process")
        return self._taken

    def merge(self, delta: str) -> bool:
        """Counts a rank's part. False when it is there already."""
        rank, forms = self._read(delta)
        known = self._parts.setdefault(rank, forms)
        if known != forms:
            raise misuse("delta", f"rank {rank} comes twice with different content: expected one part a rank")
        return known is forms

    def _read(self, delta: str) -> tuple[int, Forms]:
        try:
            read = json.loads(delta)
            if read["roles_delta"] != _FORMAT:
                raise ValueError
            step, rank = int(read["step"]), int(read["rank"])
            forms = {str(key): (int(cell), int(count)) for key, (cell, count) in read["forms"].items()}
        except (ValueError, TypeError, KeyError, AttributeError):
            raise misuse("delta", "cannot be read: expected what Roles.delta gave") from None
        if step != self.step:
            raise misuse("delta", f"is of step {step}: expected one of step {self.step}")
        if any(count < 1 for _, count in forms.values()):
            raise misuse("delta", "counts a problem that was not posed: expected what Roles.delta gave")
        return rank, forms

    def all(self) -> Forms:
        """The forms of all ranks: own ones, and what was merged."""
        if self._parts and self._rank not in self._parts:
            raise misuse("delta", f"that of this rank ({self._rank}) was not merged: expected those of all ranks")
        out: Forms = {}
        for part in self._parts.values() if self._parts else (self._own,):
            for key, (cell, count) in part.items():
                out[key] = (cell, out.get(key, (cell, 0))[1] + count)
        return out


def counted(forms: Mapping[str, tuple[int, int]]) -> Counter[int]:
    """Entries of each cell: k equal problems make one."""
    return Counter(cell for cell, _ in forms.values())
