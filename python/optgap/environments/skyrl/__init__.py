"""SkyRL-Gym: a text environment."""

from optgap.environments.adapter import EnvironmentAdapter

ADAPTER = EnvironmentAdapter(
    title="SkyRL-Gym",
    interface="`BaseTextEnv`: `skyrl.environment.OptgapEnv`, registered as `optgap`",
    turn="the text; SkyRL does not say how it ended",
    tested="0.4.0: `skyrl_gym.make`, `init`, `step`",
)
