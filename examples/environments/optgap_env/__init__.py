"""optgap as a taskset of verifiers and prime-rl, found by its id `optgap-env` (docs/environments.md)."""

from optgap.environments.verifiers.taskset import OptgapEnv, OptgapTaskset

__all__ = ["OptgapEnv", "OptgapTaskset"]
