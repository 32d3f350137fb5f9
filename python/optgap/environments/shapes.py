"""What the turns of an episode earn, made of the rewards of their texts."""

from __future__ import annotations

import math
from collections.abc import Sequence

from optgap.core.errors import misuse, one_of
from optgap.environments.names import SHAPES


def shaped(rewards: Sequence[float | None], shape: str, *, done: bool = True) -> list[float]:
    """What each turn earns.

    A turn without a reward (its program's run was lost, or the spec excludes cut-off texts) earns nothing and is no
    highest reward. The sum over turns is `episode_reward`, or 0 where that is None.

    Args:
        rewards: Of the texts alone, in the order of the turns; None: the text has none.
        shape: "last", "best", "improve" or "first".
        done: Is the last turn of these the episode's last?

    Returns:
        One number a turn.

    Raises:
        Error: For a shape that there is not, and a reward that is infinite.
    """
    one_of("shape", shape, SHAPES)
    known = [_number(reward) for reward in rewards]
    earned = [0.0] * len(known)
    if shape == "first":
        earned[:1] = [known[0] or 0.0] if known else []
    elif shape == "improve":
        highest: float | None = None
        for at, reward in enumerate(known):
            if reward is not None and (highest is None or reward > highest):
                earned[at] = reward if highest is None else reward - highest
                highest = reward
    elif done and known:
        earned[-1] = episode_reward(known, shape) or 0.0
    return earned


def episode_reward(rewards: Sequence[float | None], shape: str) -> float | None:
    """What a whole episode earns: the last reward, the first, or for "best" and "improve" the highest; None where that
    turn has none, and where no turn has one.

    Raises:
        Error: As `shaped`.
    """
    one_of("shape", shape, SHAPES)
    known = [_number(reward) for reward in rewards]
    if not known:
        return None
    if shape in ("last", "first"):
        return known[-1 if shape == "last" else 0]
    return max((reward for reward in known if reward is not None), default=None)


def _number(reward: float | None) -> float | None:
    if reward is None or math.isnan(reward):
        return None
    if math.isinf(reward):
        raise misuse("rewards", f"{reward} is no reward: expected a finite number or None")
    return float(reward)
