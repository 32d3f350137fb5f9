"""The former name of optgap.trainers.verl.role_rewards."""

from optgap.trainers.verl.role_rewards import *  # noqa: F403
