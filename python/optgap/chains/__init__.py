"""The former name of optgap.rubrics."""

from __future__ import annotations

import warnings
from typing import Any

_CURRENT = {"Chains": "Rubrics", "TextScores": "TextScores", "gates": "gates", "presets": "presets"}


def __getattr__(name: str) -> Any:
    from optgap import rubrics

    if name not in _CURRENT:
        raise AttributeError(f"module 'optgap.chains' has no attribute {name!r}")
    warnings.warn(f"optgap.chains.{name} is optgap.rubrics.{_CURRENT[name]} now", DeprecationWarning, stacklevel=2)
    return getattr(rubrics, _CURRENT[name])
