"""The former name of optgap.trainers.trl.roles."""

from optgap.trainers.trl.roles import *  # noqa: F403
