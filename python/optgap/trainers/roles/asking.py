"""Judges and other roles that are played by a model behind a server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...measure.endpoint import Endpoint, Reply, RequestFailed


class EndpointRole:
    """Answers prompts by an OpenAI-compatible server, in their order.

        judge = EndpointRole(Endpoint("http://localhost:8000/v1", "model"), temperature=0)
        texts = judge(prompts)

    A request that failed for good is an empty text, which no parser takes for a score; `failed` counts them.

    Args:
        endpoint: Open; the caller closes it.
        fields: Of every request's body.
    """

    def __init__(self, endpoint: Endpoint, **fields: Any) -> None:
        self.endpoint, self.fields = endpoint, fields
        self.failed = 0

    def __call__(self, prompts: Sequence[str]) -> list[str]:
        """One text a prompt."""
        texts = [""] * len(prompts)
        asked = [(row, [{"role": "user", "content": prompt}], self.fields) for row, prompt in enumerate(prompts)]
        for row, said in self.endpoint.ask(asked):
            if isinstance(said, RequestFailed):
                self.failed += 1
            else:
                assert isinstance(said, Reply)
                texts[row] = said.text
        return texts
