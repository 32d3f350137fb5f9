"""A curriculum's problems as rows of a trainer's data, and their outcomes back: behind the data of every adapter."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from optgap.arguments import Spec
from optgap.curriculum import Curriculum
from optgap.integrations.evaluation import NOT_EVALUATED, refuse
from optgap.integrations.ground_truth import PREFIX, engine

Row = dict[str, str]
"""`prompt`, `data_source` (`optgap/<task>/<level>`) and `ground_truth` (JSON with `key` and `format`)."""

_VERSION = 1


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
        tasks: Names, "all", or a mapping from names to weights.
        seed: The run's, the same on all ranks.
        format: The answer format that prompts ask for.
        style: The prompts' style (docs/prompts.md).
        prompt_chars: For a policy with max_prompt_chars.
    """

    def __init__(
        self,
        policy: Spec = "adaptive",
        tasks: str | Sequence[str] | Mapping[str, int] = "all",
        seed: int = 0,
        *,
        format: str | Mapping[str, Any] = "forge",
        style: int = 0,
        prompt_chars: Mapping[str, Mapping[str, int]] | None = None,
    ) -> None:
        self.plan = Curriculum(policy, tasks, seed, prompt_chars)
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

    def __repr__(self) -> str:
        return f"CurriculumRows({self.plan!r}, {len(self._pending)} without an outcome)"

    @property
    def pending(self) -> list[str]:
        """Keys that were handed out and have no outcome yet, in the order of the draws."""
        return list(self._pending)

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
        keys = [key_of(truth) for truth in ground_truths]
        mine = [row for row, key in enumerate(keys)
                if key in self._pending and evaluated[row]["code"] != NOT_EVALUATED]  # fmt: skip
        places = [evaluated[row]["data_source"].removeprefix(PREFIX).rpartition("/") for row in mine]
        how = finish or ["length" if row["truncated"] else "stop" for row in evaluated]
        _observe_rows(
            self.plan, [task for task, _, _ in places],
            [level for _, _, level in places],
            [groups[row] for row in mine],
            [evaluated[row]["feasible"] > 0 for row in mine],
            [evaluated[row]["quality"] for row in mine],
            [how[row] for row in mine],
        )
        self._seen.update((keys[row], None) for row in mine)
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

    def state_dict(self) -> str:
        """The curriculum, and what was handed out and has no outcome yet, as JSON; equal states are equal bytes."""
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
        self._again = deque(pending.values())
        self._prove(list(pending))

    def held(self, keys: Iterable[str]) -> None:
        """After load_state_dict: rows that the trainer kept itself, which are not handed out again."""
        kept = set(keys)
        self._again = deque(row for row in self._again if key_of(row["ground_truth"]) not in kept)

    def _drawn(self, count: int) -> list[Row]:
        if count == 0:
            return []
        # Until Curriculum.draws and shadow.issue are here.
        by = engine()
        asked = self.plan.instances(by, count, self._first, style=self._style)
        self._first += count
        rows = []
        for prompt, key in zip(by.prompts(asked, self._format), asked.keys):
            task, _, _, level = key.split(":")[0].partition("@")[0], 0, 0, key.split(":")[2]
            truth = json.dumps({"key": key, "format": self._format})
            rows.append({"prompt": prompt, "data_source": f"{PREFIX}{task}/{level}", "ground_truth": truth})
        return rows

    def _prove(self, keys: Sequence[str]) -> None:
        """Starts the baselines of rows that were drawn by a process that is gone."""


def _observe_rows(plan, task, level, group, feasible, quality, finish):  # until Curriculum.observe_rows is here
    import numpy as np
    from optgap import _native
    place = {name: number for number, name in enumerate([each["name"] for each in json.loads(plan.state_dict())["tasks"]])}
    index = {}
    instance_of = [index.setdefault((t, l, g), len(index)) for t, l, g in zip(task, level, group)]
    plan._native.observe(
        np.asarray([place[t] for t, _, _ in index], np.int32),
        np.asarray([_native.level_code(l) for _, l, _ in index], np.int32),
        np.asarray(instance_of, np.int32), np.asarray(feasible, np.bool_), np.asarray(quality, np.float32),
        np.asarray([("stop", "unknown", "length", "abort").index(f) for f in finish], np.int32))


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
        fields = ("prompt", "data_source", "ground_truth")
        if not isinstance(row, dict) or not all(isinstance(row.get(name), str) for name in fields):
            raise refuse(f"state.pending[{place}]", f"is no row with the texts {', '.join(fields)}")
    return first, {key_of(row["ground_truth"]): row for row in rows}


def _text(value: Mapping[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
