"""Problems of programs (docs/programs.md).

    import optgap

    problems = optgap.problems("tsp", level="hard", instances=10, count=4, seed=step, language="cpp")
    rows = [{**problem, "completion": text} for problem, texts in zip(problems, sampled) for text in texts]
    scored = optgap.score(rows, isolation="auto", advantage="river")

`problems` runs the native program of this package in a process of its own; importing this loads nothing.
"""

from __future__ import annotations

import json
import subprocess
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from optgap.__main__ import native_program
from optgap.core.errors import Error

Row = dict[str, Any]
_REJECTED = 1
"""Exit code of a run that did all rows but some."""


def _spelled(value: str | Mapping[str, Any]) -> str:
    return value if isinstance(value, str) else json.dumps(dict(value))


def _run(arguments: Sequence[str], text: str = "") -> list[Row]:
    done = subprocess.run(
        [native_program(), *arguments, "--quiet"], input=text.encode("utf-8"), capture_output=True, check=False
    )
    if done.returncode not in (0, _REJECTED):
        raise Error(done.stderr.decode("utf-8", "replace").strip() or f"the program ended with {done.returncode}")
    return [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]


def problems(
    tasks: str | Sequence[str],
    level: str = "easy",
    instances: int = 10,
    count: int = 1,
    seed: int = 0,
    *,
    split: str = "train",
    language: str = "python",
    limits: str | Mapping[str, Any] = "train",
    format: str | Mapping[str, Any] = "program",
    style: int | str = 0,
    input: str | None = None,
    interface: str = "stdio",
) -> list[Row]:
    """Problems of `instances` hidden instances each, `count` for every task, with prompts.

    Args:
        tasks: Names, or "all".
        level: "easy", "medium", "hard", "benchmark" or "dN".
        instances: Of a problem; they are consecutive seeds.
        count: Problems a task.
        seed: The first seed of all.
        split: "train", "val" or "test"; splits never share instances.
        language: "python" or "cpp".
        limits: "train", "river", "ahc" or a dict over one of them.
        format: "program", "program_strict" or a dict over one of them.
        style: Of the statement, 0 to 2; the last is kept for evaluation. "all": a row for each.
        input: What programs read, "json" or "plain"; JSON in Python and plain numbers in C++ by default.
        interface: "stdio", or "solve": a Python function `solve` that gets the instance's fields as parsed arguments and
            returns a list of str, which is printed a line each.

    Returns:
        Rows with key, task, level, language, input, limits, format, prompt and prompt_chars, and interface where it is solve.

    Raises:
        Error: What the native program says of wrong arguments.
    """
    named = [tasks] if isinstance(tasks, str) else list(tasks)
    given = {
        "--level": level,
        "--instances": str(instances),
        "--count": str(count),
        "--seed": str(seed),
        "--split": split,
        "--language": language,
        "--limits": _spelled(limits),
        "--format": _spelled(format),
        "--style": str(style),
        "--interface": interface,
    }
    options = [word for pair in given.items() for word in pair]
    wanted = [] if input is None else ["--input", input]
    return _run(["generate", *named, "--candidate", "program", "--prompts", *options, *wanted])


def score_rows(
    rows: Iterable[Mapping[str, Any]],
    *,
    isolation: str | None = None,
    reward: str | Mapping[str, Any] = "forge",
    advantage: str | Mapping[str, Any] = "grpo",
    slots: int = 0,
    limits: str | Mapping[str, Any] | None = None,
    matrix: bool = False,
    external: bool = False,
    threads: int = 0,
    budget: int = -1,
    device: str = "auto",
) -> list[Row]:
    """The former name of `optgap.score`.

    Args:
        rows: As in a file of JSONL.
        isolation: "auto" or an isolation level of `optgap sandbox`: run the rows that hold programs. None runs nothing; such a row then
            comes back with an `error`.
        reward: Its name or spec.
        advantage: An estimator's name or spec.
        slots: Programs at once; 0: the processors less a quarter.
        limits: Overrules the rows' own.
        matrix: Add scores and sense to rows of programs.
        external: Score rows of others' problems by the verdict that they hold.
        threads: Of the engine; 0: all processors.
        budget: Steps to solve an instance whose row has no baseline; -1 is the task's default.
        device: Where answers are scored: "auto", "cpu" or "cuda".

    Returns:
        The rows with the columns of docs/programs.md; a row that was rejected has `error` instead.

    Raises:
        Error: For wrong arguments.
    """
    from optgap.rows import score

    warnings.warn("optgap.score_rows is optgap.score now, with the same arguments", DeprecationWarning, stacklevel=2)
    return score(
        rows, isolation=isolation, reward=reward, advantage=advantage, slots=slots, limits=limits,
        matrix=matrix, external=external, threads=threads, budget=budget, device=device,
    )  # fmt: skip
