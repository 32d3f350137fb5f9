"""AReaL: a rollout workflow of several turns."""

from optgap.environments.adapter import EnvironmentAdapter

ADAPTER = EnvironmentAdapter(
    title="AReaL",
    interface="`RolloutWorkflow`: `areal.workflow.OptgapWorkflow`",
    turn="the tokens; cut off by `stop_reason`",
    tested="1.0.4: `arun_episode` with an engine that answers from a list",
    readers={"areal": "optgap.environments.reading:read_kept"},
)
