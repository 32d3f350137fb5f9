"""The former name of optgap.trainers.openrlhf.reward."""

from optgap.trainers.openrlhf.reward import *  # noqa: F403
