"""The former name of optgap.trainers.common.turns."""

from optgap.trainers.common.turns import *  # noqa: F403
