"""TRL's `rollout_func`: several turns as plain text, with the users' turns left out of the loss.

    from optgap.environments.trl.rollout import episode_reward, rollout

    trainer = GRPOTrainer(model, reward_funcs=episode_reward, rollout_func=rollout(rows, turns=3), train_dataset=rows, args=args)

A reward function of single texts must not read these completions: they hold several turns and the feedback between them as
one text, which has no format at all.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from optgap.core.errors import misuse
from optgap.environments.episode import Episode
from optgap.environments.rendering import fitted_format, next_turn
from optgap.trainers.common.turns import end_tokens, last_texts, without_end

FIELD = "optgap_episode"


def rollout(rows: Iterable[Mapping[str, Any]], **settings: Any) -> Callable[[list[Any], Any], dict[str, Any]]:
    """A function for `rollout_func`.

    TRL hands a rollout function prompts alone, so the rows are found again by theirs.

    Args:
        rows: Of the data set, with `prompt` and `ground_truth`; each prompt once.
        settings: As Episode takes them. `format` follows the chat template where that opens the reasoning part.

    Raises:
        Error: For rows of one prompt that differ.
    """
    known: dict[str, dict[str, Any]] = {}
    for row in rows:
        kept = {name: row[name] for name in ("prompt", "ground_truth")}
        if known.setdefault(_name(row["prompt"]), kept) != kept:
            raise misuse("rows", "hold one prompt with different ground truths, which a rollout cannot tell apart")

    def play(prompts: list[Any], trainer: Any) -> dict[str, Any]:
        return _play(prompts, trainer, known, settings)

    return play


def episode_reward(completions: list[Any], **columns: Any) -> list[float | None]:
    """The reward function beside it: what the episodes earned.

    Raises:
        Error: Where no rollout function of `rollout` ran.
    """
    if FIELD not in columns:
        raise misuse("reward_funcs", "episode_reward reads what rollout_func=rollout(…) leaves, and that did not run")
    return [json.loads(kept)["reward"] for kept in columns[FIELD]]


def _name(prompt: Any) -> str:
    return json.dumps(prompt, sort_keys=True, default=str)


def _play(prompts: list[Any], trainer: Any, known: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    tokenizer = trainer.processing_class
    options = dict(getattr(trainer, "chat_template_kwargs", None) or {})
    generation = getattr(trainer, "generation_config", None)
    ends, marks = end_tokens(tokenizer, generation), last_texts(tokenizer, generation)
    limit = trainer.max_completion_length
    games = []
    for prompt in prompts:
        row = known.get(_name(prompt))
        if row is None:
            raise misuse("rows", f"none has the prompt {_name(prompt)[:80]}")
        fitted = fitted_format(tokenizer, row, settings.get("format"), **options)
        chosen = dict(settings) if fitted is None else {**settings, "format": fitted, "force_format": True}
        ids = tokenizer.apply_chat_template(
            prompt, add_generation_prompt=True, tokenize=True, return_dict=False, **options
        )
        games.append(_Game(Episode(row, **chosen), list(ids)))
    while open_ := [game for game in games if not game.episode.done]:
        made, logprobs = trainer._generate_single_turn([game.prompt + game.ids for game in open_], None, {}, 1)
        for at, game in enumerate(open_):
            new = list(made[at])[: limit - len(game.ids)]
            game.take(new, None if logprobs is None else list(logprobs[at])[: len(new)])
            finish = "stop" if new and new[-1] in ends else "length"
            text = without_end(tokenizer.decode(new, skip_special_tokens=False), marks)
            turn = game.episode.submit(text, finish=finish, length=len(new))
            if turn.message is None:
                continue
            said = tokenizer(next_turn(tokenizer, turn.message, **options), add_special_tokens=False)["input_ids"]
            if finish == "length" or len(game.ids) + len(said) >= limit:
                game.episode.end()
            else:
                game.hear(said)
    return {
        "prompt_ids": [game.prompt for game in games],
        "completion_ids": [game.ids for game in games],
        "logprobs": None if any(game.logprobs is None for game in games) else [game.logprobs for game in games],
        "env_mask": [game.mask for game in games],
        FIELD: [json.dumps({"reward": game.episode.reward, "turns": len(game.episode.history)}) for game in games],
    }


class _Game:
    """An episode as tokens."""

    def __init__(self, episode: Episode, prompt: list[int]) -> None:
        self.episode, self.prompt = episode, prompt
        self.ids: list[int] = []
        self.mask: list[int] = []
        self.logprobs: list[float] | None = []

    def take(self, ids: list[int], logprobs: list[float] | None) -> None:
        self.ids += ids
        self.mask += [1] * len(ids)
        self.logprobs = None if logprobs is None or self.logprobs is None else self.logprobs + logprobs

    def hear(self, ids: list[int]) -> None:
        self.ids += ids
        self.mask += [0] * len(ids)
        if self.logprobs is not None:
            self.logprobs += [0.0] * len(ids)
