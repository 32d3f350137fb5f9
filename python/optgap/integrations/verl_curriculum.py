"""The former name of optgap.trainers.verl.curriculum."""

from optgap.trainers.verl.curriculum import *  # noqa: F403
