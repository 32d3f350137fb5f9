"""The one evaluation behind every adapter: completions and ground truths in, one row of fixed keys each out."""

from __future__ import annotations

import asyncio
import functools
import json
import logging
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from optgap import stats_folder
from optgap.chains.problems import ChainProblem, pay as pay_chains
from optgap.external.problems import ExternalProblem
from optgap.integrations import shadow
from optgap.integrations.ground_truth import (
    PREFIX,
    Known,
    Problem,
    Unreadable,
    budget,
    engine,
    joined,
    problem_of,
    problems,
    snapshot_hash,
)
from optgap.integrations.program_rows import Program, paid_by_programs, program_of, ranked_by_instance, ranks
from optgap.integrations.reward_rules import add_before_length, spec_text
from optgap.programs.ground_truths import ProgramProblem, Rejected

if TYPE_CHECKING:
    from optgap.tickets import Score

logger = logging.getLogger("optgap")

_FOUND = ("score", "acc", "format", "feasible", "quality", "normalized", "gap", "violation", "truncated", "code",
          "length_penalty", "data_source", "baseline_kind")  # fmt: skip
SCALARS, KEYS = (*_FOUND[:-2], "before_length"), (*_FOUND, "fingerprint", "before_length")
"""What every row has, whatever happened to it. `score` is the reward (NaN when the spec excludes it), `before_length` the reward
before the length penalty; `acc` is 1 when the baseline is reached; `gap` is 1 - quality; `code` is the verdict's number, or
NOT_EVALUATED; `baseline_kind` says what the baseline is worth: proven, bounded, external (an environment's own word), reference
(of a chain), unknown; `fingerprint` is that of the run's reward, also where another function scored. A program lost to the machine: NaN."""

NOT_EVALUATED = -1
"""The code of a row that could not be evaluated: its ground truth is unreadable. It earns `UNREADABLE_SCORE`."""
UNREADABLE_SCORE = 0.0
_CODE_EMPTY = 13

_FINISHES = ("stop", "length", "abort", "unknown")
_warned: set[str] = set()

_Scored = tuple[dict[str, Any], float | None, bool]
"""A row without its fingerprint; the objective where it is feasible; is that proven optimal?"""


class Evaluation(NamedTuple):
    """A scored batch, one entry per completion."""

    rows: list[dict[str, Any]]
    problems: list[Problem | ExternalProblem | ChainProblem | ProgramProblem | None]
    """None where the ground truth was unreadable."""
    objective: list[float | None]
    """Of feasible answers; of external ones what ranks them, more is better."""
    optimal: list[bool]
    """Proven optimal; of external ones, correct by the environment's own word."""
    pairs: dict[int, tuple[float, float]] = {}
    """Content and style of the rows that a chain pays: what `decoupled` reads there instead of quality and feasibility."""
    matrix: dict[int, list[float | None]] = {}
    """Objectives of the rows that are programs, one an instance, None where invalid: what rankings read there."""


def fingerprint(reward: str | Mapping[str, Any] = "forge", advantage: str | Mapping[str, Any] = "grpo") -> str:
    """16 hex digits over everything that a row's numbers depend on beside the rollout, as in the rows of `optgap score`
    (docs/debugging.md). `advantage`: our estimator, where the adapter computes advantages; of a trainer's own nothing is
    known here, so the default stands for it."""
    return _fingerprint(spec_text(reward), spec_text(advantage), budget(), snapshot_hash())


@functools.lru_cache(maxsize=256)
def _fingerprint(reward: str, advantage: str, steps: int, snapshot: str) -> str:
    from optgap.statistics import Statistics

    run = Statistics(reward=reward, advantage=advantage, budget=steps, baselines=snapshot or None)
    return str(json.loads(run.to_json())["run"]["fingerprint"])


def refuse(field: str, rule: str) -> Exception:
    """The package's exception for what cannot work."""
    from optgap.errors import Error

    return Error(f"{field}: {rule}", "invalid_argument", field, rule)


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
    confined, and where programs stand and no rung of `optgap sandbox` holds them.
    """
    count = len(completions)
    if any(given is not None and len(given) != count for given in (ground_truths, finish, lengths, groups)):
        raise refuse("completions", f"{count} need as many ground truths, ways to finish, lengths and groups")
    digits = fingerprint(reward)
    found = problems(ground_truths)

    def of(kind: type[Any]) -> tuple[Any, ...]:
        """The columns of one kind of rows."""
        mine = [row for row, problem in enumerate(found) if isinstance(problem, kind)]
        return (
            [_text(completions[row]) for row in mine],
            [found[row] for row in mine],
            [_finish(finish[row]) for row in mine] if finish is not None else None,
            [lengths[row] for row in mine] if lengths is not None else None,
            spec_text(reward),
        )

    chained, run = _paid_by_chains(*of(ChainProblem)), paid_by_programs(*of(ProgramProblem))
    evaluation = _evaluation(found, _score(*of(Problem)), _judge(*of(ExternalProblem)), digits, chained, run)
    return _counted(evaluation, ground_truths, reward, groups, step)


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
    spec = spec_text(reward)
    found = problem_of(ground_truth)
    groups = None if group is None else [group]
    if isinstance(found, ProgramProblem):
        run = await program_of(found, _text(completion), _finish(finish), length, spec)
        return _counted(_evaluation([found], [], [], fingerprint(spec), (), [run]), [ground_truth], spec, groups)
    if isinstance(found, (ExternalProblem, ChainProblem)):  # a worker is waited for in a thread; a text may be long
        lengths = None if length is None else [length]
        return await asyncio.to_thread(
            evaluate, [completion], [ground_truth], finish=[finish], lengths=lengths, reward=spec, groups=groups
        )
    if isinstance(found, Problem):
        score = await shadow.score(found, _text(completion), finish=_finish(finish), length=length, reward=spec)
        row, objective, optimal = _row_of(score, found)
        row["fingerprint"] = fingerprint(spec)
        made = Evaluation([row], [found], [objective], [optimal])
    else:
        made = _evaluation([found], [], [], fingerprint(spec))
    return _counted(made, [ground_truth], spec, groups)


def _counted(
    evaluation: Evaluation, ground_truths: Sequence[object], reward: str | Mapping[str, Any],
    groups: Sequence[object] | None, step: int | None = None,
) -> Evaluation:  # fmt: skip
    """The evaluation, counted for the run's statistics (OPTGAP_STATS)."""
    add_before_length(evaluation.rows, reward)
    run = spec_text(reward), budget(), snapshot_hash()
    stats_folder.record(evaluation.rows, evaluation.optimal, ground_truths, run, groups, step)
    return evaluation


def _text(completion: object) -> str | bytes:
    return completion if isinstance(completion, (str, bytes)) else ""


def _finish(how: str) -> str:
    return how if how in _FINISHES else "unknown"


def _evaluation(
    found: Sequence[Known], scored: Iterable[_Scored], judged: Iterable[_Scored], digits: str,
    chained: Iterable[tuple[_Scored, tuple[float, float]]] = (), run: Iterable[Program] = (),
) -> Evaluation:  # fmt: skip
    """Rows of a batch: `scored` has those of optgap's problems, in order, `judged` those of external ones, `chained` those of
    chains, `run` those of programs."""
    result = Evaluation([], [], [], [], {}, {})
    ours, outside, free, programs = iter(scored), iter(judged), iter(chained), iter(run)
    for known in found:
        paid = next(programs) if isinstance(known, ProgramProblem) else None
        problem = paid if isinstance(paid, Rejected) else known
        if isinstance(problem, (Unreadable, Rejected)):
            warn_once(problem.reason)
            values, objective, optimal = blank_row(UNREADABLE_SCORE, PREFIX + "unreadable", digits), None, False
        elif paid is not None and not isinstance(paid, Rejected):
            values, result.matrix[len(result.rows)], optimal = paid
            values["fingerprint"], objective = digits, None
        else:
            if isinstance(problem, ChainProblem):
                (values, objective, optimal), result.pairs[len(result.rows)] = next(free)
            else:
                values, objective, optimal = next(ours if isinstance(problem, Problem) else outside)
            values["fingerprint"] = digits
        result.rows.append(values)
        result.problems.append(None if isinstance(problem, (Unreadable, Rejected)) else problem)
        result.objective.append(objective)
        result.optimal.append(optimal)
    return result


def blank_row(score: float, data_source: str, digits: str) -> dict[str, Any]:
    """The row of something that was not evaluated here: another reward's, or an unreadable one. It has the run's
    fingerprint like its neighbours: readers of a dump take a second one for another run."""
    row: dict[str, Any] = dict.fromkeys(KEYS, 0.0)
    row.update(score=float(score), before_length=float(score), violation=0, truncated=0, code=NOT_EVALUATED)
    row.update(data_source=data_source, baseline_kind="unknown", fingerprint=digits)
    return row


def _score(
    texts: list[str | bytes], asked: list[Problem], finish: list[str] | None, lengths: list[int] | None, reward: str
) -> Iterator[_Scored]:
    """A row per text."""
    if not texts:
        return
    shadow.prove(asked)
    distinct = {id(problem): problem for problem in asked}
    place = {known: index for index, known in enumerate(distinct)}
    instances, baselines = joined(list(distinct.values()))
    places, formats = [place[id(problem)] for problem in asked], [problem.format for problem in asked]
    found = engine().score(
        instances, texts, baselines, instance_of=places, finish=finish, length=lengths, format=formats, reward=reward
    )
    reached = found.feasible & (found.raw_ratio >= 1)
    columns = (found.reward, reached.astype(float), found.format.astype(float), found.feasible.astype(float),
               found.quality, found.normalized, 1.0 - found.quality.astype(float), found.violation,
               found.truncated.astype(int), found.code, found.length_penalty)  # fmt: skip
    kinds = [_worth_of(problem, proven) for problem, proven in zip(asked, found.proven.tolist())]
    rows = zip(*(column.tolist() for column in columns), (problem.data_source for problem in asked), kinds)
    ends = found.objective.tolist(), found.feasible.tolist(), found.optimal.tolist()
    for row, objective, feasible, optimal in zip(rows, *ends):
        yield dict(zip(_FOUND, row)), objective if feasible else None, optimal


def _worth_of(problem: Problem, proven: bool) -> str:
    """What the baseline is worth. Our solvers always know a bound; a row's own baseline may come without."""
    if proven:
        return "proven"
    from optgap.results import NO_OBJECTIVE

    known = problem.baseline
    return "unknown" if known is not None and int(known.bound[0]) == NO_OBJECTIVE else "bounded"


def _row_of(score: Score, problem: Problem) -> _Scored:
    """The same row of one completion."""
    reached = score.feasible and score.raw_ratio >= 1
    row = (score.reward, float(reached), float(score.format), float(score.feasible), score.quality, score.normalized,
           1.0 - score.quality, score.violation, int(score.truncated), score.code, score.length_penalty,
           problem.data_source, _worth_of(problem, score.proven))  # fmt: skip
    return dict(zip(_FOUND, row)), score.objective, score.optimal


def _judge(
    texts: list[str | bytes], asked: list[ExternalProblem], finish: list[str] | None, lengths: list[int] | None,
    reward: str,
) -> Iterator[_Scored]:  # fmt: skip
    """A row per text to an external problem. Nothing there is proven."""
    from optgap.external.paying import pay

    for problem, row in zip(asked, pay(asked, texts, finish=finish, lengths=lengths, reward=reward)):
        values = (row.reward, float(row.correct), float(row.format), float(row.feasible), row.quality, row.normalized,
                  1.0 - row.quality, 0 if row.feasible else 1, int(row.truncated), row.code, row.length_penalty,
                  problem.data_source, "external")  # fmt: skip
        yield dict(zip(_FOUND, values)), row.score, row.correct


def _paid_by_chains(
    texts: list[str | bytes], asked: list[ChainProblem], finish: list[str] | None, lengths: list[int] | None,
    reward: str,
) -> Iterator[tuple[_Scored, tuple[float, float]]]:  # fmt: skip
    """A row per text to a chain, with its content and style. What is paid is measured against the reference, which earns 1."""
    how = finish or ["unknown"] * len(texts)
    for problem, row, ended in zip(asked, pay_chains(asked, texts, finish=finish, reward=reward), how):
        quality = min(1.0, max(0.0, row.total)) if row.has_text else 0.0
        there = float(row.has_text)
        values = (row.reward, float(row.has_text and row.total >= 1), there, there, quality,
                  row.normalized if row.has_text else 0.0, 1.0 - quality, 0 if row.has_text else 1,
                  int(ended in ("length", "abort")), 0 if row.has_text else _CODE_EMPTY, 0.0, problem.data_source,
                  "reference")  # fmt: skip
        yield (dict(zip(_FOUND, values)), row.total, False), (row.content, row.style)


def metrics(rows: Sequence[Mapping[str, Any]], groups: Sequence[object] | None = None) -> dict[str, float]:
    """`optgap/<task>/sr|qr|normalized|level` of the evaluated rows, and `dead_groups` where the groups are known: the
    share whose rewards are all equal. `level` is the mean ladder step, of rows that are on the ladder."""
    by_task: dict[str, list[int]] = {}
    for index, row in enumerate(rows):
        if row["code"] != NOT_EVALUATED:
            task, _, _ = row["data_source"].removeprefix(PREFIX).rpartition("/")
            by_task.setdefault(task, []).append(index)
    found: dict[str, float] = {}
    for task, mine in sorted(by_task.items()):
        place = f"{PREFIX}{task}/"
        found[place + "sr"] = _mean([rows[index]["feasible"] for index in mine])
        found[place + "qr"] = _mean([rows[index]["quality"] for index in mine])
        found[place + "normalized"] = _mean([rows[index]["normalized"] for index in mine])
        levels = [rows[index]["data_source"].rpartition("/")[2] for index in mine]
        steps = [int(level[1:]) for level in levels if level[0] == "d" and level[1:].isdigit()]
        found |= {place + "level": _mean(steps)} if steps else {}
        if groups is not None:
            numbers = {group: number for number, group in enumerate(dict.fromkeys(groups[index] for index in mine))}
            rewards, lost = ([rows[index][name] for index in mine] for name in ("score", "length_penalty"))
            from optgap.statistics import filter_groups  # here: importing an adapter starts nothing

            kept = filter_groups(rewards, [numbers[groups[index]] for index in mine], lost).kept
            found[place + "dead_groups"] = 1.0 - kept / len(numbers)
    return found


def advantages(
    evaluation: Evaluation, groups: Sequence[object], spec: str | Mapping[str, Any],
    lengths: Sequence[int] | None = None,
) -> list[float]:  # fmt: skip
    """Group-relative advantages of a batch that holds whole groups; unevaluated and excluded rows are masked and get 0. Ranking
    estimators rank objectives, the decoupled ones weigh components."""
    rows = evaluation.rows
    read = [row["code"] != NOT_EVALUATED and not math.isnan(row["score"]) for row in rows]
    rewards = np.array([row["score"] if ours else math.nan for row, ours in zip(rows, read)], np.float32)
    is_feasible = np.array([row["feasible"] > 0 for row in rows], bool)

    def component(name: str, defined: Any = True) -> np.ndarray:
        values = np.array([row[name] for row in rows], np.float32)
        return np.where(np.array(read) & defined, values, np.float32(math.nan))

    optimal = np.where(read, np.array(evaluation.optimal, np.float32), np.float32(math.nan))
    columns = [
        component("format"),
        component("feasible"),
        component("quality", is_feasible),
        component("normalized", is_feasible),
        optimal,
    ]
    for row, (content, style) in evaluation.pairs.items():
        if read[row]:
            columns[1][row], columns[2][row], columns[3][row] = style, content, rows[row]["normalized"]
    scores = np.array([math.nan if of is None else of for of in evaluation.objective], np.float64)
    scores[~np.array(read, bool)] = math.nan
    maximise = np.array([problem is None or problem.maximise for problem in evaluation.problems], np.int32)
    cohort = [-1 if problem is None else problem.cohort for problem in evaluation.problems]
    if not (evaluation.matrix and ranks(spec_text(spec))):
        return group_advantages(rewards, groups, spec, lengths, columns, scores, maximise, cohort)

    def ranked(mine: list[int], table: np.ndarray) -> list[float]:
        return group_advantages(
            rewards[mine], [groups[row] for row in mine], spec, lengths and [lengths[row] for row in mine],
            [column[mine] for column in columns], table, maximise[mine], [cohort[row] for row in mine],
        )  # fmt: skip

    return ranked_by_instance(groups, evaluation.matrix, scores, read, ranked)


def group_advantages(
    rewards: Any, groups: Sequence[object], spec: str | Mapping[str, Any], lengths: Any = None, columns: Any = None,
    scores: Any = None, maximise: Any = None, cohort: Any = None,
) -> list[float]:  # fmt: skip
    """Advantages of plain numbers; `groups` are any hashable ids."""
    return engine().advantages(
        rewards, list(groups), spec_text(spec), cohort=cohort, length=lengths, components=columns, scores=scores,
        maximise=maximise,
    ).tolist()  # fmt: skip


def with_a_reward(row: dict[str, Any]) -> dict[str, Any]:
    """The row where it is worth something; for trainers that have no place for a row without a reward, one whose programs the
    machine lost is not evaluated: code NOT_EVALUATED, reward 0, said once."""
    if not math.isnan(row["score"]):
        return row
    earns = "the row earns 0 and its code is -1, for this trainer has no row without a reward"
    warn_once(f"a program's run was lost to the machine: {earns}")
    return blank_row(UNREADABLE_SCORE, row["data_source"], row["fingerprint"])


def warn_once(sentence: str) -> None:
    """Logs a sentence on its first use; a run may hold a million rows with the same fault."""
    if sentence not in _warned and len(_warned) < 100:
        _warned.add(sentence)
        logger.warning("%s", sentence)


def _mean(values: Sequence[float]) -> float:
    return float(sum(values)) / len(values) if values else 0.0
