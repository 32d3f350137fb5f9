"""The former name of optgap.trainers.common.shadow."""

from optgap.trainers.common.shadow import *  # noqa: F403
