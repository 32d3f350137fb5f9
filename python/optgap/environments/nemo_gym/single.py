"""NeMo-Gym's resources server of one turn: `python -m optgap.environments.nemo_gym.single`."""

from __future__ import annotations

import asyncio
from typing import Any

try:
    from nemo_gym.base_resources_server import (
        BaseResourcesServerConfig,
        BaseVerifyRequest,
        BaseVerifyResponse,
        SimpleResourcesServer,
    )
except ImportError as missing:
    raise ImportError("the NeMo-Gym server needs nemo-gym and Python 3.13: pip install nemo-gym") from missing

from pydantic import ConfigDict

from optgap.environments.episode import Episode
from optgap.environments.nemo_gym.responses import finish_of, row_of, text_of_response


class OptgapConfig(BaseResourcesServerConfig):
    """`episode`: settings of Episode."""

    episode: dict[str, Any] = {}


class OptgapVerifyRequest(BaseVerifyRequest):
    """A line of the data set and the model's response."""

    model_config = ConfigDict(extra="allow", populate_by_name=True)


class OptgapVerifyResponse(BaseVerifyResponse):
    """With the grade of the text."""

    model_config = ConfigDict(extra="allow", populate_by_name=True)


class OptgapServer(SimpleResourcesServer):
    """Grades one response; a text without a reward is masked."""

    config: OptgapConfig

    async def verify(self, body: OptgapVerifyRequest) -> OptgapVerifyResponse:
        row = row_of({**(body.model_extra or {}), "responses_create_params": body.responses_create_params})
        settings = {**self.config.episode, "turns": 1}
        episode = await asyncio.to_thread(lambda: Episode(row, **settings))
        turn = await asyncio.to_thread(episode.submit, text_of_response(body.response), finish=finish_of(body.response))
        lost = episode.reward is None
        return OptgapVerifyResponse(
            **{**body.model_dump(), **turn.grade}, reward=0.0 if lost else episode.reward, mask_sample=lost
        )


if __name__ == "__main__":
    OptgapServer.run_webserver()
