"""A curriculum's problems as rows of a trainer's data, and their outcomes back: behind the data of every adapter."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from optgap.core.arguments import Spec
from optgap.core.curriculum import Curriculum, Draws
from optgap.measure import stats_folder
from optgap.rows.external.naming import adopt, is_outside
from optgap.trainers.common import overlapped
from optgap.trainers.common.evaluation import NOT_EVALUATED, refuse
from optgap.trainers.common.ground_truth import PREFIX

Row = dict[str, str]
"""`prompt`, `data_source` (`optgap/<task>/<level>`) and `ground_truth` (JSON with `key` and `format`)."""

_FIELDS = ("prompt", "data_source", "ground_truth")
_VERSION = 1
_ATTEMPTS = 8
"""Times that problems are drawn in place of those that their environments did not make."""


class CurriculumRows:
    """Problems at the level a model learns from, one row each, handed out once:

        rows = CurriculumRows("adaptive", ["tsp", "knapsack"], seed=run_seed)
        batch = rows.rows(128)                       # the model answers; their baselines are proven meanwhile
        rows.observe(ground_truths, evaluated, groups)
        for delta in all_gather(rows.delta(rank)):   # one rank: rows.merge(rows.delta())
            rows.merge(delta)
        rows.step()

    Trainers read ahead, so a row is remembered until its outcome is merged. `state_dict` holds these beside the
    curriculum: after `load_state_dict` they are handed out again, in their order, before anything new is drawn. A resumed
    run thereby gets the rows of one that was never stopped. One per process; not to be shared by threads.

    Args:
        policy: The curriculum's (docs/curriculum.md).
        tasks: Names, "all", or a mapping from names to weights. Environments, FILE.py:CLASS or mine/toy, stand beside tasks of
            optgap (docs/own_tasks.md).
        seed: The run's, the same on all ranks.
        format: The answer format that prompts ask for.
        style: The prompts' style, or "drawn": of each row by its key.
        prompt_chars: For a policy with max_prompt_chars.
    """

    def __init__(
        self,
        policy: Spec = "adaptive",
        tasks: str | Sequence[str] | Mapping[str, int] = "all",
        seed: int = 0,
        *,
        format: str | Mapping[str, Any] = "forge",
        style: int | str = 0,
        prompt_chars: Mapping[str, Mapping[str, int]] | None = None,
    ) -> None:
        self.plan = Curriculum(policy, _adopted(tasks), seed, prompt_chars)
        self._format = format if isinstance(format, str) else json.dumps(dict(format))
        self._style = style
        self._first = 0
        """The index of the next draw in this step."""
        self._pending: dict[str, Row] = {}
        """What was handed out and has no outcome yet, by key, in the order of the draws."""
        self._again: deque[Row] = deque()
        """Of these, what a loaded state has still to hand out."""
        self._seen: dict[str, None] = {}
        """Keys with an outcome that this process has not merged."""
        self._note()

    def __repr__(self) -> str:
        return f"CurriculumRows({self.plan!r}, {len(self._pending)} without an outcome)"

    @property
    def pending(self) -> list[str]:
        """Keys that were handed out and have no outcome yet, in the order of the draws."""
        return list(self._pending)

    @property
    def left(self) -> int:
        """Rows of a loaded state that are still to be handed out again."""
        return len(self._again)

    @property
    def has_outcomes(self) -> bool:
        """Did this process see outcomes that are not merged?"""
        return bool(self._seen)

    def rows(self, count: int) -> list[Row]:
        """The next `count` problems of this step, first those that a loaded state had handed out. Their baselines are
        proven in the background from now on."""
        again = [self._again.popleft() for _ in range(min(count, len(self._again)))]
        fresh = self._drawn(count - len(again))
        self._pending.update((key_of(row["ground_truth"]), row) for row in fresh)
        return again + fresh

    def observe(
        self,
        ground_truths: Sequence[str],
        evaluated: Sequence[Mapping[str, Any]],
        groups: Sequence[Hashable],
        finish: Sequence[str] | None = None,
    ) -> int:
        """Counts rollouts for this step's delta; how many were counted.

        Rows that this object did not hand out, or whose outcome was merged in an earlier step, are other data: an
        evaluation between two steps moves nothing.

        Args:
            ground_truths: As handed out, one a rollout.
            evaluated: `evaluation.evaluate`'s rows for them.
            groups: Which rollouts answered one problem together.
            finish: "stop", "length", "abort" or "unknown" each; None takes truncated rows for cut off by length.
        """
        count = len(ground_truths)
        if any(given is not None and len(given) != count for given in (evaluated, groups, finish)):
            raise refuse("evaluated", f"{count} ground truths need as many evaluated rows, groups and ways to finish")
        named = {truth: key_of(truth) for truth in set(ground_truths)}
        keys = [named[truth] for truth in ground_truths]
        known = [row for row, key in enumerate(keys) if key in self._pending]
        self._seen.update((keys[row], None) for row in known)
        mine = [row for row in known if evaluated[row]["code"] != NOT_EVALUATED]
        places = [evaluated[row]["data_source"].removeprefix(PREFIX).rpartition("/") for row in mine]
        how = finish or ["length" if row["truncated"] else "stop" for row in evaluated]
        self.plan.observe_rows(
            [task for task, _, _ in places],
            [level for _, _, level in places],
            [groups[row] for row in mine],
            [evaluated[row]["feasible"] > 0 for row in mine],
            [evaluated[row]["quality"] for row in mine],
            [how[row] for row in mine],
            # An environment says itself what is correct; its quality may never reach 1.
            [evaluated[row]["acc" if "/" in task else "quality"] >= 1 for row, (task, _, _) in zip(mine, places)],
        )
        return len(mine)

    def drop(self, ground_truths: Iterable[str]) -> None:
        """Forgets rows that the trainer left out, so that a resumed run does not get them again."""
        self._seen.update((key, None) for key in map(key_of, ground_truths) if key in self._pending)

    def delta(self, rank: int = 0) -> str:
        """What this process observed in this step, as text to gather. Does not merge it."""
        return _text({"delta": json.loads(self.plan.delta(rank)), "seen": list(self._seen)})

    def merge(self, delta: str) -> bool:
        """Adds a rank's delta of this step, in any order. False when it is there already."""
        given = json.loads(delta)
        added = self.plan.merge(_text(given["delta"]))
        for key in given["seen"]:
            self._pending.pop(key, None)
            self._seen.pop(key, None)
        return added

    def step(self) -> None:
        """Ends the step: the curriculum decides from what was merged, and draws count from 0 again."""
        self.plan.step()
        self._first = 0
        self._note()

    def _note(self) -> None:
        """For the run's statistics: where the curriculum stands."""
        state = self.plan.state_dict()
        stats_folder.record_curriculum(json.loads(state)["step"], state)

    def state_dict(self) -> str:
        """The curriculum, and what was handed out and has no outcome yet, as JSON; equal states are equal bytes."""
        stats_folder.flush()  # a run that is killed and goes on from here does not count it again
        return _text({
            "optgap_curriculum_rows": _VERSION,
            "format": self._format,
            "style": self._style,
            "curriculum": json.loads(self.plan.state_dict()),
            "first": self._first,
            "pending": list(self._pending.values()),
        })  # fmt: skip

    def load_state_dict(self, state: str) -> None:
        """Continues from state_dict's text. Error, and no change, when it is of another run or cannot be read."""
        given = _record(state)
        for name, mine in (("format", self._format), ("style", self._style)):
            if given[name] != mine:
                raise refuse(f"state.{name}", f"is {given[name]!r}, this run has {mine!r}")
        first, pending = _pending(given)
        self.plan.load_state_dict(_text(given["curriculum"]))
        self._first, self._pending, self._seen = first, pending, {}
        self.rewind()
        stats_folder.record_rewound(self.plan.steps)
        self._note()
        overlapped.issue_keys([key for key in pending if "/" not in key.partition("@")[0]])

    def rewind(self) -> None:
        """What has no outcome yet is handed out again, in the order of the draws."""
        self._again = deque(self._pending.values())

    def held(self, keys: Iterable[str]) -> None:
        """After load_state_dict: rows that the trainer kept itself, which are not handed out again."""
        kept = set(keys)
        self._again = deque(row for row in self._again if key_of(row["ground_truth"]) not in kept)

    def _drawn(self, count: int) -> list[Row]:
        """New rows. A problem that its environment does not make is left out for the next draw."""
        rows: list[Row] = []
        for _ in range(_ATTEMPTS):
            wanted = count - len(rows)
            if wanted <= 0:
                return rows
            draws = self.plan.draws(wanted, self._first)
            self._first += wanted
            rows += self._made(draws)
        if len(rows) < count:
            raise refuse(
                "tasks", f"{_ATTEMPTS} draws of {count} problems gave {len(rows)}: see the log for what failed"
            )
        return rows

    def _made(self, draws: Draws) -> list[Row]:
        """Rows of the draws, in their order."""
        outside = [place for place, task in enumerate(draws.task) if "/" in task]
        ours = [place for place, task in enumerate(draws.task) if "/" not in task]
        made: dict[int, Row] = {}

        def columns(places: Sequence[int]) -> tuple[list[str], list[str], list[int]]:
            return ([draws.task[place] for place in places], [draws.level[place] for place in places],
                    [int(draws.seed[place]) for place in places])  # fmt: skip

        prompts, keys = overlapped.issue(*columns(ours), self._format, self._style)
        for place, prompt, key in zip(ours, prompts, keys):
            truth = json.dumps({"key": key, "format": self._format})
            source = f"{PREFIX}{draws.task[place]}/{draws.level[place]}"
            made[place] = {"prompt": prompt, "data_source": source, "ground_truth": truth}
        if outside:
            from optgap.rows import external

            for place, row in zip(outside, external.rows_or_none(*columns(outside), format=self._format)):
                if row is not None:
                    made[place] = dict(zip(_FIELDS, row))
        return [made[place] for place in sorted(made)]


def _adopted(tasks: str | Sequence[str] | Mapping[str, int]) -> str | Sequence[str] | Mapping[str, int]:
    """The same with environments by the names of their tasks, known to this process and its children."""
    names = [tasks] if isinstance(tasks, str) else list(tasks)
    if not any(map(is_outside, names)):
        return tasks
    known = adopt(names)
    return dict(zip(known, tasks.values())) if isinstance(tasks, Mapping) else known


def key_of(ground_truth: str) -> str:
    """The key in a ground truth; the text itself where there is none, which no row of ours has."""
    try:
        return str(json.loads(ground_truth)["key"])
    except (ValueError, TypeError, KeyError):
        return str(ground_truth)


def _record(state: str) -> dict[str, Any]:
    try:
        given = json.loads(state)
    except (TypeError, ValueError) as broken:
        raise refuse("state", f"is not JSON: {broken}") from None
    names = ("format", "style", "curriculum", "first", "pending")
    if not isinstance(given, dict) or given.get("optgap_curriculum_rows") != _VERSION or any(
        name not in given for name in names
    ):  # fmt: skip
        raise refuse("state", f"is not what CurriculumRows.state_dict wrote, version {_VERSION}")
    return given


def _pending(given: Mapping[str, Any]) -> tuple[int, dict[str, Row]]:
    first, rows = given["first"], given["pending"]
    if not isinstance(first, int) or isinstance(first, bool) or not 0 <= first < 2**32:
        raise refuse("state.first", f"{first!r} is no index of a draw")
    if not isinstance(rows, list):
        raise refuse("state.pending", "is no list of rows")
    for place, row in enumerate(rows):
        if not isinstance(row, dict) or not all(isinstance(row.get(name), str) for name in _FIELDS):
            raise refuse(f"state.pending[{place}]", f"is no row with the texts {', '.join(_FIELDS)}")
    return first, {key_of(row["ground_truth"]): {name: row[name] for name in _FIELDS} for row in rows}


def _text(value: Mapping[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
