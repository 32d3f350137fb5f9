"""A trainer's files for an arm: one module a trainer, which says what of a recipe it has no place for."""

from __future__ import annotations

import importlib
import os
import pathlib
from collections.abc import Sequence

from ...core.errors import misuse
from ...core.files.run_folder import replace
from ..brought import Brought
from ..recipe import Arm
from . import evaluation, preferred, readme, supervised
from .run import settle

TRAINERS = ("trl", "verl", "slime", "openrlhf")


def write(
    arm: Arm,
    trainer: str | None,
    out: str | os.PathLike[str],
    *,
    model: str | None = None,
    tasks: Sequence[str] | None = None,
    seed: int = 0,
    brought: Brought | None = None,
) -> list[str]:
    """Writes what `trainer` needs for an arm into a folder; the names of the files.

    Args:
        arm: Of optgap.recipes.load(...).
        trainer: One of TRAINERS; None of an arm that is not trained, whose evaluation is written.
        out: A folder, made when it is not there. One that holds something is refused.
        model: A folder or Hub id; None takes the recipe's.
        tasks: Tasks of optgap in place of environments that are not at hand, ["all"] for all that the arm does not hold out.
        seed: The run's.
        brought: Files, models and servers that the arm needs of its user.

    Raises:
        Error: This version or the user lacks something that the arm needs, which is named; a file that was brought breaks its
            form; or the trainer has no place for what the arm cannot do without.
    """
    if arm.stages and trainer not in TRAINERS:
        raise misuse("trainer", f"is {trainer!r}, expected one of {', '.join(TRAINERS)}")
    if not arm.stages and trainer is not None:
        raise misuse("trainer", f"has no effect on {arm.recipe} {arm.name}, which is not trained: leave it out")
    folder = pathlib.Path(out)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise misuse("out", f"{folder} is there already and not an empty folder")
    run = settle(arm, model, tasks, seed, brought)
    files: dict[str, str] = {}
    left: dict[str, str] = {}
    if trainer is not None:
        if "sft" in arm.stages:
            files |= supervised.files(run, trainer)
        if "dpo" in arm.stages:
            files |= preferred.files(run, trainer)
        if "rl" in arm.stages:
            home = importlib.import_module(f"{__name__}.{trainer}")
            files |= home.files(run)
            left = home.left_out(run)
    files |= evaluation.files(run)
    files["README.md"] = readme.page(run, trainer, sorted(files), left)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = folder / name
        replace(path, content)
        if name.endswith(".sh"):
            path.chmod(0o755)
    return sorted(files)
