"""Unsloth: its trainers are TRL's and take TRL's environment class."""

from optgap.environments.adapter import EnvironmentAdapter

ADAPTER = EnvironmentAdapter(
    title="Unsloth",
    interface="TRL's: `trl.environment.environment(…)`",
    turn="as in TRL",
    tested="2026.10.9: TRL's tool loop under it (`tools/environments_test.sh --long`). Without a GPU it leaves TRL's `GRPOTrainer` as it is; its own GRPO, "
    "which needs one, is not run",
)
