"""The former name of optgap.trainers.verl.estimators."""

from optgap.trainers.verl.estimators import *  # noqa: F403
