"""The former name of optgap.trainers.common.ground_truth."""

from optgap.trainers.common.ground_truth import *  # noqa: F403
