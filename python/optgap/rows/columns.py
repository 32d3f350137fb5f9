"""Rows of any kind, graded, as columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from optgap.core.results import Bool, Float32, Int32, Int64


@dataclass(frozen=True, repr=False, eq=False)
class ScoredColumns:
    """R rows. Those of `errors` could not be graded: 0 and empty texts in every column."""

    reward: Float32
    """[R] NaN where a truncated row is excluded, and where the machine lost a program."""
    format: Float32
    """[R] 1 or 0."""
    feasible: Float32
    """[R] 1 or 0."""
    quality: Float32
    """[R] 0 to 1; 0 where infeasible."""
    raw_ratio: Float32
    """[R] The same, not clipped: above 1 the answer beats its baseline."""
    normalized: Float32
    """[R] -1 to 1: 0 is the floor's, 1 the baseline's."""
    optimal: Float32
    """[R] 1 where nothing can be better; of a program the share of its instances."""
    length_penalty: Float32
    """[R] What the reward lost by the rollout's length: 0 or less."""
    code: Int32
    """[R] The verdict's number; `codes` has its name."""
    truncated: Int32
    """[R] 1 or 0."""
    objective: Int64
    """[R] Of a feasible answer, in the task's unit; else NO_OBJECTIVE."""
    violation: Int64
    """[R] How far from feasible: 0 or more."""
    score: np.ndarray
    """[R] float64: what rankings compare, in the sense of `maximise`, where `scores` has nothing for the row."""
    begin: Int64
    """[R] Where the answer begins in the completion, in bytes of UTF-8."""
    end: Int64
    content: np.ndarray
    """[R] float64: of a text against a rubric, 0 to 1; NaN for other kinds."""
    style: np.ndarray
    reached: Bool
    """[R] As good as what it is measured against, by its kind's own rule."""
    proven: Bool
    """[R] The baseline is."""
    maximise: Bool
    """[R] Is more of `score` better?"""
    codes: list[str]
    """[R] Names of `code`."""
    tasks: list[str]
    """[R] "tsp", "chain/ours", "mine/toy"."""
    kinds: list[str]
    """[R] "answer", "program", "text", "external", "proposal", "judgement"."""
    baseline_kinds: list[str]
    """[R] "proven", "bounded", "unknown", "external", "reference"."""
    offsets: Int64
    """[R + 1] Row r has scores[offsets[r]:offsets[r + 1]]."""
    scores: np.ndarray
    """float64: the objectives of programs, one a hidden instance, NaN where invalid."""
    errors: dict[int, tuple[str, str]]
    """By row: the field that breaks a rule, and the rule."""

    def __len__(self) -> int:
        return len(self.reward)

    def __repr__(self) -> str:
        return f"ScoredColumns: {len(self)} rows, {len(self.errors)} of them with an error"
