"""Rubrics: what a free text must hold and how it must look, as data, and what texts earn by them (docs/rubrics.md).

    rubrics = Rubrics.compile([{"chain": {...}, "prompt": "..."}])
    scores = rubrics.score(completions, rubric_of=[0, 0, 0, 0])
    scores.reward, scores.content, scores.style            # NumPy arrays, one entry a completion

Importing this loads nothing native; the first name that is used does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..._former import attributes

if TYPE_CHECKING:
    from optgap.data.rubrics.scoring import Rubrics, TextScores, gates, presets

__all__ = ["Rubrics", "TextScores", "gates", "presets"]
_former = attributes(__name__, {"Chains": "Rubrics"})


def __getattr__(name: str) -> Any:
    if name in __all__:
        from optgap.data.rubrics import scoring

        return getattr(scoring, name)
    return _former(name)
