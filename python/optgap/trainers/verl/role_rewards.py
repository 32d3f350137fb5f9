"""verl: how reward workers and the driver ask the actor of a run with roles (optgap.trainers.verl.roles)."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from optgap.trainers.common.evaluation import refuse

NAME = "optgap_roles"
"""The actor's, in the run's own namespace."""


async def earned(columns: Mapping[str, Any], text: str, finish: str) -> float:
    """What the run's owner says that a response earns."""
    first = int(columns["extra_info"]["tickets"][0])
    uid = columns.get("uid")
    return float(await _owner().earned.remote(first, text, finish, None if uid is None else str(uid)))


def advantages(uids: Sequence[Any], rewards: Sequence[float]) -> list[float]:
    """For the estimator: the owner knows whose these are."""
    found: list[float] = sys.modules["ray"].get(_owner().advantages.remote([str(uid) for uid in uids], list(rewards)))
    return found


def _owner() -> Any:
    from optgap.trainers.verl.curriculum import owner  # here: loads the native library

    found = owner(NAME)
    if found is None:
        raise refuse(
            "data.custom_cls", "this run has no roles: it needs RolesDataset of optgap.trainers.verl.roles_data"
        )
    return found
