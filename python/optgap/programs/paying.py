"""What completions earn whose answers are programs, in the adapters' form."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import Any

import numpy as np

from optgap.errors import Error
from optgap.programs.ground_truths import ProgramPaid, ProgramProblem, Rejected
from optgap.programs.runner import Job, loop, read, read_once, run, runner, scheduler
from optgap.programs.running import ProgramScores, code_name


def submit(
    asked: Sequence[ProgramProblem], texts: Sequence[str | bytes], *, finish: Sequence[str] | None = None,
    lengths: Sequence[int] | None = None, reward: str = "forge", budget: int = -1, threads: int = 0,
) -> Future[list[ProgramPaid | Rejected]]:  # fmt: skip
    """Runs the programs of completions, a row each, within this process (`runner`). The future raises Error where nothing
    here holds programs."""
    found: Future[list[ProgramPaid | Rejected]] = Future()
    job = Job(asked, [_readable(text) for text in texts], finish, lengths, reward, budget, threads)

    def read_back(done: Future[Any]) -> None:
        if not found.set_running_or_notify_cancel():
            return
        try:
            found.set_result(_paid_rows(asked, *done.result()))
        except BaseException as failed:  # noqa: BLE001  it is the caller's
            found.set_exception(failed)

    run(job).add_done_callback(read_back)
    return found


def pay_alone(
    asked: ProgramProblem, text: str | bytes, *, finish: str, length: int | None = None, reward: str = "forge",
    budget: int = -1, threads: int = 0,
) -> ProgramPaid | Rejected:  # fmt: skip
    """`pay_one` for a thread that blocks, as OpenRLHF's for each sample while others are decoded. An interrupt kills the program."""
    one = pay_one(asked, text, finish=finish, length=length, reward=reward, budget=budget, threads=threads)
    found = asyncio.run_coroutine_threadsafe(one, loop())
    try:
        return found.result()
    except BaseException:
        found.cancel()
        raise


async def pay_one(
    asked: ProgramProblem, text: str | bytes, *, finish: str, length: int | None = None, reward: str = "forge",
    budget: int = -1, threads: int = 0,
) -> ProgramPaid | Rejected:  # fmt: skip
    """The row of one completion through this process's scheduler: its program runs at once, whatever others do, and is killed
    where the awaiting task is cancelled. Raises Error where nothing here holds programs."""
    by = scheduler(threads, budget)
    try:
        known = read_once(asked)
        problem = await asyncio.to_thread(read, asked, threads) if known is None else known
    except Exception as why:  # noqa: BLE001  the row's own fault, said of it
        return Rejected(f"{asked.key or asked.task}: {why}")
    found = await by.score_programs_async(problem, _readable(text), finish=finish, length=length, reward=reward)
    if found.outcomes[0] != "scored":
        runner(threads).isolation(problem.language)  # raises what no rung has, where that is why
        raise Error(
            f"{asked.key or asked.task}: its programs are {found.outcomes[0]}: {found.reasons[0]}",
            "internal",
            "programs",
        )
    if "baselines" not in asked.row:  # proven once: whoever keeps the ground truth has them
        asked.row["baselines"] = found.baselines.records()
    return _paid(found, 0)


def _readable(text: str | bytes) -> str:
    """Halves of surrogate pairs, which no tokenizer writes, are no text of a JSON line."""
    known = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
    return known.decode("utf-8", "replace")


def _paid_rows(
    asked: Sequence[ProgramProblem], found: ProgramScores, first: int, broken: Mapping[int, Exception]
) -> list[ProgramPaid | Rejected]:
    out: list[ProgramPaid | Rejected] = []
    records, place = None, first
    starts = np.concatenate([[0], np.cumsum(found.instances)])
    for number, problem in enumerate(asked):
        why = broken.get(number)
        if why is not None:
            out.append(Rejected(f"{problem.key or problem.task}: {why}"))
            continue
        if "baselines" not in problem.row:  # proven once: whoever keeps the ground truth has them
            records = found.baselines.records() if records is None else records
            problem.row["baselines"] = records[starts[place] : starts[place + 1]]
        out.append(_paid(found, place))
        place += 1
    return out


def _paid(found: ProgramScores, row: int) -> ProgramPaid:
    width = int(found.instances[row])
    scores = found.scores()[row, :width]
    return ProgramPaid(
        reward=_short(found.reward[row]),
        format=_short(found.format[row]),
        feasible=_short(found.feasible[row]),
        quality=_short(found.quality[row]),
        raw_ratio=_short(found.raw_ratio[row]),
        normalized=_short(found.normalized[row]),
        optimal=_short(found.optimal[row]),
        violation=int(found.violation[row]),
        truncated=bool(found.truncated[row]),
        code=code_name(int(found.task[row]), int(found.code[row])),
        length_penalty=_short(found.length_penalty[row]),
        baseline_kind=found.baseline_kind[row],
        valid=float(found.valid[row]),
        scores=[None if math.isnan(value) else value for value in scores.tolist()],
        masked=bool(found.masked[row]),
    )


def _short(value: np.float32) -> float:
    """The float that a row of JSON has: the shortest text that is this float32."""
    return float(str(value))
