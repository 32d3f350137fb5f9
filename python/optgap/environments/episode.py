"""Several turns over one row: a model answers, is told what is wrong, and answers again.

    import optgap

    episode = optgap.Episode("tsp@1:train:easy:1", turns=3, reward_shape="improve")
    while not episode.done:
        turn = episode.submit(generate(episode.messages))
    print(episode.reward)

Every framework's adapter in this folder drives one of these, so that a text earns the same in each.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from optgap.core import arguments
from optgap.core.errors import misuse, one_of
from optgap.environments.names import LEVELS, SHAPES, UNTIL
from optgap.environments.rows import Message, graded, problem_row, prompt_of, with_completion
from optgap.environments.shapes import episode_reward, shaped
from optgap.measure.endpoint.messages import valid_text
from optgap.rows import feedback as feedback_of

MAX_TURNS = 64
_STATE = 1
_SETTINGS = ("turns", "budget", "feedback", "reward_shape", "until")
_GRADE = ("code", "format", "feasible", "quality", "normalized", "optimal", "truncated")
"""Columns of a scored row that a turn keeps beside the reward; kinds of rows without one do not have it."""


@dataclass(frozen=True)
class Turn:
    """One text and what it got."""

    text: str
    """As it was graded: cut where the budget ended."""
    finish: str
    """"stop", "length", "abort" or "unknown"."""
    length: int | None
    """Tokens, where the caller gave them."""
    reward: float | None
    """Of this text alone, as `optgap.score` gives it; None: it has none (docs/rewards.md)."""
    earned: float
    """What the turn adds to the episode by the reward's shape; the sum over turns is the episode's reward."""
    grade: Mapping[str, Any]
    """The columns code, format, feasible, quality, normalized, optimal and truncated, as far as the row's kind has them."""
    message: str | None
    """What the user says next; None: the episode is over."""

    @property
    def done(self) -> bool:
        """Was it the last?"""
        return self.message is None


class Episode:
    """One row, asked several times. Owned by one thread; pickled, it goes on elsewhere from the same turn.

    Args:
        row: Of any kind (docs/rows.md), without a completion; a key; a ground truth; or a trainer's row that holds one.
        turns: How many texts there are at most, 1 to 64.
        budget: Bytes of UTF-8 that all texts may have together; None: no limit. A text is cut where the budget ends, graded
            as cut off, and ends the episode.
        feedback: What the model is told of its text: "none", "verdict", "rule" or "place".
        reward_shape: "last", "best", "improve" or "first".
        until: What ends the episode before its last turn: "turns" (nothing), "feasible" or "optimal".
        options: As `optgap.score` takes them: reward, format, isolation, …; `device` is "cpu" unless given.

    Raises:
        Error: For a row that cannot be scored, with its field and rule, and for a setting or an option that is unknown or
            does not fit.
    """

    def __init__(
        self,
        row: str | Mapping[str, Any],
        *,
        turns: int = 3,
        budget: int | None = None,
        feedback: str = "rule",
        reward_shape: str = "last",
        until: str = "turns",
        **options: Any,
    ) -> None:
        self.turns = arguments.integer(turns, "turns", 1, MAX_TURNS)
        self.budget = None if budget is None else arguments.integer(budget, "budget", 1, 2**31 - 1)
        self.feedback = one_of("feedback", feedback, LEVELS)
        self.reward_shape = one_of("reward_shape", reward_shape, SHAPES)
        self.until = one_of("until", until, UNTIL)
        self.options = {"device": "cpu", **options}
        self.row = problem_row(row)
        if "external" in self.row or "problem" in self.row:
            self.options.setdefault("external", True)
        forced = self.options.get("format") if self.options.get("force_format") else None
        form = forced or self.row.get("format") or self.options.get("format")
        self.prompt: list[Message] = prompt_of(row, self.row, form)
        self.history: list[Turn] = []
        self._ended = False
        self.score("")  # says at once what is wrong with the row and the options

    # Texts and what they get

    def score(
        self, text: str | bytes, *, finish: str = "stop", length: int | None = None, previous: Sequence[float] | None = None
    ) -> dict[str, Any]:  # fmt: skip
        """One text alone, graded as `optgap.score` does; the episode does not move.

        Args:
            text: What the model wrote in one turn.
            finish: How its generation ended: "stop", "length", "abort" or "unknown".
            length: Its tokens, for a reward that reads them.
            previous: Rewards of texts before it.

        Returns:
            The scored row; with `previous` also `improvement`: what the text adds to the highest of these, at least 0, or
            its reward where there are none.

        Raises:
            Error: For a row that cannot be scored, and a way to finish that is none.
        """
        known = text.decode("utf-8", "replace") if isinstance(text, bytes) else valid_text(text)
        one_of("finish", finish, arguments.FINISHES)
        scored = graded(with_completion(self.row, known, finish, length), self.options)
        if previous is not None:
            scored["improvement"] = shaped([*previous, _reward(scored)], "improve")[-1]
        return scored

    def submit(self, text: str | bytes, *, finish: str = "stop", length: int | None = None) -> Turn:
        """Takes the model's text of this turn. Blocks while it is graded, for a program up to its limits.

        Args:
            text, finish, length: As `score` takes them.

        Returns:
            The turn, with the message that goes to the model next.

        Raises:
            Error: When the episode is over; as `score`.
        """
        if self.done:
            raise misuse("text", f"the episode is over after {len(self.history)} turns")
        known = text.decode("utf-8", "replace") if isinstance(text, bytes) else valid_text(text)
        spent = False
        if self.budget is not None:
            left = self.budget - sum(len(turn.text.encode()) for turn in self.history)
            whole = known.encode()
            spent = len(whole) >= left
            if len(whole) > left:
                known, finish, length = whole[:left].decode("utf-8", "ignore"), "length", None
        scored = self.score(known, finish=finish, length=length)
        grade = {name: scored[name] for name in _GRADE if name in scored}
        last = spent or len(self.history) + 1 == self.turns or self._reaches(grade)
        rewards = [*(turn.reward for turn in self.history), _reward(scored)]
        message = None if last else self._message(known, finish, length)
        earned = shaped(rewards, self.reward_shape, done=last)[-1]
        self.history.append(Turn(known, finish, length, rewards[-1], earned, grade, message))
        return self.history[-1]

    def end(self) -> float | None:
        """Ends the episode where it is, as when a trainer's own limit is reached; without a turn it is one empty text's.

        Returns:
            The episode's reward.
        """
        if not self.done:
            if not self.history:
                self.submit("", finish="abort")
            self._ended = True
            turn = self.history.pop()
            earned = shaped([*(one.reward for one in self.history), turn.reward], self.reward_shape)[-1]
            self.history.append(Turn(**{**vars(turn), "earned": earned, "message": None}))
        return self.reward

    def check(self, text: str | bytes) -> str:
        """What the model would be told of a text, at the episode's level; the episode does not move.

        Raises:
            Error: Where the level is "none".
        """
        if self.feedback == "none":
            raise misuse("feedback", "is none: there is nothing to tell")
        known = text.decode("utf-8", "replace") if isinstance(text, bytes) else valid_text(text)
        return feedback_of(with_completion(self.row, known, "stop", None), self.feedback, **self.options)

    # Where it stands

    @property
    def done(self) -> bool:
        """Whether nothing more can be submitted."""
        return self._ended or bool(self.history) and self.history[-1].done

    @property
    def reward(self) -> float | None:
        """Of the turns so far, as if the last of them were the episode's last; None before the first, and where its text
        has none."""
        return episode_reward([turn.reward for turn in self.history], self.reward_shape)

    @property
    def messages(self) -> list[Message]:
        """Prompt, texts and what was said to them, in the form of chat templates. What a user says has at most 1100 bytes."""
        said = [*self.prompt]
        for turn in self.history:
            said.append({"role": "assistant", "content": turn.text})
            if turn.message is not None:
                said.append({"role": "user", "content": turn.message})
        return said

    # Elsewhere and later

    def state(self) -> dict[str, Any]:
        """All of it as JSON holds it, to be kept in a checkpoint."""
        made = {
            "version": _STATE,
            "row": self.row,
            "prompt": self.prompt,
            "settings": {name: getattr(self, name) for name in _SETTINGS},
            "options": self.options,
            "history": [asdict(turn) for turn in self.history],
            "ended": self._ended,
        }
        try:
            return dict(json.loads(json.dumps(made, allow_nan=False)))
        except (TypeError, ValueError) as wrong:
            raise misuse("options", f"cannot be kept as JSON: {wrong}") from None

    @classmethod
    def resume(cls, state: Mapping[str, Any]) -> Episode:
        """The episode of a state. Its grades are taken as they stand there: keep states where models cannot write.

        Raises:
            Error: For a state of another version, or one that is none.
        """
        if not isinstance(state, Mapping) or state.get("version") != _STATE:
            raise misuse("state", f"is none of version {_STATE}")
        try:
            settings, options = dict(state["settings"]), dict(state["options"])
            if settings.keys() != set(_SETTINGS):
                raise KeyError(f"settings {', '.join(_SETTINGS)}")
            made = cls({**state["row"], "prompt": state["prompt"]}, **settings, **options)
            made.row = dict(state["row"])
            made.history = [Turn(**turn) for turn in state["history"]]
            made._ended = bool(state["ended"])
        except (KeyError, TypeError) as wrong:
            raise misuse("state", f"lacks or has too much: {wrong}") from None
        return made

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return Episode.resume, (self.state(),)

    def __repr__(self) -> str:
        name = self.row.get("key") or ", ".join(self.row)
        return f"Episode({name!r}, turn {len(self.history)} of {self.turns}, reward {self.reward})"

    def _reaches(self, grade: Mapping[str, Any]) -> bool:
        return self.until != "turns" and float(grade.get(self.until) or 0) >= 1

    def _message(self, text: str, finish: str, length: int | None) -> str:
        """The 1000 bytes of feedback at most, and one sentence."""
        said = ""
        if self.feedback != "none":
            row = with_completion(self.row, text, finish, length)
            said = feedback_of(row, self.feedback, **self.options) + " "
        left = self.turns - len(self.history) - 1
        return f"{said}Answer again, whole and in the form that was asked for: {left} more {'turn' if left == 1 else 'turns'}."


def _reward(scored: Mapping[str, Any]) -> float | None:
    reward = scored.get("reward")
    return None if reward is None or math.isnan(reward) else float(reward)
