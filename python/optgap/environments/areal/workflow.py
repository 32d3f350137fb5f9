"""AReaL's workflow: rows are those of `optgap dataset --trainer trl`, with `prompt` and `ground_truth`.

from optgap.environments.areal.workflow import OptgapWorkflow

workflow = OptgapWorkflow(config.gconfig, tokenizer, turns=3)
"""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

import torch

try:
    from areal.api import ModelRequest, RolloutWorkflow
except ImportError as missing:
    raise ImportError("the AReaL workflow needs areal: pip install areal") from missing

from optgap.core.errors import misuse
from optgap.environments.episode import Episode
from optgap.environments.rendering import fitted_format, next_turn
from optgap.trainers.common.turns import last_texts, without_end


class OptgapWorkflow(RolloutWorkflow):
    """One episode a row. Users' turns are left out of the loss; a row without a reward is rejected (None).

    Args:
        gconfig: AReaL's GenerationHyperparameters; max_new_tokens is of a turn.
        tokenizer: Of the model.
        template: Options of the chat template.
        settings: As Episode takes them. `format` follows the chat template where that opens the reasoning part.
    """

    def __init__(
        self, gconfig: Any, tokenizer: Any, *, template: dict[str, Any] | None = None, **settings: Any
    ) -> None:
        if isinstance(tokenizer, str):
            raise misuse("tokenizer", "is a text, expected the tokenizer")
        self.gconfig = gconfig.new_with_stop_and_pad_token_ids(tokenizer)
        self.tokenizer, self.template, self.settings = tokenizer, dict(template or {}), settings

    async def arun_episode(self, engine: Any, data: dict[str, Any]) -> dict[str, Any] | None:
        """A batch of one sequence: input_ids, loss_mask, logprobs, versions, attention_mask, rewards."""
        tokenizer = self.tokenizer
        fitted = fitted_format(tokenizer, data, self.settings.get("format"), **self.template)
        chosen = dict(self.settings) if fitted is None else {**self.settings, "format": fitted, "force_format": True}
        episode = await asyncio.to_thread(lambda: Episode(data, **chosen))
        ids = tokenizer.apply_chat_template(
            episode.prompt, add_generation_prompt=True, tokenize=True, return_dict=False, **self.template
        )
        ids, mask, logprobs, versions = list(ids), [0] * len(ids), [0.0] * len(ids), [-1] * len(ids)
        ends, session = last_texts(tokenizer), uuid.uuid4().hex
        while not episode.done:
            request = ModelRequest(
                rid=session, input_ids=ids, gconfig=self.gconfig.new(n_samples=1), tokenizer=tokenizer
            )
            made = await engine.agenerate(request)
            new = list(made.output_tokens)
            ids, mask = ids + new, mask + [1] * len(new)
            logprobs, versions = logprobs + list(made.output_logprobs), versions + list(made.output_versions)
            finish = made.stop_reason if made.stop_reason in ("stop", "length", "abort") else "unknown"
            text = without_end(tokenizer.decode(new, skip_special_tokens=False), ends)
            turn = await asyncio.to_thread(episode.submit, text, finish=finish, length=len(new))
            if turn.message is None:
                break
            if finish != "stop":
                episode.end()
                break
            said = list(
                tokenizer(next_turn(tokenizer, turn.message, **self.template), add_special_tokens=False)["input_ids"]
            )
            ids, mask = ids + said, mask + [0] * len(said)
            logprobs, versions = logprobs + [0.0] * len(said), versions + [-1] * len(said)
        if episode.reward is None:
            return None
        columns = {
            "input_ids": torch.tensor(ids, dtype=torch.int32),
            "loss_mask": torch.tensor(mask, dtype=torch.int32),
            "logprobs": torch.tensor(logprobs, dtype=torch.float32),
            "versions": torch.tensor(versions, dtype=torch.int32),
            "attention_mask": torch.ones(len(ids), dtype=torch.bool),
            "rewards": torch.tensor(episode.reward, dtype=torch.float32),
        }
        return {name: column.unsqueeze(0) for name, column in columns.items()}
