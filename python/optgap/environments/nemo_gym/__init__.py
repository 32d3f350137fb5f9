"""NeMo-Gym: resources servers of one turn and of several."""

from __future__ import annotations

from typing import Any

from optgap.environments.adapter import EnvironmentAdapter


def _row(item: Any) -> dict[str, Any]:
    from optgap.environments.nemo_gym.responses import line  # noqa: PLC0415

    return {**line(item.ground_truth, item.prompt), "data_source": item.data_source}


ADAPTER = EnvironmentAdapter(
    title="NeMo-Gym",
    interface="`SimpleResourcesServer`: `nemo_gym.single.OptgapServer`; `GymnasiumServer`: `nemo_gym.several.OptgapGymnasiumServer`",
    turn="the text of the response; cut off where `incomplete_details` says so",
    tested="0.7.0: its servers' own endpoints, `/verify`, `/reset` and `/step`, by an HTTP client. pip refuses it for Python 3.11 (“Ignored the "
    "following versions that require a different python version: … 0.7.0 Requires-Python >=3.13.14”); it is installed as for 3.13.14, and runs",
    row=_row,
    readers={"nemo-gym": "optgap.environments.reading:read_served"},
)
