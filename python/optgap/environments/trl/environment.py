"""TRL's `environment_factory`: a class whose methods are the model's tools and whose `get_reward` is the reward.

    from optgap.environments.trl.environment import environment

    trainer = GRPOTrainer(model, environment_factory=environment(turns=3), train_dataset=rows, args=args)

`rows` are those of `optgap dataset --trainer trl`. TRL's data set may carry any columns: `ground_truth` or `key` is read.
Unsloth's trainers are TRL's and take the same class.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from optgap.core.errors import misuse
from optgap.environments.tools import Tools

SAID = (
    "\n\nHand in your answer by the tool `submit`: its argument is the answer alone, in the form of the list or text that was asked "
    "for, without reasoning and without tags. What comes back says what is wrong with it, and you may hand in another one."
)


def environment(*, checks: int = 0, **settings: Any) -> type:
    """A class for `environment_factory`.

    Args:
        checks: Calls of the tool `check` in an episode; with 0 there is none.
        settings: As Episode takes them.

    Returns:
        A class without arguments, as TRL calls it.

    Raises:
        Error: For a `format` that requires reasoning, which a tool's argument never has.
    """
    Tools("tsp@1:train:easy:1", checks=checks, **settings)  # says at once which setting does not fit

    class OptgapEnvironment:
        """One episode at a time; TRL resets and reuses it."""

        def reset(self, **columns: Any) -> str:
            self._tools = Tools(_row_of(columns), checks=checks, **settings)
            return SAID

        def submit(self, answer: str) -> str:
            """
            Hands in an answer.

            Args:
                answer: The answer alone, without any reasoning.

            Returns:
                What is wrong with it, or that the episode is over.
            """
            return self._tools.call("submit", {"answer": answer})

        def get_reward(self) -> float | None:
            """Of the episode; without a submission that of an empty text. None: the row has no reward, and TRL leaves it out."""
            return self._tools.episode.end()

    if checks:

        def check(self: Any, answer: str) -> str:
            """
            Says what is wrong with an answer without handing it in.

            Args:
                answer: The answer alone, without any reasoning.

            Returns:
                The rule that it breaks.
            """
            return str(self._tools.call("check", {"answer": answer}))

        OptgapEnvironment.check = check  # type: ignore[attr-defined]
    return OptgapEnvironment


def _row_of(columns: Mapping[str, Any]) -> Any:
    if columns.get("ground_truth") is not None:
        return {name: columns[name] for name in ("prompt", "ground_truth") if columns.get(name) is not None}
    if columns.get("key") is not None:
        return {name: value for name, value in columns.items() if value is not None}
    raise misuse("ground_truth", "is missing: a row of the data set has it, or key")
