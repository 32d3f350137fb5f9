"""The former name of optgap.trainers.common.stream."""

from optgap.trainers.common.stream import *  # noqa: F403
