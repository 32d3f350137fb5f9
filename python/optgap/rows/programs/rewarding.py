"""Completions that hold programs, scored for the adapters."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from optgap import _native
from optgap.core.errors import Error, NotRead
from optgap.rows.programs.ground_truths import ProgramProblem
from optgap.rows.programs.runner import loop, read, read_once, runner, scheduler
from optgap.rows.programs.running import ProgramScores
from optgap.rows.programs.settings import settings


def reward_rows(
    asked: Sequence[ProgramProblem], texts: Sequence[str | bytes], *, finish: Sequence[str] | None = None,
    lengths: Sequence[int] | None = None, reward: str = "forge", budget: int = -1, threads: int = 0,
) -> tuple[list[int], ProgramScores | None, Mapping[int, str]]:  # fmt: skip
    """Runs the programs of a batch, and blocks meanwhile: an interrupt ends them. A row that comes alone, as OpenRLHF's while
    others are decoded, has a ticket, and waits for no other's limit.

    Returns:
        Which rows were run, their scores, and by row why another could not be run.

    Raises:
        Error: Nothing here holds programs.
    """
    runner(threads)
    problems: dict[int, _native.ProgramProblem] = {}
    broken: dict[int, str] = {}
    for row, one in enumerate(asked):
        try:
            problems[row] = read(one, threads)
        except Exception as why:  # noqa: BLE001  the row's own fault, said of it
            broken[row] = _sentence(one, why)
    rows = list(problems)
    if not rows:
        return rows, None, broken
    if len(asked) == 1:
        alone = reward_one(
            asked[0], texts[0], finish="unknown" if finish is None else finish[0],
            length=None if lengths is None else lengths[0], reward=reward, budget=budget, threads=threads,
        )  # fmt: skip
        ticket = asyncio.run_coroutine_threadsafe(alone, loop())
        try:
            return rows, ticket.result(), broken
        except BaseException:
            ticket.cancel()
            raise
    how = settings()
    found = runner(threads).run(
        list(problems.values()), [_readable(texts[row]) for row in rows],
        finish=None if finish is None else [finish[row] for row in rows],
        length=None if lengths is None else [lengths[row] for row in rows], reward=reward, budget=budget,
        fail_fast=how.fail_fast, dedupe=how.dedupe,
    )  # fmt: skip
    return rows, found, broken


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
