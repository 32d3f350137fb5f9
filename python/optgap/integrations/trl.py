"""The former name of optgap.trainers.trl.reward."""

from optgap.trainers.trl.reward import *  # noqa: F403
