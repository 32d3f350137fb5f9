"""The former name of optgap.trainers.slime.reward."""

from optgap.trainers.slime.reward import *  # noqa: F403
