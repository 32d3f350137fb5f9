"""Rows of every kind, scored in this process (docs/rows.md).

    import optgap

    scored = optgap.score([{"key": "tsp@1:train:easy:1", "completion": "<think>…</think><answer>[0, 1]</answer>"}])
    scored[0]["reward"], scored[0]["code"]

Importing this loads nothing native.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from optgap.rows.code_table import codes
    from optgap.rows.columns import ScoredColumns
    from optgap.rows.scoring import Row, Scorer, explain, feedback, score

__all__ = ["Row", "ScoredColumns", "Scorer", "codes", "explain", "feedback", "score"]
_HOME = {"codes": "code_table", "ScoredColumns": "columns"}


def __getattr__(name: str) -> Any:
    if name in __all__:
        import importlib

        return getattr(importlib.import_module(f"optgap.rows.{_HOME.get(name, 'scoring')}"), name)
    raise AttributeError(f"module 'optgap.rows' has no attribute {name!r}")
