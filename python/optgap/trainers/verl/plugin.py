"""The entry point of the group `verl.plugins`, which verl imports in every process: registers names and no more. The
native library is loaded with the first score.

`python -m optgap.trainers.verl.plugin` imports verl and says what is registered then: verl logs a plug-in's failure
at debug level only.
"""

from __future__ import annotations

import sys

from optgap.trainers.verl import estimators as verl_estimators


def register() -> None:
    """Registers the estimators and the reward manager, those that are not yet there."""
    verl_estimators.register()
    from verl.experimental.reward_loop.reward_manager.registry import REWARD_MANAGER, register as register_manager

    from optgap.trainers.verl.reward import RewardManager

    if "optgap" not in REWARD_MANAGER:
        register_manager("optgap")(RewardManager)


def registered() -> list[str]:
    """What verl itself finds under our names once it is imported."""
    import verl  # noqa: F401  this loads the plug-ins
    from verl.experimental.reward_loop.reward_manager.registry import REWARD_MANAGER
    from verl.trainer.ppo.core_algos import ADV_ESTIMATOR_REGISTRY

    managers = [f"reward manager: {name}" for name in REWARD_MANAGER if name == "optgap"]
    own = [name for name in ADV_ESTIMATOR_REGISTRY if name.startswith(verl_estimators.PREFIX)]
    return managers + [f"estimator: {name}" for name in own]


if __name__ != "__main__":
    register()
else:
    found = registered()
    print("\n".join(found) or "verl found nothing of optgap: what follows is why")
    register()
    sys.exit(not found)
