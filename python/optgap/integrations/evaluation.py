"""The one evaluation behind every adapter: completions and ground truths in, one row of fixed keys each out.

The rows are the one scorer's (optgap.Scorer). External rows get their verdict from a worker before; programs, which may take
seconds, and samples that come one by one are this process's schedulers'."""

from __future__ import annotations

import asyncio
import functools
import itertools
import json
import logging
import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from optgap import stats_folder
from optgap.errors import Error, NotRead, misuse
from optgap.external.problems import ExternalProblem
from optgap.integrations import shadow
from optgap.integrations.ground_truth import (
    PREFIX,
    Known,
    Problem,
    Unreadable,
    budget,
    engine,
    problem_of,
    problems,
    scorer,
    snapshot_hash,
    threads,
    unreadable,
)
from optgap.integrations.ranked_rows import ranked_by_instance, ranks
from optgap.integrations.reward_rules import before_length, reads_lengths, spec_text
from optgap.programs.ground_truths import ProgramProblem

if TYPE_CHECKING:
    from optgap.programs.running import ProgramScores
    from optgap.rows import ScoredColumns
    from optgap.tickets import Score

logger = logging.getLogger("optgap")

_NUMBERS = ("score", "acc", "format", "feasible", "quality", "normalized", "gap", "violation", "truncated", "code",
            "length_penalty")  # fmt: skip
SCALARS, KEYS = (*_NUMBERS, "before_length"), (*_NUMBERS, "data_source", "baseline_kind", "fingerprint", "before_length")
"""What every row has, whatever happened to it. `score` is the reward (NaN when the spec excludes it), `before_length` the reward
before the length penalty; `acc` is 1 when the baseline is reached; `gap` is 1 - quality; `code` is the verdict's number, or
NOT_EVALUATED; `baseline_kind` says what the baseline is worth: proven, bounded, external (an environment's own word), reference
(of a chain), unknown; `fingerprint` is that of the run's reward, also where another function scored. A program lost to the machine: NaN."""

NOT_EVALUATED = -1
"""The code of a row that could not be evaluated: its ground truth is unreadable. It earns `UNREADABLE_SCORE`."""
UNREADABLE_SCORE = 0.0

refuse = misuse
"""The package's exception for what cannot work."""

_FINISHES = ("stop", "length", "abort", "unknown")
_warned: set[str] = set()


class Evaluation(NamedTuple):
    """A scored batch, one entry per completion."""

    rows: list[dict[str, Any]]
    objective: list[float | None]
    """Of feasible answers; of external ones what ranks them, more is better; of texts the total."""
    optimal: list[bool]
    """Proven optimal; of external ones, correct by the environment's own word."""
    tasks: list[str]
    """"tsp", "chain/ours", "mine/toy", "program/tsp"; empty where the ground truth was unreadable."""
    maximise: list[bool]
    """Is more of the objective better?"""
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
    made = _Graded(count, spec_text(reward))
    known, texts, how = problems(ground_truths), list(map(_text, completions)), _finishes(finish)
    kinds = set(map(type, known))
    slots = [row for row, one in enumerate(known) if isinstance(one, ProgramProblem)] if ProgramProblem in kinds else []
    if slots:
        _run_programs(made, slots, known, texts, how, lengths)
    calls: Rows = range(count)
    if not kinds <= {Problem, ExternalProblem}:
        calls = [row for row, one in enumerate(known) if isinstance(one, (Problem, ExternalProblem))]
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
    known, made = problem_of(ground_truth), _Graded(1, spec_text(reward))
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
            from optgap.programs.paying import pay_one

            ran = await pay_one(known, _text(completion), finish=how, length=length, reward=made.reward, budget=budget(),
                                threads=threads())  # fmt: skip
            made.put_programs([0], [known], ran)
        elif isinstance(known, Problem):
            score, kind = await shadow.score(known, _text(completion), finish=how, length=length, reward=made.reward)
            made.put_ticket(known, score, kind)
        else:
            made.broken[0] = known.reason
    except NotRead as why:
        made.broken[0] = unreadable(str(ground_truth), str(why)).reason
    return made.evaluation([ground_truth], groups)


Rows = Sequence[int]
"""Places in a batch; a range: all of them."""


def _at(column: Any, rows: Rows) -> Any:
    """A column's entries there."""
    return column if column is None or isinstance(rows, range) else [column[row] for row in rows]


def _text(completion: object) -> str | bytes:
    return completion if isinstance(completion, (str, bytes)) else ""


def _finishes(given: Sequence[str] | None) -> list[str] | None:
    return None if given is None else [how if how in _FINISHES else "unknown" for how in given]


def _score(
    made: _Graded, rows: Rows, known: Sequence[Known], texts: Sequence[str | bytes], finish: Sequence[str] | None,
    lengths: Sequence[int] | None,
) -> None:  # fmt: skip
    """By the scorer. Ground truths are groups of their own there: two of them may measure one instance differently."""
    if lengths is None and reads_lengths(made.reward):
        raise refuse("length", "missing: the reward has a length penalty and needs the tokens of every completion")
    mine, said, how = _at(known, rows), _at(texts, rows), _at(finish, rows)
    asked = [one.row for one in mine]
    outside = [at for at, one in enumerate(mine) if isinstance(one, ExternalProblem)]
    if outside:
        from optgap.external.paying import verdicts

        judged = verdicts(_at(mine, outside), _at(said, outside), finish=_at(how, outside))
        for at, (row, _) in zip(outside, judged):
            asked[at] = row
    groups = [one.number for one in mine]
    with scorer(made.reward) as by:
        found = by.score_columns(asked, said, finish=how, length=_at(lengths, rows), group=groups)
    shadow.forget(one.key for one in mine if isinstance(one, Problem))
    made.put(rows, mine, found)


def _run_programs(
    made: _Graded, rows: Rows, known: Sequence[Known], texts: Sequence[str | bytes], finish: Sequence[str] | None,
    lengths: Sequence[int] | None,
) -> None:  # fmt: skip
    """In the sandbox, side by side. Blocks meanwhile."""
    from optgap.programs.paying import pay

    mine = _at(known, rows)
    ran, found, broken = pay(
        mine, _at(texts, rows), finish=_at(finish, rows), lengths=_at(lengths, rows), reward=made.reward, budget=budget(),
        threads=threads(),
    )  # fmt: skip
    made.broken.update((rows[at], why) for at, why in broken.items())
    if found is not None:
        made.put_programs(_at(rows, ran), _at(mine, ran), found)


class _Graded:
    """The rows of a batch, as they come from those who grade them."""

    def __init__(self, count: int, reward: str) -> None:
        self.reward, self.digits = reward, fingerprint(reward)
        self.rows: list[dict[str, Any] | None] = [None] * count
        self.broken: dict[int, str] = {}
        """Why a row could not be evaluated."""
        self._made = Evaluation([], [None] * count, [False] * count, [""] * count, [True] * count, {}, {})

    def put(self, rows: Rows, known: Sequence[Problem | ExternalProblem], found: ScoredColumns) -> None:
        """Columns of the scorer."""
        for at, (field, rule) in found.errors.items():
            if field == "isolation":
                raise Error(rule, "sandbox_unavailable", field, rule)
            if field == "chain" and reads_lengths(self.reward):
                raise refuse("length", rule)
            self.broken[rows[at]] = unreadable(known[at].row, f"{field}: {rule}").reason
        made = self._made
        sources = [f"{PREFIX}{task}{one.level}" for task, one in zip(found.tasks, known)]
        values = self._rows(found, sources, found.baseline_kinds)
        is_text = ~np.isnan(found.content)
        ranked = zip(((found.feasible > 0) | is_text).tolist(), found.objective.tolist(), found.score.tolist())
        # A task's objectives are integers; a right claim that no answer exists has none, and ranks as 0.
        objectives = [None if not there else known if known == score else score for there, known, score in ranked]
        columns = values, objectives, (found.optimal > 0).tolist(), found.tasks, found.maximise.tolist()
        targets = self.rows, made.objective, made.optimal, made.tasks, made.maximise
        for target, column in zip(targets, columns):
            if isinstance(rows, range) and not found.errors:
                target[:] = column
            else:
                for at, row in enumerate(rows):
                    if row not in self.broken:
                        target[row] = column[at]
        for at in np.flatnonzero(is_text).tolist():
            made.pairs[rows[at]] = float(found.content[at]), float(found.style[at])

    def put_programs(self, rows: Sequence[int], known: Sequence[ProgramProblem], found: ProgramScores) -> None:
        """Columns of the sandbox's."""
        values = self._rows(found, [one.data_source for one in known], found.baseline_kind, _short)
        for at, (row, one, width) in enumerate(zip(rows, known, found.instances.tolist())):
            made, own = self._made, found.scores()[at, :width].tolist()
            self.rows[row], made.optimal[row] = values[at], bool(found.optimal[at] == 1)
            made.tasks[row], made.maximise[row] = f"program/{one.task}", one.maximise
            made.matrix[row] = [None if math.isnan(value) else value for value in own]

    def put_ticket(self, known: Problem, score: Score, baseline_kind: str) -> None:
        """The only row, from a ticket."""
        by, made = engine().tasks[score.task], self._made
        numbers = (score.reward, float(score.feasible and score.raw_ratio >= 1), float(score.format), float(score.feasible),
                   score.quality, score.normalized, 1.0 - score.quality, score.violation, int(score.truncated), score.code,
                   score.length_penalty)  # fmt: skip
        before = float(before_length(np.array([score.reward]), np.array([score.length_penalty]), self.reward)[0])
        source = f"{PREFIX}{by.name}{known.level}"
        self.rows[0] = dict(zip(KEYS, (*numbers, source, baseline_kind, self.digits, before)))
        made.objective[0] = score.objective if score.objective is not None or not score.feasible else 0.0
        made.optimal[0], made.tasks[0], made.maximise[0] = score.optimal, by.name, by.sense == "maximise"

    def _rows(
        self, found: ScoredColumns | ProgramScores, sources: Sequence[str], kinds: Sequence[str],
        number: Callable[[Any], Any] = lambda column: column.astype(np.float64),
    ) -> list[dict[str, Any]]:  # fmt: skip
        score, quality, penalty = number(found.reward), number(found.quality), number(found.length_penalty)
        columns = (score, found.reached.astype(float), number(found.format), number(found.feasible), quality,
                   number(found.normalized), 1.0 - quality, found.violation, found.truncated, found.code, penalty)  # fmt: skip
        before = before_length(score, penalty, self.reward)
        rows = zip(*(column.tolist() for column in columns), sources, kinds, itertools.repeat(self.digits), before.tolist())
        return [dict(zip(KEYS, row)) for row in rows]

    def evaluation(
        self, ground_truths: Sequence[object], groups: Sequence[object] | None, step: int | None = None
    ) -> Evaluation:
        """Counted for the run's statistics (OPTGAP_STATS)."""
        for reason in self.broken.values():
            warn_once(reason)
        unread = functools.partial(blank_row, UNREADABLE_SCORE, PREFIX + "unreadable", self.digits)
        evaluation = self._made._replace(rows=[unread() if row is None else row for row in self.rows])
        run = self.reward, budget(), snapshot_hash()
        stats_folder.record(evaluation.rows, evaluation.optimal, ground_truths, run, groups, step)
        return evaluation


def _short(column: Any) -> Any:
    """As a row of JSON has float32: the shortest text that is this number."""
    return column.astype("U").astype(np.float64)


def blank_row(score: float, data_source: str, digits: str) -> dict[str, Any]:
    """The row of something that was not evaluated here: another reward's, or an unreadable one. It has the run's
    fingerprint like its neighbours: readers of a dump take a second one for another run."""
    row: dict[str, Any] = dict.fromkeys(KEYS, 0.0)
    row.update(score=float(score), before_length=float(score), violation=0, truncated=0, code=NOT_EVALUATED)
    row.update(data_source=data_source, baseline_kind="unknown", fingerprint=digits)
    return row


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
    maximise = np.array(evaluation.maximise, np.int32)
    numbers = {"": -1}
    cohort = [numbers.setdefault(task, len(numbers)) for task in evaluation.tasks]
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
