"""The rows of every adapter: their keys, and how columns of the scorer and of tickets become them."""

from __future__ import annotations

import functools
import itertools
import json
import logging
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from optgap.core.errors import Error, misuse
from optgap.measure import stats_folder
from optgap.rows.external.problems import ExternalProblem
from optgap.rows.programs.ground_truths import ProgramProblem
from optgap.trainers.common import own_kinds
from optgap.trainers.common.ground_truth import PREFIX, Problem, budget, engine, snapshot_hash, unreadable
from optgap.trainers.common.reward_rules import before_length, reads_lengths

if TYPE_CHECKING:
    from optgap.core.tickets import Score
    from optgap.rows import ScoredColumns
    from optgap.rows.programs.running import ProgramScores

logger = logging.getLogger("optgap")

_NUMBERS = ("score", "acc", "format", "feasible", "quality", "normalized", "gap", "violation", "truncated", "code",
            "length_penalty")  # fmt: skip
SCALARS, KEYS = (
    (*_NUMBERS, "before_length"),
    (*_NUMBERS, "data_source", "baseline_kind", "fingerprint", "before_length"),
)
"""What every row has, whatever happened to it. `score` is the reward (NaN when the spec excludes it), `before_length` the reward
before the length penalty; `acc` is 1 when the baseline is reached; `gap` is 1 - quality; `code` is the verdict's number, or
NOT_EVALUATED; `baseline_kind` is the kind of the baseline: proven, bounded, external (an environment's own word), reference (of a
rubric), unknown; `fingerprint` is that of the run's reward, also where another function scored. A program lost to the machine: NaN."""

NOT_EVALUATED = -1
"""The code of a row that could not be evaluated: its ground truth is unreadable. It earns `UNREADABLE_SCORE`."""
UNREADABLE_SCORE = 0.0

Rows = Sequence[int]
"""Places in a batch; a range: all of them."""

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
    """Whether more of the objective is better."""
    pairs: dict[int, tuple[float, float]] = {}
    """Content and style of the rows that a rubric rewards: what `decoupled` reads there instead of quality and feasibility."""
    matrix: dict[int, list[float | None]] = {}
    """Objectives of the rows that are programs, one an instance, None where invalid: what rankings read there."""


def run_fingerprint(reward: str, advantage: str, steps: int, snapshot: str) -> str:
    """Of a run with this reward, estimator, budget and snapshot, and with the packages of OPTGAP_KINDS."""
    return _run_fingerprint(reward, advantage, steps, snapshot, json.dumps(own_kinds.options()))


@functools.lru_cache(maxsize=256)
def _run_fingerprint(reward: str, advantage: str, steps: int, snapshot: str, own: str) -> str:
    if own != "{}":
        from optgap.rows import Scorer

        return Scorer(engine(), reward=reward, advantage=advantage, budget=steps, **json.loads(own)).fingerprint
    from optgap.measure.statistics import Statistics

    run = Statistics(reward=reward, advantage=advantage, budget=steps, baselines=snapshot or None)
    return str(json.loads(run.to_json())["run"]["fingerprint"])


class Graded:
    """The rows of a batch, as they come from those who grade them."""

    def __init__(self, count: int, reward: str) -> None:
        self.reward, self.run = reward, (reward, budget(), snapshot_hash())
        self.digits = run_fingerprint(reward, "grpo", *self.run[1:])
        self.rows: list[dict[str, Any] | None] = [None] * count
        self.broken: dict[int, str] = {}
        """Why a row could not be evaluated."""
        self._made = Evaluation([], [None] * count, [False] * count, [""] * count, [True] * count, {}, {})

    def put(
        self, rows: Rows, known: Sequence[Problem | ExternalProblem | ProgramProblem], found: ScoredColumns
    ) -> None:
        """Columns of the scorer."""
        for at, (field, rule) in found.errors.items():
            if field == "isolation":
                raise Error(rule, "sandbox_unavailable", field, rule)
            if field == "rubric" and reads_lengths(self.reward):
                raise misuse("length", rule)
            self.broken[rows[at]] = unreadable(known[at].row, f"{field}: {rule}").reason
        made = self._made
        ran = [at for at, kind in enumerate(found.kinds) if kind == "program" and rows[at] not in self.broken]
        own = {at for at in ran if isinstance(known[at], Problem)}
        sources = [
            one.data_source
            if isinstance(one, ProgramProblem)
            else f"{PREFIX}{'program/' * (at in own)}{task}{one.level}"
            for at, (task, one) in enumerate(zip(found.tasks, known))
        ]
        values = self._rows(found, sources, found.baseline_kinds, ran)
        is_text = ~np.isnan(found.content)
        ranked = zip(((found.feasible > 0) | is_text).tolist(), found.objective.tolist(), found.score.tolist())
        # A task's objectives are integers; a right claim that no answer exists has none, and ranks as 0.
        objectives = [None if not there else known if known == score else score for there, known, score in ranked]
        columns = values, objectives, (found.optimal == 1).tolist(), found.tasks, found.maximise.tolist()
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
        for at in ran:
            scores = found.scores[found.offsets[at] : found.offsets[at + 1]].tolist()
            self._put_scores(rows[at], f"program/{found.tasks[at]}", scores)

    def _put_scores(self, row: int, task: str, scores: Sequence[float]) -> None:
        """A program has an objective for each instance in place of one."""
        made = self._made
        made.tasks[row], made.objective[row] = task, None
        made.matrix[row] = [None if math.isnan(score) else score for score in scores]

    def put_program(self, known: ProgramProblem, found: ProgramScores) -> None:
        """The only row, from a ticket of programs."""
        (self.rows[0],) = self._rows(found, [known.data_source], found.baseline_kind, [0])
        self._made.optimal[0], self._made.maximise[0] = bool(found.optimal[0] == 1), known.maximise
        self._put_scores(0, f"program/{known.task}", found.scores()[0].tolist())

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
        self, found: ScoredColumns | ProgramScores, sources: Sequence[str], kinds: Sequence[str], programs: Sequence[int],
    ) -> list[dict[str, Any]]:  # fmt: skip
        """`programs`: their places; their numbers are those of a row of JSON."""

        def number(column: Any) -> Any:
            values = column.astype(np.float64)
            if programs:
                values[programs] = _short(column[programs])
            return values

        score, quality, penalty = number(found.reward), number(found.quality), number(found.length_penalty)
        columns = (score, found.reached.astype(float), number(found.format), number(found.feasible), quality,
                   number(found.normalized), 1.0 - quality, found.violation, found.truncated, found.code, penalty)  # fmt: skip
        before = before_length(score, penalty, self.reward)
        rows = zip(
            *(column.tolist() for column in columns), sources, kinds, itertools.repeat(self.digits), before.tolist()
        )
        return [dict(zip(KEYS, row)) for row in rows]

    def evaluation(
        self, ground_truths: Sequence[object], groups: Sequence[object] | None, step: int | None = None
    ) -> Evaluation:
        """Counted for the run's statistics (OPTGAP_STATS)."""
        for reason in self.broken.values():
            warn_once(reason)
        unread = functools.partial(blank_row, UNREADABLE_SCORE, PREFIX + "unreadable", self.digits)
        evaluation = self._made._replace(rows=[unread() if row is None else row for row in self.rows])
        stats_folder.record(evaluation.rows, evaluation.optimal, ground_truths, self.run, groups, step)
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
