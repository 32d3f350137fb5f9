"""The former name of optgap.trainers.verl.data."""

from optgap.trainers.verl.data import *  # noqa: F403
