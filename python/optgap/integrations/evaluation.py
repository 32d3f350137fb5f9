"""The former name of optgap.trainers.common.evaluation."""

from optgap.trainers.common.evaluation import *  # noqa: F403
