"""verl: the data set of a run in which one model poses, solves and judges (optgap.trainers.verl.roles)."""

from __future__ import annotations

from typing import Any

import ray

from optgap.trainers.common.evaluation import refuse
from optgap.trainers.common.role_rows import Row
from optgap.trainers.verl.data import CurriculumDataset, settings_of
from optgap.trainers.verl.role_rewards import NAME
from optgap.trainers.verl.roles import RolesOwner

SETTINGS = {
    "pool": None,
    "tasks": None,
    "length": None,
    "group": None,
    "seed": 0,
    "proposals": 0,
    "judges": 0,
    "advantage": "task_reinforce_pp",
    "options": None,
    "solver": None,
    "questions": None,
    "judge": None,
    "wait": 600.0,
}
"""Of data.optgap, and what they are when absent: the arguments of RolesOwner. `length`: rows an epoch; `group`: verl's
actor_rollout_ref.rollout.n, which a data set does not see; the reward manager compares them."""


class RolesDataset(CurriculumDataset):
    """For data.custom_cls: rows of all roles where the file is called `optgap`, with `role` and `tickets` in extra_info."""

    name, keeper = NAME, "roles"

    def _settings(self) -> dict[str, Any]:
        settings = settings_of(self.config, SETTINGS)
        for needed in ("pool", "questions" if settings["questions"] else "tasks", "group"):
            if not settings[needed]:
                raise refuse(f"data.optgap.{needed}", "is not given")
        if settings["proposals"] and not settings["solver"]:
            raise refuse("data.optgap.solver", "is not given, and proposals are rewarded by answers to them")
        return settings

    def _made_owner(self, settings: dict[str, Any]) -> Any:
        owner = ray.remote(RolesOwner).options(name=self.name, num_cpus=0, max_concurrency=1 << 16)
        return owner.remote(prompts=int(self.config.train_batch_size), **settings)

    def _as_in_a_file(self, row: Row) -> dict[str, Any]:
        return {
            "data_source": row["data_source"],
            "prompt": [{"role": "user", "content": row["prompt"]}],
            "ability": "optimisation",
            "reward_model": {"style": "rule", "ground_truth": row["role"]},
            "extra_info": {
                "split": "train",
                "index": 0,
                "role": row["role"],
                "task": row["task"],
                "tickets": row["tickets"],
            },
        }
