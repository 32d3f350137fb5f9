"""verifiers' taskset. It is found by a top-level module of your own, for an id has no dots:

    # optgap_env.py
    from optgap.environments.verifiers.taskset import OptgapEnv, OptgapTaskset

    __all__ = ["OptgapEnv", "OptgapTaskset"]

The reward is that of the trace: its assistant's texts are played through an Episode, in whatever environment they were made.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from typing import Any, Literal

try:
    import verifiers.v1 as vf
except ImportError as missing:
    raise ImportError("the verifiers taskset needs verifiers: pip install 'verifiers>=0.4'") from missing

from optgap.core.keys import Key, task_indices, tasks
from optgap.data.dataset import ground_truth
from optgap.environments.episode import Episode
from optgap.measure.endpoint.messages import text_of
from optgap.trainers.common.ground_truth import engine

_CHUNK = 64


class OptgapTasksetConfig(vf.TasksetConfig):
    """`--env.taskset.*`."""

    tasks: list[str] = ["tsp"]
    """Names, asked in turn; or "all"."""
    level: str = "easy"
    split: Literal["train", "val", "test"] = "train"
    seed: int = 0
    """The first one; no two instances are equal."""
    format: str = "forge"
    turns: int = 1
    feedback: str = "rule"
    reward_shape: str = "last"
    until: str = "turns"
    reward: str = "forge"


class OptgapData(vf.TaskData):
    """What a trace keeps of its row."""

    ground_truth: str
    instance: str
    """The key."""
    episode: dict[str, Any]
    """Settings of Episode."""


class OptgapTask(vf.Task[OptgapData, vf.State, vf.TaskConfig]):
    """One instance."""

    @property
    def key(self) -> str:
        return self.data.instance

    def episode(self) -> Episode:
        """A fresh one."""
        return Episode({"ground_truth": self.data.ground_truth, "prompt": self.data.prompt_text}, **self.data.episode)

    def replayed(self, trace: vf.Trace) -> Episode:
        """The episode of the texts in a trace; ended, as no more of them come."""
        episode = self.episode()
        calls = {call.node: call.finish_reason for call in trace.calls if call.node is not None}
        for at, node in enumerate(trace.nodes):
            if node.message.role != "assistant" or episode.done:
                continue
            finish = "length" if calls.get(at) == "length" else "stop"
            episode.submit(written(node.message, self.data.episode["format"]), finish=finish)
        episode.end()
        return episode

    @vf.reward
    async def optgap(self, trace: vf.Trace) -> float:
        """Of the episode."""
        episode = await asyncio.to_thread(self.replayed, trace)
        numbers = {"turns": float(len(episode.history))}
        for name, value in episode.history[-1].grade.items():
            if isinstance(value, (int, float)):
                numbers[f"optgap_{name}"] = float(value)
        trace.record_metrics(numbers)
        return 0.0 if episode.reward is None else episode.reward

    async def validate(self, runtime: vf.Runtime) -> bool | None:
        """Whether the proven answer earns the reward of a right one."""
        return await asyncio.to_thread(self._gold)

    def _gold(self) -> bool:
        by = engine()
        solved = by.solve(by.instances([self.data.instance]))
        assert solved.answers is not None
        episode = Episode({"ground_truth": self.data.ground_truth}, format="answer_only", force_format=True, turns=1)
        answer = solved.answers.tolist()[0]
        turn = episode.submit(f"<answer>{answer}</answer>")
        return bool(turn.grade["feasible"]) and (not solved.proven[0] or bool(turn.grade["optimal"]))


class OptgapTaskset(vf.Taskset[OptgapTask, OptgapTasksetConfig]):
    """Instances without end: bound it by verifiers' own --env.taskset or select options."""

    INFINITE = True

    def load(self) -> Iterator[OptgapTask]:
        of = self.config
        names = [task.name for task in tasks() if task.direct] if of.tasks == ["all"] else list(of.tasks)
        task_indices(names, direct=True)
        settings = {
            name: getattr(of, name) for name in ("turns", "feedback", "reward_shape", "until", "reward", "format")
        }
        by, seen = engine(), set()
        for first in itertools.count(of.seed, _CHUNK):
            rows = []
            for name in names:
                made = by.generate(name, of.level, _CHUNK, first, of.split)
                rows.append(zip(made.keys, by.prompts(made, of.format), by.solve(made).records()))
            for key, prompt, baseline in itertools.chain.from_iterable(zip(*rows)):
                name = (key.partition("@")[0], key.rpartition("#")[2])
                if name in seen:
                    continue
                seen.add(name)
                data = OptgapData(
                    name=Key.parse(key).short,
                    prompt=prompt,
                    instance=key,
                    ground_truth=ground_truth(key, baseline, of.format),
                    episode=settings,
                )
                yield OptgapTask(data, of.task)


class OptgapEnvConfig(vf.EnvConfig):
    """One agent, which answers."""

    agent: vf.AgentConfig = vf.AgentConfig()


class OptgapEnv(vf.Env[OptgapEnvConfig]):
    """The episode's user: says what is wrong with each text, until the episode is over."""

    async def run(self, task: OptgapTask, agents: vf.Agents) -> None:
        episode = await asyncio.to_thread(task.episode)
        async with agents.agent.interaction(task) as talk:
            segment = await talk.turn()
            while not segment.terminated:
                last = talk.trace.assistant_messages[-1]
                calls = [call.finish_reason for call in talk.trace.calls if call.finish_reason]
                finish = "length" if calls and calls[-1] == "length" else "stop"
                text = written(last, task.data.episode["format"])
                turn = await asyncio.to_thread(episode.submit, text, finish=finish)
                if turn.message is None:
                    break
                segment = await talk.turn(turn.message)


def written(message: Any, form: str) -> str:
    """An assistant's message as the model wrote it: a server may have taken the reasoning apart."""
    return text_of(
        [{"role": "assistant", "content": message.content, "reasoning_content": message.reasoning_content}], form
    )
