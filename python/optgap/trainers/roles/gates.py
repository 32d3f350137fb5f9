"""The gates of problems that a model poses, and the proofs behind them (docs/coevolution.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ... import _native
from ...core import arguments
from ...core.arguments import Text
from ...core.tickets import Checked, checked


class Gates:
    """Judges problems that a model poses, in their order: what is said of one depends on those before it.

        gates = optgap.Gates(limits={"tsp": {"words": 2000}})
        found = gates.check(completions)                      # on this thread
        ticket = scheduler.propose(gates, completions)        # on the scheduler's, whose caller goes on

    Calls of several threads take turns.

    Args:
        limits: As `optgap score --proposals` reads them.
        budget: Steps of each proof; -1: the task's own.
        held_out: Canonical keys of problems that no proposal may pose.
    """

    def __init__(
        self, *, limits: Mapping[str, Any] | None = None, budget: int = -1, held_out: Sequence[str] = ()
    ) -> None:
        settings = json.dumps(dict(limits)) if limits else ""
        self._native = _native.ProposalChecker(settings, arguments.integer(budget, "budget", -1, 2**62))
        for key in held_out:
            self._native.hold_out(arguments.name(key, "held_out"))

    def check(
        self, completions: Sequence[Text], *, finish: Sequence[str] | npt.ArrayLike | None = None, step: int = 0
    ) -> Checked:
        """Gates and proofs of completions.

        Args:
            completions: Each poses a problem between <question> and </question>.
            finish: "stop", "length", "abort" or "unknown" a row.
            step: Of the run: quotas are counted by it.
        """
        rows = arguments.rows_of(completions, "completions")
        ends = arguments.finish_rows(finish, rows)
        number = arguments.integer(step, "step", 0, 2**62)
        return checked(self._native.check(completions, np.zeros(rows, np.int32) if ends is None else ends, number))

    @property
    def state(self) -> str:
        """What later proposals depend on, as JSON: problems that were posed, counts, steps used up; equal states are equal
        bytes. Setting it goes on from there; Error, and no change, for any other text."""
        return self._native.save()

    @state.setter
    def state(self, text: str) -> None:
        self._native.restore(arguments.name(text, "state"))
