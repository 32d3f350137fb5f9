"""The former name of optgap.trainers.slime.options."""

from optgap.trainers.slime.options import *  # noqa: F403
