"""The former name of optgap.trainers.trl.curriculum."""

from optgap.trainers.trl.curriculum import *  # noqa: F403
