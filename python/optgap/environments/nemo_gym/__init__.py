"""NeMo-Gym: resources servers of one turn and of several."""

from optgap.environments.adapter import EnvironmentAdapter

ADAPTER = EnvironmentAdapter(
    title="NeMo-Gym",
    interface="`SimpleResourcesServer`: `nemo_gym.single.OptgapServer`; `GymnasiumServer`: `nemo_gym.several.OptgapGymnasiumServer`",
    turn="the text of the response; cut off where `incomplete_details` says so",
    tested="not run: it cannot be installed for Python 3.11 (uv pip: “the current Python version (3.11.7) does not satisfy Python>=3.13.14”). "
    "Both are held to the signatures of 0.7.0's wheel",
)
