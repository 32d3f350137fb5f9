"""OpenEnv's environment: `reset` draws or names an instance, `step` takes a text.

from optgap.environments.openenv.environment import app

app = app("tsp", level="easy", turns=3)    # uvicorn module:app
"""

from __future__ import annotations

import uuid
from typing import Any

try:
    from openenv.core.env_server.http_server import create_app
    from openenv.core.env_server.interfaces import Environment
    from openenv.core.env_server.types import Action, Observation, State
except ImportError as missing:
    raise ImportError("the OpenEnv environment needs openenv: pip install 'openenv>=0.10'") from missing

from optgap.core.errors import misuse, one_of
from optgap.core.keys import task_indices
from optgap.environments.episode import Episode
from optgap.trainers.common.ground_truth import engine

SPLITS = ("train", "val", "test")
TASKS = 2**31
"""Of a split: instance i is that of seed i."""
_PREVIEW = 100


class OptgapAction(Action):
    """What the model wrote in one turn."""

    text: str
    finish: str = "stop"
    """"stop", "length", "abort" or "unknown"."""


class OptgapObservation(Observation):
    """What the model is told next; `reward` is what the turn earned, `metadata` the grade of its text."""

    messages: list[dict[str, str]] = []
    """The whole conversation, for chat templates."""
    message: str = ""
    """Its last part; empty at the end."""
    key: str = ""
    """Of the instance."""


class OptgapState(State):
    """Of the episode, as JSON holds it; with it an episode is resumed by `Episode.resume`."""

    episode: dict[str, Any] = {}


class OptgapEnvironment(Environment[OptgapAction, OptgapObservation, OptgapState]):
    """One episode at a time, each session its own.

    Args:
        task: Name of a task.
        level: As in Engine.generate.
        settings: As Episode takes them.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, task: str = "tsp", level: str | int = "easy", **settings: Any) -> None:
        super().__init__()
        task_indices(task, direct=True)
        engine().generate(task, level, 1)
        self._task, self._level, self._settings = task, level, settings
        self._episode: Episode | None = None
        self._id = ""

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, *, split: str = "train", index: int | None = None,
        row: Any = None, **_: Any,
    ) -> OptgapObservation:  # fmt: skip
        """A new episode: of `row` where it is given, else of the instance `index` or `seed` of the split, else of a random one.

        Raises:
            Error: For a split or a row that there is not.
        """
        if row is None:
            one_of("split", split, SPLITS)
            place = index if index is not None else seed if seed is not None else uuid.uuid4().int % TASKS
            row = self.get_task(split, int(place))["key"]
        self._episode, self._id = Episode(row, **self._settings), episode_id or uuid.uuid4().hex
        return self._observed(None)

    def step(self, action: OptgapAction, timeout_s: float | None = None, **_: Any) -> OptgapObservation:
        """A turn. Raises Error before `reset` and behind the end."""
        if self._episode is None:
            raise misuse("step", "comes before reset")
        return self._observed(self._episode.submit(action.text, finish=action.finish))

    @property
    def state(self) -> OptgapState:
        if self._episode is None:
            return OptgapState(episode_id=None, step_count=0)
        return OptgapState(episode_id=self._id, step_count=len(self._episode.history), episode=self._episode.state())

    # TaskProvider

    def list_splits(self) -> list[str]:
        return list(SPLITS)

    def num_tasks(self, split: str) -> int:
        one_of("split", split, SPLITS)
        return TASKS

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        one_of("split", split, SPLITS)
        if not 0 <= index < TASKS:
            raise IndexError(f"task {index}: expected 0 to {TASKS - 1}")
        return {
            "id": f"{split}-{index}",
            "index": index,
            "key": engine().generate(self._task, self._level, 1, index, split).keys[0],
        }

    def get_task_range(self, split: str, start: int | None = None, stop: int | None = None) -> list[dict[str, Any]]:
        begin = start or 0
        return [
            self.get_task(split, index)
            for index in range(begin, min(TASKS, stop if stop is not None else begin + _PREVIEW))
        ]

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """The first hundred, as a preview."""
        return self.get_task_range(split, 0, _PREVIEW)

    def _observed(self, turn: Any) -> OptgapObservation:
        assert self._episode is not None
        messages = self._episode.messages
        return OptgapObservation(
            messages=messages,
            message=messages[-1]["content"] if messages[-1]["role"] == "user" else "",
            key=str(self._episode.row.get("key", "")),
            done=self._episode.done,
            reward=None if turn is None else turn.earned,
            metadata={} if turn is None else {"text_reward": turn.reward, **turn.grade},
        )


def app(task: str = "tsp", level: str | int = "easy", **settings: Any) -> Any:
    """The application of OpenEnv's server, for uvicorn. Arguments: as OptgapEnvironment."""
    return create_app(
        lambda: OptgapEnvironment(task, level, **settings),
        OptgapAction,
        OptgapObservation,
        env_name="optgap",
        max_concurrent_envs=64,
    )
