"""verl: one model poses problems, solves them and judges answers, rewarded by proof. A named Ray actor holds roles and pool; the
data set draws from it, the reward manager asks it what a response earns, the estimator `optgap_roles` compares by role.

    data.custom_cls.path=pkg://optgap.trainers.verl.roles_data data.custom_cls.name=RolesDataset
    data.train_files=optgap data.dataloader_num_workers=0
    +data.optgap.pool=pool.db '+data.optgap.tasks=[tsp]' +data.optgap.length=20000 +data.optgap.proposals=16
    '+data.optgap.solver={base_url: "http://localhost:8000/v1", model: policy}'
    reward.reward_manager.name=optgap algorithm.adv_estimator=optgap_roles
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from optgap import _native
from optgap.core import arguments
from optgap.core.engine import Engine
from optgap.core.errors import Error
from optgap.trainers.common.evaluation import refuse
from optgap.trainers.common.role_rows import Model, RoleRows, Row
from optgap.trainers.pool import Pool
from optgap.trainers.roles import Roles, TextRoles, read_questions
from optgap.trainers.roles.text_state import TASK
from optgap.trainers.verl.role_rewards import NAME

_PLACE = {"proposer": 0, "solver": 1, "judge": 2}
_VERSION = 1
_KEPT = 1 << 16
"""Rollouts' names whose role is remembered."""


@dataclass
class _Text:
    """A response that waits for what it earns."""

    text: str
    finish: str
    rewarded: asyncio.Future[float]


@dataclass
class _Batch:
    """Rows that verl drew together."""

    missing: int
    """Responses that have not come."""
    texts: dict[int, list[_Text]] = field(default_factory=dict)
    """By the first ticket of their row."""


class RolesOwner:
    """The actor's class. A step is a batch: when its last response has come, or none has for `wait` seconds, all are rewarded
    together, each row's responses in the order of their texts, so that what a step earns does not depend on which came first.

    Args:
        pool, seed: The file, and its seed when it is made.
        tasks, options: Of Roles; `options` of TextRoles where there are questions.
        questions: A file of seed questions: roles on free text in place of tasks.
        judge: As `solver`, a server whose scores make rewards of free text; what solves when absent.
        advantage: Estimator of `optgap_roles`: one, or a table by role.
        prompts, group: Rows of a batch, responses to each.
        proposals, judges: As RoleRows has them.
        solver: `base_url` and `model` of the server that answers proposals, and fields of its requests.
        wait: Seconds without a response after which a batch is rewarded as it is. Late ones are rewarded with the next batch.
        solve: In place of a server.
    """

    def __init__(
        self,
        *,
        pool: str,
        tasks: Sequence[str] | None = None,
        prompts: int,
        group: int,
        proposals: int = 0,
        judges: int = 0,
        seed: int = 0,
        advantage: Any = "task_reinforce_pp",
        options: Mapping[str, Any] | None = None,
        solver: Mapping[str, Any] | None = None,
        wait: float = 600.0,
        solve: Model | None = None,
        questions: str | None = None,
        judge: Mapping[str, Any] | None = None,
    ) -> None:
        given = dict(options or {})
        if questions is None:
            engine = Engine("cpu")
            self._tasks = [task.name for task in engine.tasks]
            self._roles: Roles | TextRoles = Roles(engine, Pool(pool, seed=seed), tasks=list(tasks or ()), **given)
        else:
            if tasks:
                raise refuse("data.optgap.tasks", "stand beside questions: expected one of them")
            self._tasks = [TASK]
            kept, first = Pool(pool, seed=seed, policy="uniform"), given.pop("seeds", None)
            texts, references = read_questions(questions)
            self._roles = TextRoles(kept, seeds=(texts[:first], references[:first]), **given)
        if judge is not None and questions is None:
            raise refuse("data.optgap.judge", "has no effect: answers to tasks are scored by proof")
        self._judge = None if judge is None else _served("judge", judge)
        self._rows = RoleRows(self._roles, prompts=prompts, group=group, proposals=proposals, judges=judges)
        self._estimator = _native.RoleAdvantages(arguments.spec(advantage, "advantage"))
        self._solve = _served("solver", solver) if solve is None and solver is not None else solve
        if (proposals or questions is not None) and self._solve is None:
            raise refuse("data.optgap.solver", "is not given, and proposals are rewarded by answers to them")
        self._wait = wait
        self._lock = asyncio.Lock()
        self._batch_of: dict[int, _Batch] = {}
        """By the first ticket of a row."""
        self._row_of: dict[int, Row] = {}
        self._late: dict[int, list[_Text]] = {}
        self._role_of: dict[str, tuple[int, int, int]] = {}
        """Of what verl calls a prompt (uid): role, its row's first ticket, and task; in the order in which they came."""

    async def rows(self, count: int) -> list[Row]:
        """The next batch."""
        if count != self._rows.prompts:
            raise refuse(
                "data.train_batch_size", f"is {self._rows.prompts}, and {count} rows are read: a step is a batch"
            )
        async with self._lock:
            made = await asyncio.to_thread(self._rows.rows)
        batch = _Batch(count * self._rows.group)
        for row in made:
            self._batch_of[row["tickets"][0]] = batch
            self._row_of[row["tickets"][0]] = {**row, "free": list(row["tickets"])}
        return made

    async def earned(self, first: int, text: str, finish: str, uid: str | None) -> float:
        """What a response earns, once its batch is complete; NaN for one without a reward."""
        row, batch = self._row_of.get(first), self._batch_of.get(first)
        if row is None or batch is None:
            return float("nan")  # of a run before this one
        if uid is not None:
            self._role_of[uid] = _PLACE[row["role"]], first, self._tasks.index(row["task"])
            while len(self._role_of) > _KEPT:
                self._role_of.pop(next(iter(self._role_of)))
        mine = _Text(text, finish, asyncio.get_running_loop().create_future())
        if batch.missing < 0:
            self._late.setdefault(first, []).append(mine)
            await asyncio.wait([mine.rewarded], timeout=self._wait)
            return mine.rewarded.result() if mine.rewarded.done() else float("nan")
        batch.texts.setdefault(first, []).append(mine)
        batch.missing -= 1
        if batch.missing == 0:
            await self._end(batch)
        while not mine.rewarded.done():
            before = batch.missing
            await asyncio.wait([mine.rewarded], timeout=self._wait)
            if not mine.rewarded.done() and batch.missing == before and before > 0:
                await self._end(batch)
        return mine.rewarded.result()

    async def _end(self, batch: _Batch) -> None:
        batch.missing = -1
        given, late = dict(batch.texts), self._late
        self._late = {}
        for first, said in late.items():
            given[first] = given.get(first, []) + said
        async with self._lock:
            of: dict[int, _Text] = {}
            for first, said in sorted(given.items()):
                free = self._row_of[first]["free"]
                for one in sorted(said, key=lambda each: (each.text, each.finish)):
                    of[free.pop(0)] = one
                if not free:
                    self._row_of.pop(first)
                    self._batch_of.pop(first)
            texts = {ticket: one.text for ticket, one in of.items()}
            finish = {ticket: one.finish for ticket, one in of.items()}
            try:
                rewarded = await asyncio.to_thread(self._rows.reward_rows, texts, self._solve, finish, self._judge)
            except BaseException as broken:
                for one in of.values():
                    one.rewarded.set_exception(broken)
                return
        for ticket, one in of.items():
            one.rewarded.set_result(rewarded[ticket].reward if ticket in rewarded else float("nan"))

    async def advantages(self, uids: Sequence[str], rewards: Sequence[float]) -> list[float]:
        """By the table of roles; Error for a row that is of no prompt."""
        unknown = [uid for uid in uids if uid not in self._role_of]
        if unknown:
            raise refuse(
                "adv_estimator",
                f"{NAME} met rollouts that came through no reward manager of optgap, such as {unknown[0]!r}",
            )
        # Running means go along rows: in an order of their own, not in that in which responses came.
        known = [self._role_of[uid] for uid in uids]
        order = sorted(range(len(uids)), key=lambda row: (known[row][1], rewards[row]))
        role, group, cohort = (np.asarray([known[row][place] for row in order], np.int32) for place in range(3))
        rewarded = np.asarray([rewards[row] for row in order], np.float32)
        found = [0.0] * len(uids)
        for row, value in zip(order, self._estimator.advantages(role, rewarded, group, cohort).tolist()):
            found[row] = value
        return found

    async def state_dict(self) -> str:
        """Roles, rows under way, running means, and the step and hash of the pool that they belong to, as JSON."""
        async with self._lock:
            state = {NAME: _VERSION, **self._rows.checkpoint(), "means": self._estimator.means}
        return json.dumps(state, separators=(",", ":"))

    async def load_state_dict(self, state: str) -> None:
        """Continues from state_dict's text, with the pool rewound to its step; Error, and no change, where it is of another
        run. A response to a row that was under way earns what it would have, if verl asks for it again."""
        given = json.loads(state)
        if not isinstance(given, dict) or given.get(NAME) != _VERSION:
            raise refuse("data.pt", f"holds no state of {NAME}, version {_VERSION}")
        async with self._lock:
            try:
                self._rows.resume(given)
            except Error as broken:
                raise refuse(
                    "data.optgap.pool", f"cannot go on from a checkpoint of step {given['pool'][0]}: {broken}"
                ) from None
            self._estimator.restore([tuple(one) for one in given["means"]])
            self._late, self._role_of = {}, {}
            rows = {row["tickets"][0]: {**row, "free": self._rows.missing(row)} for row in self._rows.pending}
            batch = _Batch(sum(len(row["free"]) for row in rows.values()))
            self._row_of, self._batch_of = rows, dict.fromkeys(rows, batch)


def _served(name: str, solver: Mapping[str, Any]) -> Model:
    from optgap.measure.endpoint import Endpoint
    from optgap.trainers.roles.asking import EndpointRole

    fields = dict(solver)
    if not {"base_url", "model"} <= fields.keys():
        raise refuse(f"data.optgap.{name}", "needs base_url and model")
    server = Endpoint(str(fields.pop("base_url")), str(fields.pop("model")))
    return EndpointRole(server, **fields)
