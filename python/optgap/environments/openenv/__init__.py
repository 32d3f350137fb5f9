"""OpenEnv: an environment with tasks, for its server and its clients."""

from optgap.environments.adapter import EnvironmentAdapter

ADAPTER = EnvironmentAdapter(
    title="OpenEnv",
    interface="`Environment` and `TaskProvider`: `openenv.environment.OptgapEnvironment`",
    turn="`OptgapAction(text, finish)`",
    tested="0.10.0: its server, by sessions over its WebSocket",
    readers={"openenv": "optgap.environments.reading:read_served"},
)
