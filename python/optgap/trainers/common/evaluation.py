"""The one evaluation behind every adapter: completions and ground truths in, one row of fixed keys each out.

The rows are the one scorer's (optgap.Scorer), programs in this process's sandbox. External rows get their verdict from a worker
before; samples that come one by one are this process's schedulers'."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from optgap.core.errors import NotRead, misuse as refuse
from optgap.rows.external.problems import ExternalProblem
from optgap.rows.programs.ground_truths import ProgramProblem
from optgap.trainers.common import overlapped
from optgap.trainers.common.adapter_rows import (
    KEYS,
    NOT_EVALUATED,
    SCALARS,
    UNREADABLE_SCORE,
    Evaluation,
    Graded,
    Rows,
    blank_row,
    run_fingerprint,
    warn_once,
    with_a_reward,
)
from optgap.trainers.common.ground_truth import (
    Known,
    Problem,
    Unreadable,
    budget,
    problem_of,
    problems,
    scorer,
    snapshot_hash,
    threads,
    unreadable,
)
from optgap.trainers.common.group_values import advantages, group_advantages, metrics
from optgap.trainers.common.reward_rules import reads_lengths, spec_text

__all__ = [
    "KEYS", "NOT_EVALUATED", "SCALARS", "UNREADABLE_SCORE", "Evaluation", "advantages", "blank_row", "evaluate", "evaluate_one",
    "fingerprint", "group_advantages", "metrics", "refuse", "warn_once", "with_a_reward",
]  # fmt: skip


def fingerprint(reward: str | Mapping[str, Any] = "forge", advantage: str | Mapping[str, Any] = "grpo") -> str:
    """16 hex digits over everything that a row's numbers depend on beside the rollout, as in the rows of `optgap score`
    (docs/debugging.md). `advantage`: our estimator, where the adapter computes advantages; of a trainer's own nothing is
    known here, so the default stands for it."""
    return run_fingerprint(spec_text(reward), spec_text(advantage), budget(), snapshot_hash())


def evaluate(
    completions: Sequence[object],
    ground_truths: Sequence[object],
    *,
    finish: Sequence[str] | None = None,
    lengths: Sequence[int] | None = None,
    reward: str | Mapping[str, Any] = "forge",
    groups: Sequence[object] | None = None,
    step: int | None = None,
) -> Evaluation:
    """Scores `completions` (str or bytes, the model's text alone) against `ground_truths`, row by row. `lengths`: tokens
    of each, for a reward with a length penalty. `groups`, `step`: what the trainer calls them, where it says so, for the
    run's statistics (`stats_folder.record`).

    No row raises: an unreadable ground truth gives a row with code NOT_EVALUATED and says so once in the log. Raises
    optgap.Error when the reward's spec is wrong, and where external rows stand and their code is neither trusted nor can be
    confined, and where programs stand and no isolation level of `optgap sandbox` holds them.
    """
    count = len(completions)
    if any(given is not None and len(given) != count for given in (ground_truths, finish, lengths, groups)):
        raise refuse("completions", f"{count} need as many ground truths, ways to finish, lengths and groups")
    made = Graded(count, spec_text(reward))
    known, texts, how = problems(ground_truths), list(map(_text, completions)), _finishes(finish)
    kinds = set(map(type, known))
    calls: Rows = range(count)
    if Unreadable in kinds:
        calls = [row for row, one in enumerate(known) if not isinstance(one, Unreadable)]
        made.broken.update((row, one.reason) for row, one in enumerate(known) if isinstance(one, Unreadable))
    if calls:
        _score(made, calls, known, texts, how, lengths)
    return made.evaluation(ground_truths, groups, step)


async def evaluate_one(
    completion: object,
    ground_truth: object,
    *,
    finish: str = "unknown",
    length: int | None = None,
    reward: str | Mapping[str, Any] = "forge",
    group: object = None,
) -> Evaluation:
    """The same of one completion, for an event loop, which goes on meanwhile: samples that wait at the same time share native
    calls, and one whose baseline is being proven holds no other back. Cancelling the awaiting task cancels it."""
    known, made = problem_of(ground_truth), Graded(1, spec_text(reward))
    groups = None if group is None else [group]
    if isinstance(known, ExternalProblem) or isinstance(known, Problem) and not known.is_answer:
        # A worker is waited for in a thread; a text may be long.
        return await asyncio.to_thread(
            evaluate, [completion], [ground_truth], finish=[finish], lengths=None if length is None else [length],
            reward=made.reward, groups=groups,
        )  # fmt: skip
    (how,) = _finishes([finish]) or ()
    try:
        if isinstance(known, ProgramProblem):
            from optgap.rows.programs.rewarding import reward_one

            ran = await reward_one(known, _text(completion), finish=how, length=length, reward=made.reward, budget=budget(),
                                threads=threads())  # fmt: skip
            made.put_program(known, ran)
        elif isinstance(known, Problem):
            score, kind = await overlapped.score(
                known, _text(completion), finish=how, length=length, reward=made.reward
            )
            made.put_ticket(known, score, kind)
        else:
            made.broken[0] = known.reason
    except NotRead as why:
        made.broken[0] = unreadable(str(ground_truth), str(why)).reason
    return made.evaluation([ground_truth], groups)


def _at(column: Any, rows: Rows) -> Any:
    """A column's entries there."""
    return column if column is None or isinstance(rows, range) else [column[row] for row in rows]


def _text(completion: object) -> str | bytes:
    return completion if isinstance(completion, (str, bytes)) else ""


def _finishes(given: Sequence[str] | None) -> list[str] | None:
    if given is None:
        return None
    from optgap.core.arguments import FINISHES

    return [how if how in FINISHES else "unknown" for how in given]


def _score(
    made: Graded, rows: Rows, known: Sequence[Known], texts: Sequence[str | bytes], finish: Sequence[str] | None,
    lengths: Sequence[int] | None,
) -> None:  # fmt: skip
    """By the scorer. Ground truths are groups of their own there: two of them may measure one instance differently."""
    if lengths is None and reads_lengths(made.reward):
        raise refuse("length", "missing: the reward has a length penalty and needs the tokens of every completion")
    mine, said, how = _at(known, rows), _at(texts, rows), _at(finish, rows)
    asked = [one.row for one in mine]
    outside = [at for at, one in enumerate(mine) if isinstance(one, ExternalProblem)]
    if outside:
        from optgap.rows.external.rewarding import verdicts

        judged = verdicts(_at(mine, outside), _at(said, outside), finish=_at(how, outside))
        for at, (row, _) in zip(outside, judged):
            asked[at] = row
    groups = np.array([one.number for one in mine], np.int32)
    runs = any(isinstance(one, ProgramProblem) or isinstance(one, Problem) and one.is_own for one in mine)
    with scorer(made.reward, runs) as by:
        found = by.score_columns(asked, said, finish=how, length=_at(lengths, rows), group=groups)
    overlapped.forget(one.key for one in mine if isinstance(one, Problem))
    made.put(rows, mine, found)
