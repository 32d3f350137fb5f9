"""Environments of several turns, and adapters of frameworks that run them, a folder each (docs/environments.md)."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

_HOME = {
    "Episode": "episode",
    "Turn": "episode",
    "SHAPES": "names",
    "Tools": "tools",
    "episode_reward": "shapes",
    "run_program": "tools",
    "shaped": "shapes",
    "tool_episode": "answers",
}

if TYPE_CHECKING:
    from .answers import tool_episode as tool_episode
    from .episode import Episode as Episode, Turn as Turn
    from .names import SHAPES as SHAPES
    from .shapes import episode_reward as episode_reward, shaped as shaped
    from .tools import Tools as Tools, run_program as run_program

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'optgap.environments' has no attribute '{name}'")
    return getattr(importlib.import_module(f"optgap.environments.{_HOME[name]}"), name)
