"""TRL: an environment class for `environment_factory`, and a `rollout_func`."""

from optgap.environments.adapter import EnvironmentAdapter

ADAPTER = EnvironmentAdapter(
    title="TRL",
    interface="`environment_factory`: `trl.environment.environment(…)`; `rollout_func`: `trl.rollout.rollout(…)`",
    turn="`environment_factory`: the argument of the tool `submit`; `rollout_func`: the text, cut off where its last token ends no turn",
    tested="1.16.0: `GRPOTrainer` takes steps with each",
    readers={"trl-rollout": "optgap.environments.reading:read_kept"},
)
