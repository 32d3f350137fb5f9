"""The former name of optgap.trainers.slime.state."""

from optgap.trainers.slime.state import *  # noqa: F403
