"""OpenRLHF's agent: a file for `--agent_func_path` has two lines.

from optgap.environments.openrlhf.agent import executor

AgentExecutor = executor("Qwen/Qwen3-8B", turns=3)    # the model's name, for its chat template
"""

from __future__ import annotations

import asyncio
from typing import Any

import torch

try:
    from openrlhf.utils.agent import AgentInstanceBase, MultiTurnAgentExecutor
except ImportError as missing:
    raise ImportError("the OpenRLHF agent needs openrlhf: pip install openrlhf") from missing

from optgap.core.errors import misuse
from optgap.environments.episode import Episode
from optgap.environments.rendering import fitted_format, next_turn
from optgap.trainers.common.turns import last_texts, tokenizer_of, without_end


def executor(model: Any, *, template: dict[str, Any] | None = None, **settings: Any) -> type:
    """A class `AgentExecutor`. Rows are those of `optgap dataset --trainer openrlhf`: the label is the ground truth.

    Args:
        model: A folder or a cached Hub id whose tokenizer OpenRLHF uses, or the tokenizer: users' turns are written by its
            chat template, which OpenRLHF does not do.
        template: Options of the chat template, such as {"enable_thinking": False}.
        settings: As Episode takes them. `format` follows the chat template where that opens the reasoning part.

    Raises:
        Error: For a model without a tokenizer.
    """
    tokenizer = tokenizer_of(model) if isinstance(model, str) else model
    if tokenizer is None:
        raise misuse("model", f"{model!r} has no tokenizer here: take a folder or a cached Hub id")
    options, ends = dict(template or {}), last_texts(tokenizer)

    class OptgapAgent(AgentInstanceBase):
        """One episode, for one prompt."""

        def __init__(self, *_: Any, **__: Any) -> None:
            self.episode: Episode | None = None

        async def reset(self, states: dict[str, Any], **_: Any) -> dict[str, Any]:
            row = {"prompt": states["observation"], "ground_truth": states["label"]}
            fitted = fitted_format(tokenizer, row, settings.get("format"), **options)
            chosen = dict(settings) if fitted is None else {**settings, "format": fitted, "force_format": True}
            self.episode = await asyncio.to_thread(lambda: Episode(row, **chosen))
            return {"observation": states["observation"]}

        async def step(self, state_dict: dict[str, Any], **_: Any) -> dict[str, Any]:
            assert self.episode is not None
            text = without_end(state_dict["action_text"], ends)
            turn = await asyncio.to_thread(self.episode.submit, text, finish="unknown")
            total = self.episode.reward
            return {
                "rewards": torch.tensor(turn.earned),
                "scores": torch.tensor(0.0 if total is None else total),
                "environment_feedback": "" if turn.message is None else next_turn(tokenizer, turn.message, **options),
                "done": turn.done,
                "sampling_params": state_dict.get("sampling_params"),
                "extra_logs": {
                    "turns": torch.tensor(float(len(self.episode.history))),
                    "feasible": torch.tensor(float(turn.grade.get("feasible") or 0)),
                },
            }

    class AgentExecutor(MultiTurnAgentExecutor):
        """As OpenRLHF looks it up."""

        def __init__(self) -> None:
            super().__init__(OptgapAgent)

    return AgentExecutor
