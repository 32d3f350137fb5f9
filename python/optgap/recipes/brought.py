"""What the user of an arm brings: named by options, checked before anything is written."""

from __future__ import annotations

import ast
import os
import pathlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..core.errors import misuse
from .data import reading
from .recipe import Arm
from .settings import BRINGS

_COLLECTIONS = {"rlve/C256": ("num-environment=256.sh", 256), "rlve/all": (None, 0)}


@dataclass(frozen=True)
class Brought:
    """As `recipe write` has them; None where it was not given."""

    checkout: str | None = None
    """A folder that holds RLVE's Gym."""
    data: str | None = None
    """JSONL with `prompt` and `answer`."""
    pairs: str | None = None
    """JSONL with `prompt` and `references`, perhaps with `rubric`."""
    questions: str | None = None
    """JSONL with `question`, perhaps with `answer`: seeds of roles on free text."""
    reward_model: str | None = None
    judge_url: str | None = None
    judge_model: str | None = None
    judge_key_env: str | None = None
    """The environment variable that holds the judge's key; None sends none."""

    def named(self, option: str) -> str | None:
        """By the option's name in settings.BRINGS."""
        return getattr(self, option.replace("-", "_"))  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Checked:
    """What an arm was given: absolute paths, and what was found in them."""

    brought: Brought = Brought()
    has_rubrics: bool = False
    """Whether the pairs' rows have rubrics."""
    rows: int = 0
    """Of the pairs, else of the data; of both the fewer."""


def check(arm: Arm, brought: Brought, *, has_tasks: bool) -> Checked:
    """Reads what was brought. `has_tasks`: tasks of optgap stand in for environments. Raises Error for what is missing, has no effect
    on this arm, or breaks its form, with the option and what was expected."""
    for option in BRINGS:
        if brought.named(option) is not None and option not in (*arm.brings, *offered(arm)):
            raise misuse(option, f"has no effect on {arm.recipe} {arm.name}, which brings {_list(arm)}")
    if has_tasks and brought.questions is not None:
        raise misuse(
            "questions", "has no effect beside --tasks: roles pose either questions in free text or instances of tasks"
        )
    if has_tasks and "questions" in arm.brings:
        raise misuse("tasks", f"has no effect on {arm.recipe} {arm.name}, whose questions are free text")
    if has_tasks and brought.checkout is not None:
        raise misuse("checkout", "has no effect beside --tasks, which stand in its place")
    missing = [
        option for option in arm.brings if brought.named(option) is None and not (option == "checkout" and has_tasks)
    ]
    if missing:
        raise misuse(missing[0], f"{arm.recipe} {arm.name} needs {'; '.join(BRINGS[option] for option in missing)}")
    if (brought.judge_url is None) != (brought.judge_model is None):
        raise misuse("judge-model", "and --judge-url go together")
    if brought.judge_key_env is not None and brought.judge_url is None:
        raise misuse("judge-key-env", "has no effect without --judge-url")
    has_rubrics, counts = False, []
    if brought.data is not None:
        counts.append(len(reading.maths(brought.data)))
    if brought.questions is not None:
        reading.questions(brought.questions)
    if brought.pairs is not None:
        found = reading.pairs(brought.pairs)
        has_rubrics = found[0].rubric is not None
        counts.append(len(found))
        _require_references(arm, found)
    if brought.checkout is not None:
        environments(brought.checkout)
    paths: dict[str, str | None] = {
        name: None if path is None else os.path.abspath(path)
        for name, path in (
            ("checkout", brought.checkout),
            ("data", brought.data),
            ("pairs", brought.pairs),
            ("questions", brought.questions),
        )
    }
    model = brought.reward_model
    if model is not None and os.path.isdir(model):
        paths["reward_model"] = os.path.abspath(model)
    return Checked(replace(brought, **paths), has_rubrics, min(counts, default=0))


def offered(arm: Arm) -> tuple[str, ...]:
    """What an arm takes and can do without: roles that judges reward pose questions in free text where seeds are given."""
    judged = str(arm.used("proposer_reward", "")).startswith("mae_")
    return ("questions",) if judged and "roles" in arm.rows and "rl" in arm.stages else ()


def _require_references(arm: Arm, found: Sequence[reading.Pair]) -> None:
    """Where words are drawn of references, or a reference itself is used, each row has one; rubrics may do without."""
    if arm.used("keywords_by") is None and "rl" in arm.stages and "rubrics" in arm.rows and found[0].rubric is not None:
        return
    for number, pair in enumerate(found, 1):
        if not pair.references or (
            arm.used("keywords_by") is not None and not pair.row.keys() & {"references", "reference"}
        ):
            raise misuse(
                "pairs", f"row {number} has no references, which {arm.recipe} {arm.name} reads: expected `references`"
            )


def environments(checkout: str) -> list[str]:
    """The names of a checkout's environments, read without running it. Raises Error where the folder holds no RLVE."""
    gym = pathlib.Path(checkout) / "Gym"
    for home in (gym / "environments" / "__init__.py", gym / "environments.py"):
        if home.is_file():
            for node in ast.parse(home.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "identifier2environment":
                    table = node.value
                    return sorted(ast.literal_eval(key) for key in getattr(table, "keys", []) if key is not None)
    raise misuse(
        "checkout", f"{checkout} holds no Gym/environments with `identifier2environment`, expected a checkout of RLVE"
    )


def named_environments(checkout: str, tasks: Sequence[str]) -> list[str]:
    """The environments that an arm's tasks stand for: collections are read from the checkout. Raises Error where it lacks one."""
    known = environments(checkout)
    found: list[str] = []
    for task in tasks:
        if task not in _COLLECTIONS:
            found.append(task)
            continue
        script, count = _COLLECTIONS[task]
        names = known if script is None else _in_script(checkout, script, known)
        if count and len(names) != count:
            raise misuse("checkout", f"{script} names {len(names)} environments of the checkout, expected {count}")
        found += [f"rlve/{name}" for name in names]
    for task in found:
        if task.removeprefix("rlve/") not in known:
            raise misuse("checkout", f"{checkout} has no environment {task.removeprefix('rlve/')!r}")
    return found


def _in_script(checkout: str, script: str, known: Sequence[str]) -> list[str]:
    """The environments that a script of the authors' names."""
    places = sorted(pathlib.Path(checkout).glob(f"scripts/training/*/rlve/{script}"))
    if not places:
        raise misuse("checkout", f"{checkout} has no scripts/training/*/rlve/{script}, whose list the arm trains on: the authors' "
                     "whole repository is needed, not Gym alone")  # fmt: skip
    words = set(re.findall(r"\w+", places[0].read_text(encoding="utf-8")))
    return [name for name in known if name in words]


def _list(arm: Arm) -> str:
    return ", ".join(f"--{option}" for option in dict.fromkeys((*arm.brings, *offered(arm)))) or "nothing"
