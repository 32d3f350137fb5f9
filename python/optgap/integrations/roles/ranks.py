"""The former name of optgap.trainers.common.ranks."""

from optgap.trainers.common.ranks import *  # noqa: F403
