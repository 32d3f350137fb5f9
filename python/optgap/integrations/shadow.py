"""The former name of optgap.trainers.common.overlapped."""

from optgap.trainers.common.overlapped import *  # noqa: F403
