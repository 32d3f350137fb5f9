"""Chains: what a free text must hold and how it must look, as data, and what texts earn by them (docs/chains.md).

    chains = Chains.compile([{"chain": {...}, "prompt": "..."}])
    scores = chains.score(completions, chain_of=[0, 0, 0, 0])
    scores.reward, scores.content, scores.style            # NumPy arrays, one entry a completion

Importing this loads nothing native; the first name that is used does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from optgap.chains.scoring import Chains, TextScores, gates, presets

__all__ = ["Chains", "TextScores", "gates", "presets"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from optgap.chains import scoring

        return getattr(scoring, name)
    raise AttributeError(f"module 'optgap.chains' has no attribute {name!r}")
