"""The former name of optgap.trainers.verl.reward."""

from optgap.trainers.verl.reward import *  # noqa: F403
