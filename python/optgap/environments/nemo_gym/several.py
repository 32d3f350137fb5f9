"""NeMo-Gym's resources server of several turns, for its gymnasium_agent: `python -m optgap.environments.nemo_gym.several`."""

from __future__ import annotations

import asyncio
from typing import Any

try:
    from resources_servers.gymnasium.base import GymnasiumServer
except ImportError as missing:
    raise ImportError("the NeMo-Gym server needs nemo-gym and Python 3.13: pip install nemo-gym") from missing

from optgap.environments.episode import Episode
from optgap.environments.nemo_gym.responses import finish_of, row_of, text_of_response


class OptgapGymnasiumServer(GymnasiumServer):
    """An episode a session. Settings of Episode stand in a line's `episode`."""

    async def reset(self, metadata: dict[str, Any], session_id: str | None = None) -> tuple[str | None, dict[str, Any]]:
        row, settings = row_of(metadata), metadata.get("episode") or {}
        row.setdefault("prompt", "The prompt is the agent's.")
        self.session_state[session_id] = await asyncio.to_thread(lambda: Episode(row, **settings))
        return None, {}

    async def step(
        self, action: Any, metadata: dict[str, Any], session_id: str | None = None
    ) -> tuple[str | None, float, bool, bool, dict[str, Any]]:
        """Observation, what the turn earned, is it over, was it cut off, the grade."""
        episode = self.session_state[session_id]
        turn = await asyncio.to_thread(episode.submit, text_of_response(action), finish=finish_of(action))
        return turn.message, turn.earned, turn.done, False, dict(turn.grade)


if __name__ == "__main__":
    OptgapGymnasiumServer.run_webserver()
