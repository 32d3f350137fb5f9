"""Completions that hold programs and come one by one, scored for the adapters."""

from __future__ import annotations

import asyncio

from optgap.core.errors import Error, NotRead
from optgap.rows.programs.ground_truths import ProgramProblem
from optgap.rows.programs.runner import read, read_once, runner, scheduler
from optgap.rows.programs.running import ProgramScores


async def reward_one(
    asked: ProgramProblem, text: str | bytes, *, finish: str, length: int | None = None, reward: str = "forge",
    budget: int = -1, threads: int = 0,
) -> ProgramScores:  # fmt: skip
    """One completion through this process's scheduler: its program runs at once, whatever others do, and is killed where the
    awaiting task is cancelled. Raises NotRead for what is wrong with the problem, and Error where nothing here holds programs."""
    by = scheduler(threads, budget)
    try:
        known = read_once(asked)
        problem = await asyncio.to_thread(read, asked, threads) if known is None else known
    except Exception as why:  # noqa: BLE001  the row's own fault, said of it
        raise NotRead(_sentence(asked, why)) from None
    found = await by.score_programs_async(problem, _readable(text), finish=finish, length=length, reward=reward)
    if found.outcomes[0] != "scored":
        runner(threads).isolation(problem.language)  # raises what no isolation level has, where that is why
        raise Error(
            f"{asked.key or asked.task}: its programs are {found.outcomes[0]}: {found.reasons[0]}",
            "internal",
            "programs",
        )
    return found


def _sentence(asked: ProgramProblem, why: Exception) -> str:
    return f"{asked.key or asked.task}: {why}"


def _readable(text: str | bytes) -> str:
    """Halves of surrogate pairs, which no tokenizer writes, are no text of a JSON line."""
    known = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
    return known.decode("utf-8", "replace")
