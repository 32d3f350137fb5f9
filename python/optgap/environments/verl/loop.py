"""verl's agent loop, by `actor_rollout_ref.rollout.agent.agent_loop_config_path=optgap_agent.yaml`:

- name: optgap_agent
  _target_: optgap.environments.verl.loop.OptgapAgentLoop
  turns: 3

and `actor_rollout_ref.rollout.agent.default_agent_loop=optgap_agent`, or a column `agent_name` of that name. Rows are those
of `optgap dataset --trainer verl`. The reward is the episode's; verl's reward manager is not asked.
"""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

try:
    from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopOutput, register
except ImportError as missing:
    raise ImportError("the verl agent loop needs verl: pip install 'verl>=0.9.1'") from missing

from optgap.environments.episode import Episode
from optgap.environments.rendering import fitted_format
from optgap.trainers.common.turns import end_tokens, last_texts, without_end

NAME = "optgap_agent"
_SETTINGS = ("turns", "budget", "feedback", "reward_shape", "until", "reward", "format", "isolation")


@register(NAME)
class OptgapAgentLoop(AgentLoopBase):
    """One episode a row. Settings are those of Episode, in the file that names this class."""

    def __init__(self, *given: Any, **named: Any) -> None:
        self.settings = {name: named.pop(name) for name in _SETTINGS if name in named}
        super().__init__(*given, **named)
        self.response_length = self.rollout_config.response_length

    async def run(self, sampling_params: dict[str, Any], **row: Any) -> AgentLoopOutput:
        """An episode as one sequence; users' turns have the mask 0."""
        template = dict(self.apply_chat_template_kwargs or {})
        messages = [dict(message) for message in row["raw_prompt"]]
        known = {"prompt": messages, "reward_model": row["reward_model"]}
        fitted = fitted_format(self.tokenizer, known, self.settings.get("format"), **template)
        chosen = dict(self.settings) if fitted is None else {**self.settings, "format": fitted, "force_format": True}
        episode = await asyncio.to_thread(lambda: Episode(known, **chosen))
        ids = await self.ct_build_initial_tokens(messages)
        start, mask, logprobs, session = len(ids), [], None, uuid4().hex
        ends, texts = end_tokens(self.tokenizer), last_texts(self.tokenizer)
        earned: list[float] = []
        extra: dict[str, Any] = {}
        while not episode.done:
            asked = {**sampling_params, "max_tokens": self.response_length - len(mask)}
            made = await self.server_manager.generate(request_id=session, prompt_ids=ids, sampling_params=asked)
            extra = made.extra_fields or {}
            new = list(made.token_ids)[: self.response_length - len(mask)]
            before = logprobs if logprobs is not None else ([] if made.log_probs else None)
            merged, mask, logprobs = await self.ct_merge_assistant_token(
                ids, new, mask, before, assistant_logprobs=list(made.log_probs)[: len(new)] if made.log_probs else None
            )
            ids = merged.token_ids
            finish = "stop" if new and new[-1] in ends else "length"
            text = without_end(self.tokenizer.decode(new, skip_special_tokens=False), texts)
            turn = await asyncio.to_thread(episode.submit, text, finish=finish, length=len(new))
            earned.append(turn.earned)
            if turn.message is None:
                break
            previous = [*messages, {"role": "assistant", "content": text}]
            updated = [*previous, {"role": "user", "content": turn.message}]
            if finish == "length":
                episode.end()
                break
            merged, grown, kept = await self.ct_merge_context_msg(previous, updated, ids, mask, logprobs)
            if len(grown) >= self.response_length:
                episode.end()
                break
            ids, mask, logprobs, messages = merged.token_ids, grown, kept, updated
        earned[-1:] = [episode.history[-1].earned]
        reward = 0.0 if episode.reward is None else episode.reward
        grade = episode.history[-1].grade
        return AgentLoopOutput(
            prompt_ids=ids[:start], response_ids=ids[start:][: self.response_length], response_mask=mask[: self.response_length],
            response_logprobs=None if logprobs is None else logprobs[: self.response_length], reward_score=reward,
            num_turns=2 * len(episode.history), metrics={}, multi_modal_data={},
            extra_fields={**extra, "turn_scores": earned, "tool_rewards": [], "reward_extra_info": {"score": reward, **grade}},
        )  # fmt: skip
