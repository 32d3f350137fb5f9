"""Unsloth: its trainers are TRL's and take TRL's environment class."""

from optgap.environments.adapter import EnvironmentAdapter

ADAPTER = EnvironmentAdapter(
    title="Unsloth",
    interface="TRL's: `trl.environment.environment(…)`",
    turn="as in TRL",
    tested="not run: not installed here",
)
