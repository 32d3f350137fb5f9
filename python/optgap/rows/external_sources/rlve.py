"""RLVE's environments as external tasks: `rlve/Sorting`. dN is its parameter controller after N updates.

RLVE is no package: its checkout's folder must be on PYTHONPATH, so that `Gym.environments` and `Gym.parameter_controllers`
can be imported. The key's version is the checkout's commit, or OPTGAP_RLVE_VERSION where the folder is no clone of git. RLVE
runs generators under a deadline of its own, in a thread that goes on; the worker's deadline is ours. Some of its environments
compute a reference only within that time, so what a seed makes may depend on the machine: the problem travels with the row.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import pathlib
import random
import sys
import types
from typing import Any

from . import git_commit
from .rlve_modules import classes_of

MARKERS = ("<answer>", "</answer>")


class Rlve:
    """One environment, by its identifier there."""

    accepts_empty = True
    """Where nothing is to be chosen, the list of what is chosen is empty."""

    def __init__(self, name: str) -> None:
        folder = _checkout()
        self.version = _version(folder)
        environment = classes_of(folder, "environments", "identifier2environment").get(name)
        controller = classes_of(folder, "parameter_controllers", "identifier2controller").get(name)
        if environment is None or controller is None:
            raise ValueError(f"RLVE has no environment '{name}'")
        _stand_in_for_torch()
        self._make, self._controller = environment.load(), controller.load()
        self.judged_by = self._make

    @staticmethod
    def names() -> list[str]:
        """Of all environments, sorted."""
        return sorted(classes_of(_checkout(), "environments", "identifier2environment"))

    def generate(self, level: int, seed: int) -> tuple[Any, str]:
        """A problem of one of the level's parameter settings, each as likely."""
        made = self._generated(level, seed)
        return made.get_config(), made.prompt_generator()

    def verify(self, problem: Any, text: str) -> dict[str, Any]:
        """RLVE's reward and accuracy. Below 0 it says that the answer is none; from 0 on the reward is the quality, too."""
        made = self._make(answer_markers=MARKERS)
        made.set_config(problem)
        said = made.verifier(text.join(MARKERS))
        reward = float(said["reward"])
        verdict = {"reward": reward, "quality": max(0.0, reward), "correct": bool(said["accuracy"])}
        return verdict if reward >= 0 else {**verdict, "code": "rejected"}

    def original(self, level: int, seed: int, completions: list[str]) -> tuple[Any, list[tuple[float, bool]]]:
        """The same problem made anew, and what RLVE's verifier says of whole completions, with nothing of ours between."""
        made = self._generated(level, seed)
        found = [made.verifier(completion) for completion in completions]
        return made.get_config(), [(float(each["reward"]), bool(each["accuracy"])) for each in found]

    def _generated(self, level: int, seed: int) -> Any:
        controller = self._controller()
        for _ in range(level):
            controller.update()
        parameter = random.Random(seed).choice(controller.get_parameter_list())
        made = self._make(answer_markers=MARKERS)
        if not made.generator(seed, parameter):
            raise RuntimeError(f"RLVE made no problem from seed {seed} and {parameter}")
        return made

    def gold(self, problem: Any) -> str | None:
        """The reference that RLVE keeps with the problem; some environments have none."""
        reference = problem["parameter"].get("reference_answer")
        return None if reference is None else str(reference)


def _checkout() -> pathlib.Path:
    """The folder of `Gym`."""
    found = importlib.util.find_spec("Gym")
    if found is None or not found.submodule_search_locations:
        raise ImportError("there is no package Gym: put the folder of RLVE's checkout on PYTHONPATH")
    return pathlib.Path(next(iter(found.submodule_search_locations)))


def _version(folder: pathlib.Path) -> str:
    """Problems of two commits must not have one key."""
    version = os.environ.get("OPTGAP_RLVE_VERSION") or git_commit.commit_of(folder.parent)
    if version is None:
        raise ValueError(
            f"{folder.parent} is no clone of git: set OPTGAP_RLVE_VERSION to the commit of RLVE that it holds"
        )
    return version[:7] if len(version) == 40 else version


class _SeedsOnly(types.ModuleType):
    """Stands where torch would. RLVE seeds torch and draws nothing from it, and torch takes seconds and 200 MiB a worker."""

    @staticmethod
    def manual_seed(seed: int) -> None:
        """Seeds nothing: nobody draws."""

    cuda = types.SimpleNamespace(manual_seed_all=lambda seed: None)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            f"torch.{name} is not there: RLVE at the tested commit only seeds torch (docs/external.md)"
        )


def _stand_in_for_torch() -> None:
    sys.modules.setdefault("torch", _SeedsOnly("torch"))
