"""SkyRL-Gym: a text environment."""

from __future__ import annotations

from typing import Any

from optgap.environments.adapter import EnvironmentAdapter


def _row(item: Any) -> dict[str, Any]:
    extra = {"category": item.category, **item.origin}
    return {"prompt": item.prompt, "env_class": "optgap", "data_source": item.data_source,
            "reward_spec": {"method": "rule", "ground_truth": item.ground_truth}, "extra_info": extra}  # fmt: skip


ADAPTER = EnvironmentAdapter(
    title="SkyRL-Gym",
    interface="`BaseTextEnv`: `skyrl.environment.OptgapEnv`, registered as `optgap`",
    turn="the text; SkyRL does not say how it ended",
    tested="0.4.0: `skyrl_gym.make`, `init`, `step`",
    row=_row,
    readers={"skyrl": "optgap.environments.reading:read_served"},
    blind=("skyrl",),
)
