"""slime's generate function: `--custom-generate-function-path optgap.environments.slime.rollout.generate`, with settings of Episode
in `optgap_episode` of `--custom-config-path`'s file. Rows are those of `optgap dataset --trainer slime`."""

from __future__ import annotations

import asyncio
from typing import Any

from optgap.environments.episode import Episode
from optgap.environments.rendering import fitted_format, next_turn
from optgap.trainers.common.turns import last_texts, without_end


async def generate(args: Any, sample: Any, sampling_params: dict[str, Any]) -> Any:
    """Plays an episode in one sample: slime's own function makes the texts, and users' turns are appended untrained.

    The sample's reward is the episode's, as a number, or a dict with `args.reward_key`.
    """
    from slime.rollout.sglang_rollout import GenerateState, generate as once

    tokenizer = GenerateState(args).tokenizer
    settings = dict(getattr(args, "optgap_episode", None) or {})
    template = dict(getattr(args, "apply_chat_template_kwargs", None) or {})
    row = {
        "ground_truth": sample.label,
        "prompt": sample.prompt if isinstance(sample.prompt, (str, list)) else str(sample.prompt),
    }
    fitted = fitted_format(tokenizer, row, settings.get("format"), **template)
    if fitted is not None:
        settings = {**settings, "format": fitted, "force_format": True}
    episode = await asyncio.to_thread(lambda: Episode(row, **settings))
    ends, status = last_texts(tokenizer), type(sample).Status
    while not episode.done:
        before, tokens = len(sample.response), sample.response_length
        # Its function takes what was generated before from max_new_tokens, in the dict that it is given.
        sample = await once(args, sample, dict(sampling_params))
        if sample.status == status.ABORTED:
            return sample
        finish = "length" if sample.status == status.TRUNCATED else "stop"
        text, length = without_end(sample.response[before:], ends), sample.response_length - tokens
        turn = await asyncio.to_thread(episode.submit, text, finish=finish, length=length)
        if turn.message is None:
            break
        if finish == "length":
            episode.end()
            break
        said = next_turn(tokenizer, turn.message, **template)
        ids = tokenizer(said, add_special_tokens=False)["input_ids"]
        if sample.response_length + len(ids) >= sampling_params["max_new_tokens"]:
            episode.end()
            break
        sample.append_response_tokens(args, tokens=ids, trainable=False, text=said, update_terminal_info=False)
        sample.status = status.PENDING
    reward = 0.0 if episode.reward is None else episode.reward
    key = getattr(args, "reward_key", None)
    sample.reward = {key: reward, "turns": len(episode.history), **episode.history[-1].grade} if key else reward
    return sample
