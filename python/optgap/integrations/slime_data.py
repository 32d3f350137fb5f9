"""The former name of optgap.trainers.slime.data."""

from optgap.trainers.slime.data import *  # noqa: F403
