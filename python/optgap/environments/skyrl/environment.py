"""SkyRL-Gym's environment; importing this registers `optgap`.

import skyrl_gym
import optgap.environments.skyrl.environment

env = skyrl_gym.make("optgap", env_config={"turns": 3}, extras=row)    # a row of `optgap dataset --trainer verl`
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

try:
    import skyrl_gym
    from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput
except ImportError as missing:
    raise ImportError("the SkyRL environment needs skyrl-gym: pip install 'skyrl-gym>=0.4'") from missing

from optgap.core.errors import misuse
from optgap.environments.episode import Episode, Turn

NAME = "optgap"


class OptgapEnv(BaseTextEnv):
    """One episode.

    Args:
        env_config: Settings of Episode.
        extras: The row of the data set; SkyRL's `max_turns` there is the number of turns where env_config has none.
    """

    def __init__(self, env_config: Mapping[str, Any] | None = None, extras: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        if not extras:
            raise misuse("extras", "is missing: the row of the data set")
        row, settings = dict(extras), dict(env_config or {})
        most = row.pop("max_turns", None)
        if most is not None:
            settings.setdefault("turns", most)
        self._row, self._settings = row, settings
        self.episode = Episode(row, **settings)
        self.max_turns = self.episode.turns

    def init(self, prompt: list[dict[str, str]] | None) -> tuple[list[dict[str, str]], dict[str, Any]]:
        """The prompt as the data set has it, or the episode's own where there is none."""
        return (list(prompt) if prompt else self.episode.prompt), {}

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """A turn."""
        turn = self.episode.submit(action, finish="unknown")
        self.turns += 1
        made = BaseTextEnvStepOutput(
            observations=[] if turn.message is None else [{"role": "user", "content": turn.message}],
            reward=turn.earned, done=turn.done, metadata=_metrics(turn),
        )  # fmt: skip
        if turn.text != action:
            made["postprocessed_action"] = turn.text
        return made

    def get_metrics(self) -> dict[str, Any]:
        """Of the last turn, for SkyRL's averages over episodes."""
        return {"turns": self.turns, **_metrics(self.episode.history[-1])} if self.episode.history else {}


def _metrics(turn: Turn) -> dict[str, Any]:
    return {"text_reward": 0.0 if turn.reward is None else turn.reward, **turn.grade}


if NAME not in skyrl_gym.registry:
    skyrl_gym.register(id=NAME, entry_point=f"{__name__}:OptgapEnv")
