"""Environments of several turns, and adapters of frameworks that run them, a folder each (docs/environments.md)."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

_HOME = {"Episode": "episode", "Turn": "episode", "SHAPES": "names", "episode_reward": "shapes", "shaped": "shapes"}

if TYPE_CHECKING:
    from .episode import Episode as Episode, Turn as Turn
    from .names import SHAPES as SHAPES
    from .shapes import episode_reward as episode_reward, shaped as shaped

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'optgap.environments' has no attribute '{name}'")
    return getattr(importlib.import_module(f"optgap.environments.{_HOME[name]}"), name)
