"""Tinker's environment of messages, and the one of tokens over it.

from optgap.environments.tinker.environment import env

made = env(renderer, row, turns=3)    # a tinker_cookbook.rl.types.Env
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

try:
    from tinker_cookbook.rl.message_env import EnvFromMessageEnv, MessageEnv, MessageStepResult
except ImportError as missing:
    raise ImportError("the Tinker environment needs tinker-cookbook: pip install 'tinker-cookbook>=0.6.1'") from missing

from optgap.core.keys import format_fields
from optgap.environments.episode import Episode
from optgap.measure.endpoint.messages import text_of


class OptgapMessageEnv(MessageEnv):
    """One episode. Arguments: as Episode."""

    def __init__(self, row: str | Mapping[str, Any], **settings: Any) -> None:
        self.episode = Episode(row, **settings)
        self.example_id = str(self.episode.row.get("key", "")) or None

    async def initial_observation(self) -> list[Any]:
        return list(self.episode.messages)

    async def step(self, message: Mapping[str, Any]) -> MessageStepResult:
        """A turn, graded in a thread: a program may take its time."""
        turn = await asyncio.to_thread(self.episode.submit, _text(message, self.episode), finish="stop")
        numbers = {name: float(value) for name, value in turn.grade.items() if isinstance(value, (int, float))}
        return MessageStepResult(
            reward=turn.earned, episode_done=turn.done, next_messages=list(self.episode.messages), metrics=numbers,
            logs={"code": str(turn.grade.get("code", ""))},
        )  # fmt: skip


def env(
    renderer: Any, row: str | Mapping[str, Any], *, settings_of_env: Mapping[str, Any] | None = None, **settings: Any
) -> Any:
    """The environment of tokens, whose texts that were cut off or cannot be parsed earn what an empty text earns. Tinker's
    own numbers there, -0.1 and -1, are more than a broken text earns here: models learn to ramble.

    Args:
        renderer: Of tinker_cookbook.
        row, settings: As Episode takes them.
        settings_of_env: Of EnvFromMessageEnv.
    """
    inner = OptgapMessageEnv(row, **settings)
    lowest = inner.episode.score("", finish="length")["reward"]
    lowest = 0.0 if lowest is None else float(lowest)
    return EnvFromMessageEnv(
        renderer, inner, **{"failed_parse_reward": lowest, "context_overflow_reward": lowest, **(settings_of_env or {})}
    )


def _text(message: Mapping[str, Any], episode: Episode) -> str:
    """The message as the model wrote it: its renderer may have taken the thinking apart."""
    content = message.get("content")
    form = episode.options.get("format") or episode.row.get("format") or "forge"
    if isinstance(content, str):
        return content
    thinking = "".join(part.get("thinking", "") for part in content or [] if part.get("type") == "thinking")
    said = "".join(part.get("text", "") for part in content or [] if part.get("type") == "text")
    if {"chain", "rubric", "rubric_key"} & episode.row.keys() or format_fields(form)["reasoning"] == "none":
        return said
    return text_of([{"role": "assistant", "content": said, "reasoning_content": thinking}], form)
