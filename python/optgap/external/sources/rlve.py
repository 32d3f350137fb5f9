"""RLVE's environments as external tasks: `rlve/Sorting`. dN is its parameter controller after N updates.

RLVE is no package: its checkout's folder must be on PYTHONPATH, so that `Gym.environments` and `Gym.parameter_controllers`
can be imported, and OPTGAP_RLVE_VERSION names its commit. It runs generators under a deadline of its own, in a thread that
goes on; the worker's deadline is ours. Some of its environments compute a reference only within that time, so what a seed
makes may depend on the machine: the problem travels with the row.
"""

from __future__ import annotations

import importlib
import os
import random
from typing import Any


class Rlve:
    """One environment, by its identifier there."""

    def __init__(self, name: str) -> None:
        environments = importlib.import_module("Gym.environments").identifier2environment
        controllers = importlib.import_module("Gym.parameter_controllers").identifier2controller
        if name not in environments or name not in controllers:
            raise ValueError(f"RLVE has no environment '{name}'")
        self._make, self._controller = environments[name], controllers[name]
        self.version = os.environ.get("OPTGAP_RLVE_VERSION", "unknown")

    def generate(self, level: int, seed: int) -> tuple[Any, str]:
        """A problem of one of the level's parameter settings, each as likely."""
        controller = self._controller()
        for _ in range(level):
            controller.update()
        parameter = random.Random(seed).choice(controller.get_parameter_list())
        made = self._make()
        if not made.generator(seed, parameter):
            raise RuntimeError(f"RLVE made no problem from seed {seed} and {parameter}")
        return made.get_config(), made.prompt_generator()

    def verify(self, problem: Any, text: str) -> dict[str, Any]:
        """Below 0 RLVE says that the answer is none; from 0 on its reward is our quality."""
        made = self._make(answer_markers=("<answer>", "</answer>"))
        made.set_config(problem)
        said = made.verifier(f"<answer>{text}</answer>")
        if said["reward"] < 0:
            return {"reward": -1, "code": "rejected", "correct": False}
        return {"reward": 2 * said["reward"] - 1, "correct": bool(said["accuracy"])}
